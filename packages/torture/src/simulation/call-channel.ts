/**
 * Calls from one thread to another that wait for their answer: the caller's thread stands still until the other one answers. Request and
 * answer lie in memory that both share.
 *
 * @module
 */
import { deserialize, serialize } from "node:v8";

const STATE = 0;
const LENGTH = 1;
const CONTROL_BYTES = 8;
const CAPACITY = 1 << 20;

const IDLE = 0;
const ASKED = 1;
const ANSWERED = 2;

/** Memory for one caller and one who answers. */
export function makeChannelMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CONTROL_BYTES + CAPACITY);
}

/** Either end of a channel. */
class ChannelEnd {
  protected readonly control: Int32Array;
  readonly #content: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#content = new Uint8Array(memory, CONTROL_BYTES);
  }

  protected put(state: number, value: unknown): void {
    const encoded = serialize(value);
    this.#content.set(encoded);
    this.control[LENGTH] = encoded.byteLength;
    Atomics.store(this.control, STATE, state);
    Atomics.notify(this.control, STATE);
  }

  protected take(state: number): unknown {
    for (let found = Atomics.load(this.control, STATE); found !== state; found = Atomics.load(this.control, STATE)) {
      Atomics.wait(this.control, STATE, found);
    }
    return deserialize(this.#content.slice(0, this.control[LENGTH]));
  }
}

/** The end that asks. */
export class Caller extends ChannelEnd {
  /** Asks, and waits for the answer. */
  call(request: unknown): unknown {
    this.put(ASKED, request);
    const answer = this.take(ANSWERED);
    Atomics.store(this.control, STATE, IDLE);
    return answer;
  }
}

/** The end that answers. */
export class Answerer extends ChannelEnd {
  /** Waits until the caller asks. */
  next(): unknown {
    return this.take(ASKED);
  }

  answer(value: unknown): void {
    this.put(ANSWERED, value);
  }
}
