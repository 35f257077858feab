/** Reading the metalayers of a super-chunk: small named values of fixed length in the frame's header. @module */
import { type LayerPlace, LayerReader, unknownName } from "./layer-reader.js";
import type { ReadState } from "./read-state.js";

const PLACE: LayerPlace = { kind: "meta", list: ({ frame }) => frame.metalayers };

/** The metalayers of a super-chunk, for reading. */
export class MetalayerReader extends LayerReader {
  readonly #state: ReadState;

  /** Made with the super-chunk. */
  constructor(state: ReadState) {
    super(state, PLACE);
    this.#state = state;
  }

  /**
   * The raw bytes of a metalayer, as a copy.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name.
   */
  get(name: string): Uint8Array {
    return this.#state.reading("meta.get", () => {
      const content = this.#state.frame.metalayers.get(name);
      if (content === undefined) throw unknownName("metalayer", name, this.keys());
      return content.slice();
    });
  }
}
