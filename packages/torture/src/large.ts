/** `pnpm torture large`: frames past 2 GiB and 4 GiB, written and read by b2frame and by C-Blosc2 in turn. @module */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { SChunk } from "@b2frame/core";
import { type IoName, makeBackend } from "./backends.js";
import { changeFrame, contentOf, requireContents, writeFrameFarIn, writeLargeFrame } from "./large-frame.js";
import { PythonChecker } from "./python-checker.js";
import type { Tally } from "./tally.js";

const GIB = 2 ** 30;
const IO_NAMES: readonly IoName[] = ["stdio", "mmap"];

/** Runs each exchange through each backend. */
export async function exchangeLarge(tally: Tally): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "b2frame-large-"));
  const checker = new PythonChecker();
  const path = join(folder, "large.b2frame");
  try {
    for (const io of IO_NAMES) {
      await tally.attemptAsync(`${io}: chunks apart by gigabytes`, () => exchangeFarApart(path, io, checker));
      rmSync(path, { force: true });
      for (const position of [2 * GIB + 12_345, 5 * GIB]) {
        await tally.attemptAsync(`${io}: a frame at ${position}`, () => exchangeFarIn(path, position, io, checker));
        rmSync(path, { force: true });
      }
    }
  } finally {
    checker.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function requireSame(checker: PythonChecker, path: string, seeds: readonly number[], offset = 0): Promise<void> {
  const expected = seeds.map((seed) => crc32(contentOf(seed))).join();
  for (const mapped of [false, true]) {
    const { parts } = await checker.read(path, "contiguous", { offset, mapped });
    if (parts.join() !== expected) {
      throw new Error(`C-Blosc2 (${mapped ? "mapped" : "read"}): chunks ${parts.join()}, expected ${expected}`);
    }
  }
}

async function exchangeFarApart(path: string, io: IoName, checker: PythonChecker): Promise<void> {
  const backend = makeBackend(io);
  const seeds = writeLargeFrame(path);
  requireContents(path, backend, 0, seeds);
  await requireSame(checker, path, seeds);
  const changed = changeFrame(path, backend, 0, seeds);
  requireContents(path, backend, 0, changed);
  await requireSame(checker, path, changed);
  const crc = await checker.append(path, 5, contentOf(1).byteLength);
  using frame = SChunk.open(path, backend);
  const last = crc32(frame.decompressChunk(frame.nchunks - 1));
  if (frame.nchunks !== changed.length + 1 || last !== crc)
    throw new Error("the chunk that C-Blosc2 appended is another");
}

async function exchangeFarIn(path: string, position: number, io: IoName, checker: PythonChecker): Promise<void> {
  const backend = makeBackend(io);
  const seeds = writeFrameFarIn(path, backend, position);
  await requireSame(checker, path, seeds, position);
  const changed = changeFrame(path, backend, position, seeds);
  requireContents(path, backend, position, changed);
  await requireSame(checker, path, changed, position);
}
