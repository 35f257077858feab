/** Vlmetalayers of a super-chunk: named values of any length, compressed, in the frame's trailer. @module */
import { Chunk } from "../chunk/chunk.js";
import { chunkFromBytes } from "../chunk/chunk-source.js";
import { compressChunk } from "../chunk/compress-chunk.js";
import { ArgumentError, FormatError } from "../errors.js";
import { CHECKSUMS_NAME } from "../frame/chunk-checksums.js";
import { MAX_VLMETALAYERS_WRITTEN } from "../frame/frame-layout.js";
import { requireMetalayerName } from "../frame/metalayers.js";
import { plainEnvironment } from "../frame/offsets-index.js";
import { decodeValue, encodeValue, unknownName } from "./metalayers.js";
import { requireBytes, type SuperChunkState } from "./super-chunk-state.js";

/**
 * The vlmetalayers of a super-chunk. They can be added, changed and removed at any time. Changes are durable after the next
 * `flush()`.
 */
export class VlMetalayers {
  readonly #state: SuperChunkState;

  /** @internal */
  constructor(state: SuperChunkState) {
    this.#state = state;
  }

  /** The names, in the order in which they were added. */
  get names(): string[] {
    this.#state.requireOpen("vlmeta.names");
    return this.#state.frame.vlmetalayers.layers.map((layer) => layer.name);
  }

  /** How many there are. */
  get size(): number {
    return this.names.length;
  }

  /** Whether there is a vlmetalayer of this name. */
  has(name: string): boolean {
    this.#state.requireOpen("vlmeta.has");
    return this.#state.frame.vlmetalayers.get(name) !== undefined;
  }

  /**
   * The decompressed bytes of a vlmetalayer.
   *
   * @throws ArgumentError `BLOSC2_ARGUMENT_OUT_OF_RANGE` if there is none of this name; FormatError or CodecError when it can't
   * be decompressed.
   */
  get(name: string): Uint8Array {
    this.#state.requireOpen("vlmeta.get");
    const { frame, environment } = this.#state;
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

  /**
   * Adds a vlmetalayer, or replaces the content of one.
   *
   * @param name at most 31 bytes of UTF-8.
   * @throws ArgumentError when there are 16 others already, as many as C-Blosc2 takes; IoError when the super-chunk is closed or
   * read-only.
   */
  set(name: string, content: ArrayBufferView): void {
    this.#state.requireWritable("vlmeta.set");
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
    frame.vlmetalayers.set(name, compressChunk(bytes, { typesize: 1 }, plainEnvironment(environment)));
    frame.touch();
  }

  /** {@link set} with the msgpack bytes of a value. */
  setValue(name: string, value: unknown): void {
    this.set(name, encodeValue(value));
  }

  /**
   * Removes a vlmetalayer.
   *
   * @returns false if there was none of this name.
   * @throws IoError when the super-chunk is closed or read-only.
   */
  delete(name: string): boolean {
    this.#state.requireWritable("vlmeta.delete");
    const { frame } = this.#state;
    const deleted = frame.vlmetalayers.delete(name);
    if (deleted) frame.touch();
    return deleted;
  }

  /** Name and decompressed bytes of each, in the order in which they were added. */
  *[Symbol.iterator](): IterableIterator<[string, Uint8Array]> {
    for (const name of this.names) yield [name, this.get(name)];
  }
}
