/** Arrays as Zarr, for peers that read nothing else. @module */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { NDArray } from "@b2frame/core";
import { type Blosc1CParams, compressBlosc1Chunk } from "@b2frame/core/codec";

/** How the chunks are compressed: by Blosc with shuffle. */
export interface ZarrCompression {
  readonly codec: NonNullable<Blosc1CParams["codec"]>;
  readonly clevel: number;
}

/** Writes an array as Zarr v3 with the chunks that it has, each compressed by Blosc. `dataType` is Zarr's name of its dtype. */
export async function writeZarr(
  array: NDArray,
  folder: string,
  dataType: string,
  { codec, clevel }: ZarrCompression,
): Promise<void> {
  const { typesize } = array.schunk;
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: array.shape,
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: array.chunks } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: 0,
    codecs: [
      { name: "bytes", configuration: { endian: "little" } },
      { name: "blosc", configuration: { cname: codec, clevel, shuffle: "shuffle", typesize, blocksize: 0 } },
    ],
    attributes: {},
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "zarr.json"), JSON.stringify(metadata));
  for (const { start, items } of array.iterChunks()) {
    const place = start.map((from, dim) => from / (array.chunks[dim] as number)).join("/");
    const path = join(folder, "c", place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, compressBlosc1Chunk(items.bytes, { codec, clevel, typesize, shuffle: "shuffle" }));
  }
}
