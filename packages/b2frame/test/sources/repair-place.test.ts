import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repairFrame, verifyFrame } from "@b2frame/core";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { asarray, mmap, open, SChunk, stdio } from "../../src/index.js";
import { runCli } from "../run-cli.js";

const cwd = temporaryFolder();

/** A frame of three chunks of which the second one is damaged. */
function damagedFrame(name: string): string {
  const path = join(cwd, name);
  const data = Int32Array.from({ length: 3000 }, (_, i) => i * i);
  using schunk = SChunk.create({ data, chunksize: 4000 });
  const bytes = schunk.toCframe();
  const { placement } = schunk;
  const second = (placement?.headerLength ?? 0) + (placement?.offsets[1] ?? 0);
  bytes.fill(0xff, second + 32, second + 200);
  writeFileSync(path, bytes);
  return path;
}

it("R05: repair refuses to write over its input, by any spelling or link, through every backend", () => {
  const path = damagedFrame("damaged.b2frame");
  const before = readFileSync(path);
  symlinkSync("damaged.b2frame", join(cwd, "soft"));
  linkSync(path, join(cwd, "hard"));
  mkdirSync(join(cwd, "sub"));
  for (const backend of [stdio(), mmap()]) {
    for (const name of ["damaged.b2frame", "./damaged.b2frame", "sub/../damaged.b2frame", "soft", "hard"]) {
      for (const mode of ["w", "x"] as const) {
        const repair = () => repairFrame(path, backend, `${cwd}/${name}`, backend, { mode });
        expect(repair).toThrow(expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" }));
      }
    }
  }
  expect(readFileSync(path).equals(before)).toBe(true);
});

it("R14: a repair that loses something says so with exit code 1, and its result is sound", () => {
  const path = damagedFrame("lossy.b2frame");
  expect(runCli(["repair", path, "whole.b2frame"], { cwd }).status).toBe(1);
  expect(verifyFrame(join(cwd, "whole.b2frame"), stdio()).ok).toBe(true);
});

it("R14: leaves out the description of an array that can't be one, and keeps the chunks", () => {
  const data = Int32Array.from({ length: 1000 }, (_, i) => i);
  const bytes = asarray(data, { meta: {} }).schunk.toCframe();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  text.write("<!4", text.indexOf("<i4"), "latin1");
  const path = join(cwd, "dtype.b2nd");
  writeFileSync(path, text);
  const { status } = runCli(["repair", path, "dtype-whole.b2frame"], { cwd });
  expect(status).toBe(1);
  expect(verifyFrame(join(cwd, "dtype-whole.b2frame"), stdio())).toMatchObject({ ok: true });
  using file = open(join(cwd, "dtype-whole.b2frame")) as SChunk;
  expect(file).toBeInstanceOf(SChunk);
  expect(new Int32Array(file.getSlice().slice().buffer, 0, 1000)).toEqual(data);
});

it("R14: every bit of a small frame flipped gives a sound frame or none at all", () => {
  const bytes = SChunk.create({ fill: { itemCount: 50, kind: "zeros" }, typesize: 4, chunksize: 200 }).toCframe();
  const out = join(cwd, "flipped-out");
  mkdirSync(out);
  let index = 0;
  for (let bit = 0; bit < 8 * bytes.byteLength; bit += 3) {
    const flipped = bytes.slice();
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    const path = join(cwd, "flipped.b2frame");
    writeFileSync(path, flipped);
    const target = join(out, `${index++}.b2frame`);
    try {
      repairFrame(path, stdio(), target, stdio());
    } catch (error) {
      expect(error).toHaveProperty("code");
      continue;
    }
    expect(verifyFrame(target, stdio())).toMatchObject({ ok: true });
  }
  expect(readdirSync(out).every((name) => /^\d+\.b2frame$/.test(name))).toBe(true);
});

it("R09: one flipped bit makes no chunk of data a chunk of one value", () => {
  const data = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i));
  using schunk = SChunk.create({ data, cparams: { codec: "lz4" } });
  const bytes = schunk.toCframe();
  const { placement } = schunk;
  const start = (placement?.headerLength ?? 0) + (placement?.offsets[0] ?? 0);
  for (const special of [1, 2, 4]) {
    const flipped = bytes.slice();
    flipped[start + 31] = (flipped[start + 31] as number) ^ (special << 4);
    using file = SChunk.fromCframe(flipped);
    expect(() => file.decompressChunk(0)).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_BAD_LENGTH" }));
  }
});
