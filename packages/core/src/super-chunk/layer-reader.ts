/** What reading metalayers and vlmetalayers have in common. @module */
import { ArgumentError, isBlosc2Error } from "../errors.js";
import type { MetalayerReading } from "../frame/metalayers.js";
import { decodeMsgpack } from "../values/msgpack-decode.js";
import type { ReadState } from "./read-state.js";

/** The error for a name that is not there. */
export function unknownName(kind: string, name: string, names: readonly string[]): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_OUT_OF_RANGE",
    `there is no ${kind} "${name}"; there ${names.length === 0 ? "are none" : `is ${names.join(", ")}`}`,
    { parameter: "name", found: name },
  );
}

function decodeValue(bytes: Uint8Array, name: string): unknown {
  try {
    return decodeMsgpack(bytes);
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `"${name}" does not hold msgpack; read its bytes with get(): ${error.message}`,
      { parameter: "name", found: name },
      error,
    );
  }
}

/** Where the layers of one kind are. */
export interface LayerPlace {
  /** What they are called in messages. */
  readonly kind: "meta" | "vlmeta";
  /** Those that there are by now. */
  list(state: ReadState): MetalayerReading;
}

/** Named values of a super-chunk, for reading. */
export abstract class LayerReader {
  readonly #state: ReadState;
  readonly #place: LayerPlace;

  /** Made with the super-chunk. */
  constructor(state: ReadState, place: LayerPlace) {
    this.#state = state;
    this.#place = place;
  }

  /** The bytes of a value; {@link get} says more. */
  abstract get(name: string): Uint8Array;

  /** The names, in the order of the file, which is the one in which they were added. */
  keys(): string[] {
    return this.#reading("keys", (layers) => layers.layers.map((layer) => layer.name));
  }

  /** How many there are. */
  get size(): number {
    return this.keys().length;
  }

  /** Whether there is one of this name. */
  has(name: string): boolean {
    return this.#reading("has", (layers) => layers.get(name) !== undefined);
  }

  #reading<T>(operation: string, read: (layers: MetalayerReading) => T): T {
    const { kind, list } = this.#place;
    return this.#state.reading(`${kind}.${operation}`, () => read(list(this.#state)));
  }

  /**
   * What {@link get} gives as a value, where it is msgpack, as what python-blosc2 stores is: see `decodeMsgpack`.
   *
   * @throws ArgumentError if there is none of this name, or its bytes are no msgpack.
   */
  getValue(name: string): unknown {
    return decodeValue(this.get(name), name);
  }

  /** Name and bytes of each, in the order of the names. */
  *[Symbol.iterator](): IterableIterator<[string, Uint8Array]> {
    for (const name of this.keys()) yield [name, this.get(name)];
  }
}
