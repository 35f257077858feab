/** Taking items from a Zarr array, through zarrita. @module */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { NDBuffer, parseDType, UnsupportedError } from "@b2frame/core";
import type { PartSource } from "./part-source.js";

/** Whether a folder holds a Zarr array of version 2 or 3. */
export function isZarr(path: string): boolean {
  return existsSync(`${path}/zarr.json`) || existsSync(`${path}/.zarray`);
}

/**
 * Takes items from a Zarr array in a folder, by zarrita, which is loaded when this is called. Its codecs must be registered there.
 *
 * @throws UnsupportedError for a data type that is no number or truth value; what zarrita throws
 */
export async function zarrSource(path: string): Promise<PartSource> {
  const [zarr, { default: FileSystemStore }] = await Promise.all([import("zarrita"), import("@zarrita/storage/fs")]);
  const array = await zarr.open(zarr.root(new FileSystemStore(resolve(path))), { kind: "array" });
  const { dtype: name, shape } = array;
  if (!/^(?:bool|u?int(?:8|16|32|64)|float(?:32|64))$/.test(name)) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED",
      `${path}: Zarr arrays of ${name} are not taken; numbers and bool are`,
      {
        feature: `Zarr data type ${name}`,
        path,
      },
    );
  }
  const dtype = parseDType(name);
  return {
    shape,
    dtype,
    read: async ({ start, stop }) => {
      const box = await zarr.get(
        array,
        start.map((from, dim) => zarr.slice(from, stop[dim] as number)),
      );
      const { data } = box as { data: unknown };
      const bytes = ArrayBuffer.isView(data)
        ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
        : Uint8Array.from(data as Iterable<boolean>, Number);
      return new NDBuffer(
        dtype,
        stop.map((end, dim) => end - (start[dim] as number)),
        bytes,
      );
    },
  };
}
