/** Metalayers of a super-chunk: small named values of fixed length in the frame's header. @module */
import { encodeMsgpack } from "../values/msgpack-encode.js";
import { unknownName } from "./layer-reader.js";
import { MetalayerReader } from "./metalayer-reader.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

/**
 * The metalayers of a super-chunk. They can be added while it has no chunks; later their content can be overwritten, but
 * not grow. Changes are durable after the next `commit()`.
 */
export class Metalayers extends MetalayerReader {
  readonly #state: SuperChunkState;

  /** Made with the super-chunk. */
  constructor(state: SuperChunkState) {
    super(state);
    this.#state = state;
  }

  /**
   * Adds a metalayer, or overwrites one. Shorter content than before overwrites only the front: the length stays.
   *
   * @param name at most 31 bytes of UTF-8.
   * @throws ArgumentError when it would have to be added after the first chunk, or would have to grow, or when there are 16;
   * IoError when the super-chunk is closed or read-only.
   */
  set(name: string, content: ArrayBufferView): void {
    this.#state.changing("meta.set", () => this.#state.frame.setMetalayer(name, requireBytes(content, "content")));
  }

  /** {@link set} with the msgpack bytes of a value. @throws ArgumentError naming the path to what msgpack does not hold */
  setValue(name: string, value: unknown): void {
    this.set(name, encodeMsgpack(value));
  }

  /**
   * Overwrites a metalayer that there is.
   *
   * @throws ArgumentError as {@link set}, and if there is none of this name.
   */
  update(name: string, content: ArrayBufferView): void {
    this.#state.changing("meta.update", () => {
      if (!this.has(name)) throw unknownName("metalayer", name, this.keys());
      this.set(name, content);
    });
  }
}
