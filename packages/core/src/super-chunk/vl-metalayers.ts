/** Vlmetalayers of a super-chunk: named values of any length, compressed, in the frame's trailer. @module */
import { compressChunk } from "../chunk/compress-chunk.js";
import { ArgumentError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { MAX_VLMETALAYERS_WRITTEN } from "../frame/frame-layout.js";
import { requireMetalayerName } from "../frame/metalayers.js";
import { plainEnvironment } from "../frame/offsets-index.js";
import { encodeMsgpack } from "../values/msgpack-encode.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";
import { VlMetalayerReader } from "./vl-metalayer-reader.js";

/**
 * The vlmetalayers of a super-chunk. They can be added, changed and removed at any time. Changes are durable after the next
 * `commit()`.
 */
export class VlMetalayers extends VlMetalayerReader {
  readonly #state: SuperChunkState;

  /** Made with the super-chunk. */
  constructor(state: SuperChunkState) {
    super(state);
    this.#state = state;
  }

  /**
   * Adds a vlmetalayer, or replaces the content of one.
   *
   * @param name at most 31 bytes of UTF-8.
   * @throws ArgumentError when there are 16 others already, as many as C-Blosc2 takes; IoError when the super-chunk is closed or
   * read-only.
   */
  set(name: string, content: ArrayBufferView): void {
    this.#state.changing("vlmeta.set", () => this.#store(name, content));
  }

  #store(name: string, content: ArrayBufferView): void {
    requireMetalayerName(name);
    if (name === CHECKSUMS_NAME) {
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `vlmetalayer "${name}" holds the checksums of the chunks; the option "checksum" makes it, delete() removes it`,
        { parameter: "name", found: name },
      );
    }
    const { frame, environment } = this.#state;
    const bytes = requireBytes(content, "content");
    if (frame.vlmetalayers.get(name) === undefined && frame.vlmetalayers.count >= MAX_VLMETALAYERS_WRITTEN) {
      throw new ArgumentError(
        "BLOSC2_LIMIT_EXCEEDED",
        `vlmetalayer "${name}" can't be added: C-Blosc2 writes at most ${MAX_VLMETALAYERS_WRITTEN} to a frame`,
        { parameter: "name", expected: MAX_VLMETALAYERS_WRITTEN, found: frame.vlmetalayers.count + 1 },
      );
    }
    frame.setVlMetalayer(name, compressChunk(bytes, { typesize: 1 }, plainEnvironment(environment)));
  }

  /** {@link set} with the msgpack bytes of a value. @throws ArgumentError naming the path to what msgpack does not hold */
  setValue(name: string, value: unknown): void {
    this.set(name, encodeMsgpack(value));
  }

  /**
   * Removes a vlmetalayer.
   *
   * @returns false if there was none of this name.
   * @throws IoError when the super-chunk is closed or read-only.
   */
  delete(name: string): boolean {
    return this.#state.changing("vlmeta.delete", () => this.#state.frame.deleteVlMetalayer(name));
  }
}
