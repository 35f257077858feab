/** Reading the metalayers of a super-chunk: small named values of fixed length in the frame's header. @module */
import { decode } from "@msgpack/msgpack";
import { ArgumentError } from "../errors.js";
import type { ReadState } from "./read-state.js";

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

/** The metalayers of a super-chunk, for reading. */
export class MetalayerReader {
  /** @internal */
  protected readonly state: ReadState;

  /** @internal */
  constructor(state: ReadState) {
    this.state = state;
  }

  /** The names, in the order of the file. */
  get names(): string[] {
    const { state } = this;
    return state.reading("meta.names", () => state.frame.metalayers.layers.map((layer) => layer.name));
  }

  /** How many there are. */
  get size(): number {
    return this.names.length;
  }

  /** Whether there is a metalayer of this name. */
  has(name: string): boolean {
    const { state } = this;
    return state.reading("meta.has", () => state.frame.metalayers.get(name) !== undefined);
  }

  /**
   * The raw bytes of a metalayer, as a copy.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name.
   */
  get(name: string): Uint8Array {
    return this.state.reading("meta.get", () => {
      const content = this.state.frame.metalayers.get(name);
      if (content === undefined) throw unknownName("metalayer", name, this.names);
      return content.slice();
    });
  }

  /** The value of a metalayer that holds msgpack, as those of python-blosc2 do. @throws ArgumentError */
  getValue(name: string): unknown {
    return decodeValue(this.get(name), name);
  }

  /** Name and bytes of each, in the order of the file. */
  *[Symbol.iterator](): IterableIterator<[string, Uint8Array]> {
    for (const name of this.names) yield [name, this.get(name)];
  }
}
