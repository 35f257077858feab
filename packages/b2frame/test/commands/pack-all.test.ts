import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encodeNpy, NDBuffer, openArray, parseDType } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const npy = (values: Int32Array): Buffer =>
  Buffer.from(encodeNpy(new NDBuffer(parseDType("<i4"), [values.length], new Uint8Array(values.buffer))));

interface Header {
  readonly dim: readonly number[];
  readonly datatype: number;
  readonly bitpix: number;
  readonly bigEndian?: boolean;
  readonly slope?: number;
}

/** A file as the NIfTI-1 standard lays it out: 348 bytes of header, four that say "no extensions", the voxels. */
function nifti({ dim, datatype, bitpix, bigEndian = false, slope = 1 }: Header, voxels: Uint8Array): Buffer {
  const header = Buffer.alloc(352);
  const view = new DataView(header.buffer, header.byteOffset);
  const little = !bigEndian;
  view.setInt32(0, 348, little);
  for (const [i, length] of dim.entries()) view.setInt16(40 + 2 * i, length, little);
  view.setInt16(70, datatype, little);
  view.setInt16(72, bitpix, little);
  view.setFloat32(108, 352, little);
  view.setFloat32(112, slope, little);
  header.write("n+1\0", 344, "latin1");
  return Buffer.concat([header, voxels]);
}

function folderWith(name: string, files: Readonly<Record<string, Uint8Array>>): string {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(cwd, name, path, ".."), { recursive: true });
    writeFileSync(join(cwd, name, path), bytes);
  }
  return name;
}

// x varies fastest: the voxel at (x, y, z) has the value x + 10 y + 100 z.
const voxels = Int16Array.from(
  { length: 24 },
  (_, i) => (i % 2) + 10 * (Math.floor(i / 2) % 3) + 100 * Math.floor(i / 6),
);
const volume = { dim: [3, 2, 3, 4, 1, 1, 1, 1], datatype: 4, bitpix: 16 };
const swapped = Buffer.from(voxels.buffer.slice(0)).swap16();

it("packs .npy, .nii and .nii.gz files, in folders, and leaves the rest", () => {
  const folder = folderWith("scans", {
    "a.npy": npy(Int32Array.of(1, 2, 3)),
    "deep/er/b.nii": nifti({ ...volume, slope: 2.5 }, new Uint8Array(voxels.buffer)),
    "deep/c.nii.gz": gzipSync(nifti({ ...volume, bigEndian: true }, swapped)),
    "notes.txt": Buffer.from("no array"),
  });
  const report = JSON.parse(runGood(["pack-all", folder, "packed", "--workers", "2", "--json"], { cwd }));
  expect(report).toMatchObject({ unchanged: [], failed: [], others: 1, nbytes: 12 + 48 + 48 });
  expect(report.packed.map(({ path }: { path: string }) => path)).toEqual(["a.npy", "deep/c.nii.gz", "deep/er/b.nii"]);
  using a = openArray(join(cwd, "packed/a.b2nd"), { io: stdio() });
  expect([...a.getSlice().data]).toEqual([1, 2, 3]);
  for (const path of ["deep/er/b.b2nd", "deep/c.b2nd"]) {
    using array = openArray(join(cwd, "packed", path), { io: stdio() });
    expect(array.shape).toEqual([4, 3, 2]);
    expect(array.getSlice([3, 1, 1], [4, 2, 2]).data[0]).toBe(311);
    expect(array.getSlice([1, 2, 0], [2, 3, 1]).data[0]).toBe(120);
  }
  using b = openArray(join(cwd, "packed/deep/er/b.b2nd"), { io: stdio() });
  expect(b.schunk.vlmeta.getValue("nifti")).toMatchObject({ scl_slope: 2.5, datatype: 4, dim: volume.dim });
});

it("goes on where it was, and packs what has changed", () => {
  const folder = folderWith("again", { "a.npy": npy(Int32Array.of(1)), "b.npy": npy(Int32Array.of(2)) });
  const first = JSON.parse(runGood(["pack-all", folder, "again-out", "--shard", "0/2", "--json"], { cwd }));
  expect(first.packed).toHaveLength(1);
  const second = JSON.parse(runGood(["pack-all", folder, "again-out", "--json"], { cwd }));
  expect(second).toMatchObject({ packed: [{ path: "b.npy" }], unchanged: ["a.npy"] });
  const later = new Date(statSync(join(cwd, "again-out/a.b2nd")).mtimeMs + 5000);
  utimesSync(join(cwd, folder, "a.npy"), later, later);
  expect(runGood(["pack-all", folder, "again-out", "--dry-run"], { cwd })).toBe(
    "a.npy\n1 file to pack, 132 B\n1 file packed before\n",
  );
});

it("names each file that can't be packed, packs the others, and leaves nothing of those that failed", () => {
  const folder = folderWith("bad", {
    "cut.nii": nifti(volume, new Uint8Array(voxels.buffer)).subarray(0, -1),
    "cut.nii.gz.npy": Buffer.from("no npy"),
    "good.npy": npy(Int32Array.of(7)),
    "gzip.nii.gz": gzipSync(nifti(volume, new Uint8Array(voxels.buffer))).subarray(0, -20),
    "none.nii": nifti({ ...volume, dim: [3, 2, 0, 4, 1, 1, 1, 1] }, new Uint8Array(600)),
    "bits.nii": nifti({ ...volume, datatype: 1, bitpix: 1 }, new Uint8Array(600)),
    "short.nii": new Uint8Array(7),
  });
  const { status, stdout } = runCli(["pack-all", folder, "bad-out", "--workers", "2", "--json"], { cwd });
  const { packed, failed } = JSON.parse(stdout.toString());
  expect([status, packed.length]).toEqual([1, 1]);
  const messages = Object.fromEntries(
    failed.map(({ path, message }: { path: string; message: string }) => [path, message]),
  );
  expect(Object.keys(messages)).toEqual([
    "bits.nii",
    "cut.nii",
    "cut.nii.gz.npy",
    "gzip.nii.gz",
    "none.nii",
    "short.nii",
  ]);
  expect(messages["cut.nii"]).toMatch(/length .*expected 400 bytes or more, found 399/);
  expect(messages["gzip.nii.gz"]).toMatch(/gzip stream|length/);
  expect(messages["none.nii"]).toMatch(/dim\[2\] .*expected 1 or more, found 0/);
  expect(messages["bits.nii"]).toContain("NIfTI data type 1 is not taken");
  expect(messages["short.nii"]).toMatch(/length .*found 7/);
  expect(readdirSync(join(cwd, "bad-out"))).toEqual(["good.b2nd"]);
});

it("refuses two files that would be packed into one, before it begins", () => {
  const folder = folderWith("twins", { "a.npy": npy(Int32Array.of(1)), "a.nii": Buffer.alloc(0) });
  const { status, stderr } = runCli(["pack-all", folder, "twins-out"], { cwd });
  expect([status, stderr]).toEqual([2, expect.stringContaining("a.nii and a.npy would both be packed into")]);
  expect(readdirSync(cwd)).not.toContain("twins-out");
});

it("takes raw files on request, with the bytes that pack writes", () => {
  const folder = folderWith("raws", { "x.raw": Buffer.alloc(4000, "abcd") });
  runGood(["pack-all", folder, "raws-out", "--raw", ".raw", "--typesize", "4", "--codec", "zstd"], { cwd });
  runGood(["pack", "raws/x.raw", "alone", "--typesize", "4", "--codec", "zstd"], { cwd });
  expect(readFileSync(join(cwd, "raws-out/x.b2frame")).equals(readFileSync(join(cwd, "alone")))).toBe(true);
});
