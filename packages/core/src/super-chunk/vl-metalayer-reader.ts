/** Reading the vlmetalayers of a super-chunk: named values of any length, compressed, in the frame's trailer. @module */
import { Chunk } from "../chunk/chunk.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { FormatError } from "../errors.js";
import { plainEnvironment } from "../frame/offsets-index.js";
import { decodeValue, unknownName } from "./metalayer-reader.js";
import type { ReadState } from "./read-state.js";

/** The vlmetalayers of a super-chunk, for reading. */
export class VlMetalayerReader {
  /** @internal */
  protected readonly state: ReadState;

  /** @internal */
  constructor(state: ReadState) {
    this.state = state;
  }

  /** The names, in the order in which they were added. */
  get names(): string[] {
    const { state } = this;
    return state.reading("vlmeta.names", () => state.frame.vlmetalayers.layers.map((layer) => layer.name));
  }

  /** How many there are. */
  get size(): number {
    return this.names.length;
  }

  /** Whether there is a vlmetalayer of this name. */
  has(name: string): boolean {
    const { state } = this;
    return state.reading("vlmeta.has", () => state.frame.vlmetalayers.get(name) !== undefined);
  }

  /**
   * The decompressed bytes of a vlmetalayer.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name; FormatError or CodecError when it can't
   * be decompressed.
   */
  get(name: string): Uint8Array {
    return this.state.reading("vlmeta.get", () => this.#decompress(name));
  }

  #decompress(name: string): Uint8Array {
    const { frame, environment } = this.state;
    const content = frame.vlmetalayers.get(name);
    if (content === undefined) throw unknownName("vlmetalayer", name, this.names);
    const location = { path: frame.origin.path, structure: `vlmetalayer "${name}"`, position: frame.position };
    const chunk = Chunk.open(chunkFromBytes(content, location), plainEnvironment(environment));
    if (chunk.cbytes !== content.byteLength) {
      throw new FormatError("BLOSC2_FORMAT_BAD_LENGTH", {
        ...location,
        field: "cbytes",
        offset: 12,
        expected: content.byteLength,
        found: chunk.cbytes,
      });
    }
    return chunk.decompress();
  }

  /** The value of a vlmetalayer that holds msgpack, as those of python-blosc2 do. @throws ArgumentError */
  getValue(name: string): unknown {
    return decodeValue(this.get(name), name);
  }

  /** Name and decompressed bytes of each, in the order in which they were added. */
  *[Symbol.iterator](): IterableIterator<[string, Uint8Array]> {
    for (const name of this.names) yield [name, this.get(name)];
  }
}
