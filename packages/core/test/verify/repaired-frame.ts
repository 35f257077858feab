/** Damaged frames and what their repair gives, for the tests of repair. @module */
import { expect } from "vitest";
import { memory } from "../../src/io/memory-backend.js";
import { SChunk } from "../../src/super-chunk/super-chunk.js";
import { type RepairOptions, type RepairReport, repairFrame } from "../../src/verify/repair-frame.js";
import { verifyFrame } from "../../src/verify/verify-frame.js";
import { sha256 } from "../frame/frame-fixtures.js";

export interface Repaired {
  readonly report: RepairReport;
  readonly chunks: string[];
  readonly frame: SChunk;
  readonly backend: ReturnType<typeof memory>;
}

/** Chunks by length and hash, so that differences can be read. */
export function hex(bytes: Uint8Array): string {
  return `${bytes.byteLength}:${sha256(bytes).slice(0, 12)}`;
}

/** Repairs the frame in `bytes`; what comes out must be sound. */
export function repaired(bytes: Uint8Array, options: RepairOptions = {}): Repaired {
  const backend = memory();
  const handle = backend.open("broken", "w+");
  handle.write(0, bytes);
  handle.close();
  const report = repairFrame("broken", backend, "whole", backend, options);
  expect(verifyFrame("whole", backend).problems).toEqual([]);
  const frame = SChunk.open("whole", backend);
  return { report, chunks: [...frame.iterChunks()].map(hex), frame, backend };
}

export function samples(seed: number, count = 300): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => (i * i * (seed + 3) + seed * 7919) % 65521);
}

/** A frame of `count` chunks; the last one is short. */
export function written(
  count: number,
  edit?: (s: SChunk) => void,
): { bytes: Uint8Array; chunks: string[]; cbytes: number } {
  const backend = memory();
  const s = SChunk.create({
    urlpath: "f",
    io: backend,
    typesize: 4,
    chunksize: 1200,
    cparams: { codec: "lz4" },
    meta: { first: Uint8Array.of(1, 2, 3), second: Uint8Array.of(0xc0) },
  });
  s.vlmeta.setValue("note", "kept");
  for (let i = 0; i < count; i++) s.appendData(samples(i, i === count - 1 ? 77 : 300));
  edit?.(s);
  s.close();
  const handle = backend.open("f", "r");
  const bytes = handle.read(0, handle.size()).slice();
  using read = SChunk.open("f", backend);
  return { bytes, chunks: [...read.iterChunks()].map(hex), cbytes: read.cbytes };
}

export function headerLength(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(11);
}

export function committedCbytes(bytes: Uint8Array): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(39));
}
