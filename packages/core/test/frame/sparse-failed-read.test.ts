/** Reads that fail in the middle of a change to a sparse frame: the close that follows commits nothing that lacks a chunk. */
import { describe, expect, it } from "vitest";
import { IoError } from "../../src/errors.js";
import type { IoBackend } from "../../src/io/backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";
import { directoryBackend } from "./directory-backend.js";

const PATH = "s.b2frame";
const CHUNK = 40;

function bytes(value: number): Uint8Array {
  return Uint8Array.from({ length: CHUNK }, (_, i) => (value * 31 + i * 7 + 1) & 255);
}

/** Fails the read `failAt`, counted from 1 once `armed` is set; `reads` is how many there were. */
interface FailingReads {
  failAt: number;
  armed: boolean;
  reads: number;
}

function failingReads(inner: IoBackend, plan: FailingReads): IoBackend {
  const count = (): void => {
    if (plan.armed && ++plan.reads === plan.failAt) {
      throw new IoError("BLOSC2_IO_FAILED", "injected", { operation: "read", errno: "EIO" });
    }
  };
  return {
    ...inner,
    open(path, mode) {
      const handle = inner.open(path, mode);
      return {
        size: () => handle.size(),
        read(position, length) {
          count();
          return handle.read(position, length);
        },
        readInto(position, target) {
          count();
          handle.readInto(position, target);
        },
        write: (position, data) => handle.write(position, data),
        truncate: (size) => handle.truncate(size),
        flush: () => handle.flush(),
        close: () => handle.close(),
      };
    },
  };
}

type Change = (s: SChunk) => void;

/** Each with the chunks that it leaves of three. */
const CHANGES: readonly (readonly [string, Change, readonly number[]])[] = [
  ["an update", (s) => s.updateData(1, bytes(7)), [0, 7, 2]],
  ["an update by zeros", (s) => s.updateData(1, new Uint8Array(CHUNK)), [0, -1, 2]],
  ["an insertion", (s) => s.insertData(1, bytes(7)), [0, 7, 1, 2]],
  ["a deletion", (s) => s.deleteChunk(1), [0, 2]],
];

function contentOf(values: readonly number[]): Uint8Array[] {
  return values.map((value) => (value < 0 ? new Uint8Array(CHUNK) : bytes(value)));
}

/** Commits three chunks, makes a change in which a read fails, closes, and returns what the frame holds then. */
function changeWithFailure(
  before: Change,
  change: Change,
  plan: FailingReads,
): { failed: boolean; chunks: Uint8Array[] } {
  const inner = directoryBackend();
  const create = { urlpath: PATH, io: inner, contiguous: false, typesize: 1, cparams: { clevel: 0 } } as const;
  {
    using s = SChunk.create(create);
    for (let i = 0; i < 3; i++) s.appendData(bytes(i));
  }
  const s = SChunk.open(PATH, failingReads(inner, plan), { mode: "r+" });
  before(s);
  plan.armed = true;
  let failed = false;
  try {
    change(s);
  } catch {
    failed = true;
  }
  plan.armed = false;
  s.close();
  expect(verifyFrame(PATH, inner).problems).toEqual([]);
  using reader = SChunk.open(PATH, inner);
  return { failed, chunks: [...reader.iterChunks()] };
}

/** With whether an insertion still reads: the index file is looked at before the first change after a commit. */
const PREPARATIONS: readonly (readonly [string, Change, boolean])[] = [
  ["right after a commit", () => {}, true],
  ["after an update that no commit knows of", (s) => s.updateData(1, bytes(1)), false],
];

describe.each(PREPARATIONS)("%s", (_, before, insertionReads) => {
  const changes = CHANGES.filter(([name]) => insertionReads || name !== "an insertion");
  it.each(changes)("%s in which a read fails changes nothing", (_name, change, after) => {
    let failures = 0;
    for (let failAt = 1; ; failAt++) {
      const plan = { failAt, armed: false, reads: 0 };
      const { failed, chunks } = changeWithFailure(before, change, plan);
      expect(chunks).toEqual(contentOf(failed ? [0, 1, 2] : after));
      if (plan.reads < failAt) break;
      failures++;
    }
    expect(failures).toBeGreaterThan(0);
  });
});
