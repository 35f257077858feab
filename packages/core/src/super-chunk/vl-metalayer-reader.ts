/** Reading the vlmetalayers of a super-chunk: named values of any length, compressed, in the frame's trailer. @module */
import { Chunk } from "../chunk/chunk.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { FormatError } from "../errors.js";
import { plainEnvironment } from "../frame/offsets-index.js";
import { type LayerPlace, LayerReader, unknownName } from "./layer-reader.js";
import type { ReadState } from "./read-state.js";

const PLACE: LayerPlace = { kind: "vlmeta", list: ({ frame }) => frame.vlmetalayers };

/** The vlmetalayers of a super-chunk, for reading. */
export class VlMetalayerReader extends LayerReader {
  readonly #state: ReadState;

  /** Made with the super-chunk. */
  constructor(state: ReadState) {
    super(state, PLACE);
    this.#state = state;
  }

  /**
   * The decompressed bytes of a vlmetalayer.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name; FormatError or CodecError when it can't
   * be decompressed.
   */
  get(name: string): Uint8Array {
    return this.#state.reading("vlmeta.get", () => this.#decompress(name));
  }

  #decompress(name: string): Uint8Array {
    const { frame, environment } = this.#state;
    const content = frame.vlmetalayers.get(name);
    if (content === undefined) throw unknownName("vlmetalayer", name, this.keys());
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
}
