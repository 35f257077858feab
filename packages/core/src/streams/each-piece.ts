/** Taking pieces off a stream of any kind, the next one only when the last one has been dealt with. @module */
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError, IoError, isBlosc2Error } from "../errors.js";
import { type PieceSource, type StreamOptions, TurnClock, type WebReadable } from "./web-streams.js";

interface Step<Piece> {
  readonly done?: boolean | undefined;
  readonly value?: Piece | undefined;
}

interface Cursor<Piece> {
  next(): Promise<Step<Piece>>;
  /** Tells the source that no more is wanted, and why. Nothing waits for it: it may be in the middle of what never comes. */
  stop(reason: unknown): void;
  /** After the last piece. */
  release?(): void;
}

function ignored(promise: unknown): void {
  Promise.resolve(promise).catch(() => undefined);
}

function cursorOf<Piece>(source: PieceSource<Piece>, operation: string): Cursor<Piece> {
  const given = source as Partial<WebReadable<Piece> & AsyncIterable<Piece> & Iterable<Piece>> | null | undefined;
  if (typeof given?.getReader === "function") {
    const reader = given.getReader();
    return {
      next: () => reader.read(),
      stop: (reason) => {
        ignored(reader.cancel(reason));
        reader.releaseLock();
      },
      release: () => reader.releaseLock(),
    };
  }
  const iterator = given?.[Symbol.asyncIterator]?.() ?? given?.[Symbol.iterator]?.();
  if (iterator === undefined || ArrayBuffer.isView(source)) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `${operation}: source: expected a stream or what gives pieces one after another, found ${describeValue(source)}`,
      { parameter: "source", found: describeValue(source) },
    );
  }
  const { destroy } = given as { destroy?: unknown };
  return {
    next: async () => (await iterator.next()) as Step<Piece>,
    stop: (reason) => {
      // The iterator of a Node stream that waits for data ends with the data only; the stream ends at once.
      if (typeof destroy === "function") destroy.call(source, reason instanceof Error ? reason : undefined);
      else ignored(iterator.return?.());
    },
  };
}

/** A stream's own failure, named; those of ours say more already. */
function sourceFailure(operation: string, error: unknown): unknown {
  if (isBlosc2Error(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new IoError("BLOSC2_IO_FAILED", `${operation}: the stream failed: ${why}`, { operation }, error);
}

/**
 * Hands the pieces of a source to `take`, one after another. When that throws, or the signal fires, the source is told: a web stream is
 * cancelled, a Node stream destroyed, an iterator ended.
 *
 * @throws the signal's reason; what `take` throws; IoError `BLOSC2_IO_FAILED` for a failing source; ArgumentError for what is none
 */
export async function eachPiece<Piece>(
  source: PieceSource<Piece>,
  operation: string,
  { signal }: StreamOptions,
  take: (piece: Piece) => void,
): Promise<void> {
  const hasLeft = (): boolean => signal?.aborted === true;
  if (hasLeft()) throw signal?.reason;
  const cursor = cursorOf(source, operation);
  // Set for each step: a promise that lived as long as the stream would keep what every step has waited for.
  let interrupt = (_: unknown): void => {};
  const leave = (): void => interrupt(signal?.reason);
  signal?.addEventListener("abort", leave);
  const clock = new TurnClock();
  try {
    for (;;) {
      const step = await new Promise<Step<Piece>>((resolve, reject) => {
        interrupt = reject;
        cursor.next().then(resolve, (error) => reject(sourceFailure(operation, error)));
      });
      if (hasLeft()) throw signal?.reason;
      if (step.done === true) break;
      take(step.value as Piece);
      await clock.turn();
    }
    cursor.release?.();
  } catch (error) {
    const reason = hasLeft() ? signal?.reason : error;
    cursor.stop(reason);
    throw reason;
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}
