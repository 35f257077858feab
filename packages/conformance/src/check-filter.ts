/** Entries that are one filter over a stated input, without any header. @module */
import { compressChunk, defaultEnvironment } from "@b2frame/core/codec";
import { openChunk } from "./check-chunk.js";
import { Mismatch, requireBytes, requireSame, sha256 } from "./facts.js";
import type { Entry } from "./manifest.js";
import type { OpenOptions } from "./setup.js";

/** The one input that the corpus uses: int32 little-endian 0, 1, 2, ... */
function rampInput(byteLength: number): Uint8Array {
  const input = new Uint8Array(byteLength);
  const view = new DataView(input.buffer);
  for (let item = 0; item < byteLength / 4; item += 1) view.setInt32(4 * item, item, true);
  return input;
}

/**
 * Checks the filtered bytes, and that the same filter in a chunk gives the input back.
 *
 * @throws Mismatch, or what b2frame threw.
 */
export function checkFilter(entry: Entry, options: OpenOptions): void {
  const input = rampInput(entry.nbytes);
  if (sha256(input) !== entry.input_sha256) throw new Mismatch("the stated input is not the int32 ramp");
  const filters = new Uint8Array(6);
  filters[5] = options.filters.byName(entry.filter).id;
  const filtered = options.engine.filterBlock(
    {
      typesize: entry.typesize,
      superChunkTypesize: entry.typesize,
      blocksize: entry.nbytes,
      formatCode: 1,
      compcode: 1,
      codecMeta: 0,
      clevel: 5,
      filters,
      filtersMeta: new Uint8Array(6),
      split: false,
      chunkVersion: 5,
      runs: true,
      dictionary: undefined,
      geometry: undefined,
    },
    input,
    0,
    undefined,
  );
  requireBytes("filtered", { nbytes: entry.nbytes, sha256: entry.sha256 }, filtered);
  const params = { codec: "lz4", typesize: entry.typesize, filters: [entry.filter] };
  const chunk = openChunk(compressChunk(input, params, defaultEnvironment(options)), options);
  requireSame("input", entry.input_sha256, sha256(chunk.decompress()));
}
