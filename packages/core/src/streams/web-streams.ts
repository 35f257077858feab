/** What is used of web streams and signals, which Node and browsers have, though their types are not at hand here. @module */

/**
 * A web `ReadableStream` of bytes, as the types of this runtime have it: a body for `Response`, a source for `pipeTo`, and for Node's
 * `pipeline` and `Readable.fromWeb`.
 */
export type ByteStream = AsyncIterable<Uint8Array> &
  (typeof globalThis extends { ReadableStream: { prototype: infer Stream } } ? Stream : unknown);

/** The part of an `AbortSignal` that is used. */
export interface StreamSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** How a stream is read or written. */
export interface StreamOptions {
  /** Ends it: what waits for it fails with the signal's reason, and the other end is told. */
  readonly signal?: StreamSignal | undefined;
}

/** The part of a web `ReadableStream` that is used for reading it. */
export interface WebReadable<Piece> {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Piece | undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Pieces one after another: a web `ReadableStream`, a Node stream, anything with `for await`, or with `for`. */
export type PieceSource<Piece> = WebReadable<Piece> | AsyncIterable<Piece> | Iterable<Piece>;

interface StreamController {
  enqueue(piece: Uint8Array): void;
  close(): void;
  error(reason: unknown): void;
}

interface StreamGlobals {
  readonly ReadableStream: new (
    source: {
      start(controller: StreamController): void;
      pull(controller: StreamController): Promise<void>;
      cancel(reason: unknown): Promise<void>;
    },
    strategy: { readonly highWaterMark: number },
  ) => ByteStream;
  setTimeout(callback: () => void, milliseconds: number): unknown;
}

/** Milliseconds after which other events get their turn. */
const TURN = 10;

/** Resolves when other events have had their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void (globalThis as unknown as StreamGlobals).setTimeout(resolve, 0));
}

/** Says when it is time for {@link nextTurn}. */
export class TurnClock {
  #ends: number = Date.now() + TURN;

  /** Lets other events happen, if this went on without them for long. */
  async turn(): Promise<void> {
    if (Date.now() < this.#ends) return;
    await nextTurn();
    this.#ends = Date.now() + TURN;
  }
}

/**
 * A stream of what an iterator gives. A piece is made when it is asked for, so that none but that one waits; cancelling the stream ends the
 * iterator.
 */
export function streamOf(
  pieces: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
  { signal }: StreamOptions = {},
): ByteStream {
  const clock = new TurnClock();
  let leave = (): void => {};
  const done = (): void => signal?.removeEventListener("abort", leave);
  return new (globalThis as unknown as StreamGlobals).ReadableStream(
    {
      start(controller) {
        leave = () => {
          done();
          controller.error(signal?.reason);
          // Where a piece is under way, this waits for it.
          Promise.resolve(pieces.return?.()).catch(() => undefined);
        };
        if (signal?.aborted === true) leave();
        else signal?.addEventListener("abort", leave);
      },
      async pull(controller) {
        try {
          await clock.turn();
          const step = await pieces.next();
          if (signal?.aborted === true) return;
          if (step.done !== true) controller.enqueue(step.value);
          else {
            done();
            controller.close();
          }
        } catch (error) {
          done();
          throw error;
        }
      },
      async cancel() {
        done();
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
