/** The data that is compressed. Made from seeds, so that every run has the same. @module */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { SeededRandom } from "@b2frame/interop/seeded-random";

/** A data set of a given size. */
export interface Dataset {
  readonly name: DataName;
  readonly typesize: number;
  readonly bytes: Uint8Array;
}

/** The data sets by name, the one that single-data cases use first. */
export const DATA_NAMES = ["float64", "int32", "volume", "incompressible", "zeros"] as const;

/** One of {@link DATA_NAMES}. */
export type DataName = (typeof DATA_NAMES)[number];

/** What the names stand for. */
export const DATA_DESCRIPTIONS: Readonly<Record<DataName, string>> = {
  float64: "a random walk of doubles, rounded to hundredths",
  int32: "a random walk of integers, steps -1000..1000",
  volume: "int16 voxels of the demo's functional MRI scan, repeated",
  incompressible: "random bytes, as 4-byte items",
  zeros: "zeros, as 8-byte items",
};

const VOLUME_FILE = new URL("../../b2frame/demo-data/example4d.nii.gz", import.meta.url);
/** NIfTI-1: where the header says at which byte the voxels start, as a float. */
const VOXEL_OFFSET_FIELD = 108;

function float64Walk(byteLength: number): Uint8Array {
  const random = new SeededRandom(1);
  const items = new Float64Array(byteLength / 8);
  let hundredths = 0;
  for (let i = 0; i < items.length; i++) {
    hundredths += random.integer(-100, 100);
    items[i] = hundredths / 100;
  }
  return new Uint8Array(items.buffer);
}

function int32Walk(byteLength: number): Uint8Array {
  const random = new SeededRandom(2);
  const items = new Int32Array(byteLength / 4);
  let value = 0;
  for (let i = 0; i < items.length; i++) {
    value += random.integer(-1000, 1000);
    items[i] = value;
  }
  return new Uint8Array(items.buffer);
}

/** The voxels of the demo's scan. */
function voxels(): Uint8Array {
  const file = gunzipSync(readFileSync(fileURLToPath(VOLUME_FILE)));
  const header = new DataView(file.buffer, file.byteOffset, file.byteLength);
  return file.subarray(header.getFloat32(VOXEL_OFFSET_FIELD, true));
}

function volume(byteLength: number): Uint8Array {
  const scan = voxels();
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < byteLength; at += scan.byteLength) bytes.set(scan.subarray(0, byteLength - at), at);
  return bytes;
}

function incompressible(byteLength: number): Uint8Array {
  const random = new SeededRandom(3);
  const items = new Uint32Array(byteLength / 4);
  for (let i = 0; i < items.length; i++) items[i] = random.bits();
  return new Uint8Array(items.buffer);
}

const MAKERS: Readonly<Record<DataName, { typesize: number; make(byteLength: number): Uint8Array }>> = {
  float64: { typesize: 8, make: float64Walk },
  int32: { typesize: 4, make: int32Walk },
  volume: { typesize: 2, make: volume },
  incompressible: { typesize: 4, make: incompressible },
  zeros: { typesize: 8, make: (byteLength) => new Uint8Array(byteLength) },
};

/** A data set of `byteLength` bytes, a multiple of 8. */
export function makeDataset(name: DataName, byteLength: number): Dataset {
  const { typesize, make } = MAKERS[name];
  return { name, typesize, bytes: make(byteLength) };
}
