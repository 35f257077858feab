import { readFileSync, writeFileSync } from "node:fs";
import { SChunk } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { temporaryFiles } from "@b2frame/test-kit";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createHandleBudget, DEFAULT_BUFFER_SIZE, handleBudgetState, MAX_BUFFER_SIZE, stdio } from "../src/index.js";
import { countedCalls } from "./counted-calls.js";
import { expectBytes } from "./expect-bytes.js";

const makePath = temporaryFiles().path;
const KIB = 1024;

function fileOf(byteLength: number): { path: string; bytes: Uint8Array } {
  const bytes = Uint8Array.from({ length: byteLength }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
  const path = makePath();
  writeFileSync(path, bytes);
  return { path, bytes };
}

describe("write buffer", () => {
  it.each([
    [0, 2000],
    [4 * KIB, 24],
    [32 * KIB, 3],
    [128 * KIB, 1],
  ])("of %i bytes: 2,000 writes of 48 bytes are %i system calls", (writeBufferSize, expected) => {
    const { calls, counts } = countedCalls();
    const path = makePath();
    const handle = stdio({ writeBufferSize, fs: calls }).open(path, "w+");
    for (let i = 0; i < 2000; i++) handle.write(i * 48, new Uint8Array(48).fill(i & 0xff));
    handle.close();
    expect(counts.writeSync).toBe(expected);
    expectBytes(
      new Uint8Array(readFileSync(path)),
      Uint8Array.from({ length: 96_000 }, (_, i) => Math.floor(i / 48)),
    );
  });

  it("is passed by writes as large, which keep their place in the order", () => {
    const { calls, counts } = countedCalls();
    const path = makePath();
    const handle = stdio({ writeBufferSize: 100, fs: calls }).open(path, "w+");
    handle.write(0, new Uint8Array(10).fill(1));
    handle.write(5, new Uint8Array(100).fill(2));
    expect(counts.writeSync).toBe(2);
    handle.write(0, new Uint8Array(10).fill(3));
    handle.close();
    expectBytes(
      new Uint8Array(readFileSync(path)),
      Uint8Array.from({ length: 105 }, (_, i) => (i < 10 ? 3 : 2)),
    );
  });

  it("is handed to the system by drain, which does not wait for the disk", () => {
    const { calls, counts } = countedCalls();
    const path = makePath();
    const handle = stdio({ fs: calls }).open(path, "w+");
    handle.write(0, new Uint8Array(10).fill(1));
    expect(readFileSync(path).byteLength).toBe(0);
    handle.drain?.();
    expectBytes(new Uint8Array(readFileSync(path)), new Uint8Array(10).fill(1));
    expect([counts.writeSync, counts.fdatasyncSync, counts.fsyncSync]).toEqual([1, undefined, undefined]);
    handle.close();
  });

  it("keeps nothing of a commit back, and lets the disk wait, with durability process", () => {
    const { calls, counts } = countedCalls();
    const path = makePath();
    const data = Uint8Array.from({ length: 100 }, (_, i) => i);
    const out = SChunk.create({ urlpath: path, io: stdio({ fs: calls }), durability: "process" });
    for (let i = 0; i < 3; i++) {
      out.appendData(data);
      out.flush();
      using reader = SChunk.fromCframe(new Uint8Array(readFileSync(path)));
      expect(reader.nchunks).toBe(i + 1);
    }
    out.compact();
    out.close();
    expect([counts.fdatasyncSync, counts.fsyncSync]).toEqual([undefined, undefined]);
  });

  it("is brought to the disk from every 8 MiB of chunks on, off the thread, and flushed by the commit all the same", async () => {
    const { calls, counts } = countedCalls();
    const path = makePath();
    const memory = createHandleBudget(8);
    const backend = stdio({ fs: calls, handleBudget: memory });
    const out = SChunk.create({ urlpath: path, io: backend, cparams: { clevel: 0 } });
    const before = counts.fdatasyncSync ?? 0;
    for (let i = 0; i < 9; i++) out.appendData(new Uint8Array(2 ** 20));
    expect([counts.fdatasync, counts.fdatasyncSync]).toEqual([1, before]);
    expect(handleBudgetState(memory).held).toBe(2);
    out.close();
    expect(counts.fdatasyncSync).toBeGreaterThan(before);
    await vi.waitFor(() => expect(handleBudgetState(memory).held).toBe(0));
    expect(counts.closeSync).toBe(counts.openSync);
  });

  it("stays within the budget of held files, which the disk is not told past", () => {
    const { calls, counts } = countedCalls();
    const out = SChunk.create({
      urlpath: makePath(),
      io: stdio({ fs: calls, handleBudget: createHandleBudget(1) }),
      cparams: { clevel: 0 },
    });
    for (let i = 0; i < 9; i++) out.appendData(new Uint8Array(2 ** 20));
    out.close();
    expect(counts.fdatasync).toBe(undefined);
  });

  it("a header rewritten and a chunk appended in one go are few calls", () => {
    const { calls, counts } = countedCalls();
    const handle = stdio({ fs: calls }).open(makePath(), "w+");
    for (let i = 0; i < 10; i++) handle.write(0, new Uint8Array(87).fill(i));
    for (let i = 0; i < 10; i++) handle.write(87 + i * 100, new Uint8Array(100));
    handle.flush();
    expect(counts.writeSync).toBe(1);
    expect(counts.fdatasyncSync).toBe(1);
    handle.close();
  });

  it("property: files are the same whatever the sizes, and reads see what is pending", () => {
    const operation = fc.record({
      position: fc.nat(400),
      length: fc.integer({ min: 1, max: 300 }),
      byte: fc.nat(255),
      read: fc.boolean(),
    });
    const sizes = fc.constantFrom(0, 1, 2, 16, 77, 128, 1000, DEFAULT_BUFFER_SIZE);
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 30 }),
        sizes,
        sizes,
        (operations, readBufferSize, writeBufferSize) => {
          const path = makePath();
          const handle = openChecked(stdio({ readBufferSize, writeBufferSize }), path, "w+");
          let model = new Uint8Array(0);
          for (const { position, length, byte, read } of operations) {
            if (read) {
              const stop = Math.min(model.byteLength, position + length);
              if (stop > position) expectBytes(handle.read(position, stop - position), model.subarray(position, stop));
              continue;
            }
            handle.write(position, new Uint8Array(length).fill(byte));
            const longer = new Uint8Array(Math.max(model.byteLength, position + length));
            longer.set(model);
            longer.fill(byte, position, position + length);
            model = longer;
            expect(handle.size()).toBe(model.byteLength);
          }
          handle.close();
          expectBytes(new Uint8Array(readFileSync(path)), model);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("read buffer", () => {
  it("serves small reads that follow each other from few calls", () => {
    const { path, bytes } = fileOf(96_000);
    const { calls, counts } = countedCalls();
    const handle = stdio({ fs: calls }).open(path, "r");
    for (let i = 0; i < 2000; i++) expectBytes(handle.read(i * 48, 48), bytes.subarray(i * 48, i * 48 + 48));
    expect(counts.readSync).toBeLessThanOrEqual(4);
    handle.close();
  });

  it("is passed by reads as large: each is one call into the caller's memory", () => {
    const { path, bytes } = fileOf(200 * KIB);
    const { calls, counts } = countedCalls();
    const handle = stdio({ fs: calls }).open(path, "r");
    const target = new Uint8Array(64 * KIB);
    handle.readInto(5, target);
    expectBytes(target, bytes.subarray(5, 5 + 64 * KIB));
    expectBytes(handle.read(32 * KIB, 32 * KIB), bytes.subarray(32 * KIB, 64 * KIB));
    expect(counts.readSync).toBe(2);
    handle.close();
  });

  it("large reads use one buffer again and again", () => {
    const { path } = fileOf(500 * KIB);
    const handle = stdio().open(path, "r");
    const first = handle.read(0, 200 * KIB);
    const second = handle.read(100 * KIB, 150 * KIB);
    expect(second.buffer).toBe(first.buffer);
    handle.close();
  });

  it("takes little along for a small read between reads as large, and gives what it took", () => {
    const { path, bytes } = fileOf(400 * KIB);
    const { calls } = countedCalls();
    let read = 0;
    const counting = new Proxy(calls, {
      get: (target, name: keyof typeof calls) =>
        name !== "readSync"
          ? target[name]
          : (...args: Parameters<typeof calls.readSync>) => {
              const count = target.readSync(...args);
              read += count;
              return count;
            },
    });
    const handle = stdio({ fs: counting }).open(path, "r");
    // As chunks are read: a header, then what follows it.
    for (let at = 0; at < 400 * KIB; at += 40 * KIB) {
      expectBytes(handle.read(at, 512), bytes.subarray(at, at + 512));
      const target = new Uint8Array(40 * KIB - 36);
      handle.readInto(at + 36, target);
      expectBytes(target, bytes.subarray(at + 36, at + 40 * KIB));
    }
    handle.close();
    expect(read).toBe(400 * KIB);
  });

  it("scattered small reads do not fetch the whole buffer each", () => {
    const { path } = fileOf(2048 * KIB);
    let fetched = 0;
    const { calls } = countedCalls();
    const fs = {
      ...calls,
      openSync: calls.openSync,
      closeSync: calls.closeSync,
      fstatSync: calls.fstatSync,
      readSync: ((fd: number, target: Uint8Array, offset: number, length: number, position: number) => {
        fetched += length;
        return calls.readSync(fd, target, offset, length, position);
      }) as typeof calls.readSync,
    };
    const handle = stdio({ fs }).open(path, "r");
    for (let i = 0; i < 20; i++) handle.read(((i * 7) % 20) * 100 * KIB + 7, 32);
    expect(fetched).toBeLessThanOrEqual(20 * 4 * KIB + DEFAULT_BUFFER_SIZE);
    handle.close();
  });

  it("no length is allocated that the file does not have", () => {
    const { path } = fileOf(10);
    const handle = stdio().open(path, "r");
    expect(() => handle.read(0, 2 ** 52)).toThrow(expect.objectContaining({ code: "BLOSC2_IO_SHORT_READ" }));
    handle.close();
  });

  it("size() forgets what was read ahead, so that a grown or changed file is seen", () => {
    const { path, bytes } = fileOf(100);
    const handle = stdio().open(path, "r");
    expectBytes(handle.read(0, 10), bytes.subarray(0, 10));
    writeFileSync(path, new Uint8Array(150).fill(9), { flag: "r+" });
    expect(handle.size()).toBe(150);
    expectBytes(handle.read(0, 150), new Uint8Array(150).fill(9));
    handle.close();
  });
});

describe("options", () => {
  it.each([-1, 0.5, Number.NaN, MAX_BUFFER_SIZE + 1, Number.POSITIVE_INFINITY, "32768" as unknown as number])(
    "a buffer of %s bytes is refused",
    (size) => {
      const invalid = expect.objectContaining({ code: "BLOSC2_ARGUMENT_INVALID" });
      expect(() => stdio({ readBufferSize: size })).toThrow(invalid);
      expect(() => stdio({ writeBufferSize: size })).toThrow(invalid);
    },
  );

  it("B41: changing the options object later changes nothing", () => {
    const { calls, counts } = countedCalls();
    const options = { readBufferSize: 0, writeBufferSize: 0, fs: calls };
    const backend = stdio(options);
    const path = makePath();
    options.writeBufferSize = 1000;
    options.readBufferSize = 1000;
    const handle = backend.open(path, "w+");
    Object.assign(options, { fs: undefined, writeBufferSize: 500 });
    handle.write(0, Uint8Array.of(1));
    handle.write(1, Uint8Array.of(2));
    handle.read(0, 1);
    handle.read(1, 1);
    handle.close();
    expect(counts.writeSync).toBe(2);
    expect(counts.readSync).toBe(2);
  });
});
