/** Reading the metalayers of a super-chunk: small named values of fixed length in the frame's header. @module */
import type { MetalayerReading } from "../frame/metalayers.js";
import { LayerReader, unknownName } from "./layer-reader.js";

/** The metalayers of a super-chunk, for reading. */
export class MetalayerReader extends LayerReader {
  /** @internal */
  protected readonly kind = "meta";

  /** @internal */
  protected list(): MetalayerReading {
    return this.state.frame.metalayers;
  }

  /**
   * The raw bytes of a metalayer, as a copy.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name.
   */
  get(name: string): Uint8Array {
    return this.state.reading("meta.get", () => {
      const content = this.list().get(name);
      if (content === undefined) throw unknownName("metalayer", name, this.names);
      return content.slice();
    });
  }
}
