/** Metalayers of a super-chunk: small named values of fixed length in the frame's header. @module */
import { decode, encode } from "@msgpack/msgpack";
import { ArgumentError } from "../errors.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

/** The error for a name that is not there. */
export function unknownName(kind: string, name: string, names: readonly string[]): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    `there is no ${kind} "${name}"; there ${names.length === 0 ? "are none" : `is ${names.join(", ")}`}`,
    { parameter: "name", found: name },
  );
}

/** A value as python-blosc2 stores it: msgpack. 64-bit integers beyond 2^53 come back as `bigint`. */
export function decodeValue(bytes: Uint8Array, name: string): unknown {
  try {
    return decode(bytes, { useBigInt64: true });
  } catch (error) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `"${name}" does not hold msgpack; read its bytes with get()`,
      {
        parameter: "name",
        found: name,
      },
      error,
    );
  }
}

/** The msgpack bytes of a value. */
export function encodeValue(value: unknown): Uint8Array {
  return encode(value, { useBigInt64: true });
}

/**
 * The metalayers of a super-chunk. They can be added while it has no chunks; later their content can be overwritten, but
 * not grow. Changes are durable after the next `flush()`.
 */
export class Metalayers {
  readonly #state: SuperChunkState;

  /** @internal */
  constructor(state: SuperChunkState) {
    this.#state = state;
  }

  /** The names, in the order of the file. */
  get names(): string[] {
    this.#state.requireOpen("meta.names");
    return this.#state.frame.metalayers.layers.map((layer) => layer.name);
  }

  /** How many there are. */
  get size(): number {
    return this.names.length;
  }

  /** Whether there is a metalayer of this name. */
  has(name: string): boolean {
    this.#state.requireOpen("meta.has");
    return this.#state.frame.metalayers.get(name) !== undefined;
  }

  /**
   * The raw bytes of a metalayer, as a copy.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name.
   */
  get(name: string): Uint8Array {
    this.#state.requireOpen("meta.get");
    const content = this.#state.frame.metalayers.get(name);
    if (content === undefined) throw unknownName("metalayer", name, this.names);
    return content.slice();
  }

  /** The value of a metalayer that holds msgpack, as those of python-blosc2 do. @throws ArgumentError */
  getValue(name: string): unknown {
    return decodeValue(this.get(name), name);
  }

  /**
   * Adds a metalayer, or overwrites one. Shorter content than before overwrites only the front: the length stays.
   *
   * @param name at most 31 bytes of UTF-8.
   * @throws ArgumentError when it would have to be added after the first chunk, or would have to grow, or when there are 16;
   * IoError when the super-chunk is closed or read-only.
   */
  set(name: string, content: ArrayBufferView): void {
    this.#state.requireWritable("meta.set");
    this.#state.frame.setMetalayer(name, requireBytes(content, "content"));
  }

  /** {@link set} with the msgpack bytes of a value. */
  setValue(name: string, value: unknown): void {
    this.set(name, encodeValue(value));
  }

  /**
   * Overwrites a metalayer that there is.
   *
   * @throws ArgumentError as {@link set}, and if there is none of this name.
   */
  update(name: string, content: ArrayBufferView): void {
    if (!this.has(name)) throw unknownName("metalayer", name, this.names);
    this.set(name, content);
  }

  /** Name and bytes of each, in the order of the file. */
  *[Symbol.iterator](): IterableIterator<[string, Uint8Array]> {
    for (const name of this.names) yield [name, this.get(name)];
  }
}
