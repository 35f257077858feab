/** Remote frames, local files and workers in a real Chromium. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asarray, type ChunkPlacement } from "@b2frame/core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "../../../scripts/release/find-chromium.mjs";
import { PageServer } from "./page-server.js";

const SHAPE = [64, 64, 64];
/** Sums below tell whether items are where they belong. */
const values = Int32Array.from({ length: 64 ** 3 }, (_, i) => Math.imul(i, 2654435761) >> 8);
const array = asarray(values, { shape: SHAPE, chunks: [32, 32, 32], blocks: [16, 16, 16] });
const frame = array.toCframe();
/** A file of 2.5 GiB that takes next to no disk: the frame stands behind a hole. */
const LARGE = 2.5 * 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), "b2frame-page-"));
const largePath = join(folder, "large.bin");
let server: PageServer;
let browser: Browser;
let page: Page;
let url: string;
const reported: string[] = [];

/** The crop [10:30, 20:40, 5:50] by arithmetic. */
function cropOf(): number[] {
  const crop: number[] = [];
  for (let z = 10; z < 30; z++) {
    for (let y = 20; y < 40; y++) for (let x = 5; x < 50; x++) crop.push(values[(z * 64 + y) * 64 + x] as number);
  }
  return crop;
}

beforeAll(async () => {
  const file = openSync(largePath, "w");
  ftruncateSync(file, LARGE);
  writeSync(file, frame, 0, frame.byteLength, LARGE);
  closeSync(file);
  server = await PageServer.start(join(folder, "page"));
  url = server.put("volume.b2nd", frame);
  // Chromium has no sandbox for root.
  browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await page?.context().close();
  page = await (await browser.newContext()).newPage();
  reported.length = 0;
  page.on("pageerror", (error) => reported.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) reported.push(message.text());
  });
  await page.goto(server.address);
  await page.waitForFunction(() => "b2frame" in globalThis);
});

describe("behind a URL", () => {
  it.each([0, 2])("an array is read by the blocks that a crop touches, decoded by %i workers", async (workers) => {
    server.ranges.length = 0;
    const found = await page.evaluate(
      async ([address, count]) => {
        const pool = count === 0 ? undefined : new b2frame.DecodePool({ workers: count });
        const array = await b2frame.openRemoteArray(address, { pool });
        const crop = await array.getSlice([10, 20, 5], [30, 40, 50]);
        const { requests } = array.stats;
        await array.getSlice([10, 20, 5], [30, 40, 50]);
        const again = array.stats.requests;
        array.close();
        await pool?.close();
        return { shape: [...crop.shape], data: [...(crop.data as Int32Array)], requests, again };
      },
      [url, workers] as const,
    );
    expect(found.shape).toEqual([20, 20, 45]);
    expect(found.data).toEqual(cropOf());
    expect(found.again).toBe(found.requests);
    expect(server.ranges.length).toBe(found.requests);
    expect(reported).toEqual([]);
  });

  it("workers decode while the page stays free", async () => {
    const { sum, turns } = await page.evaluate(async (address) => {
      const pool = new b2frame.DecodePool({ workers: 2 });
      await pool.ready();
      const array = await b2frame.openRemoteArray(address, { pool });
      let events = 0;
      const timer = setInterval(() => events++, 0);
      let total = 0;
      for (let i = 0; i < 5; i++) {
        for await (const { items } of array.iterChunks()) for (const item of items.data as Int32Array) total += item;
      }
      clearInterval(timer);
      array.close();
      await pool.close();
      return { sum: total, turns: events };
    }, url);
    expect(sum).toBe(5 * values.reduce((all, value) => all + value, 0));
    expect(turns).toBeGreaterThan(0);
  });

  it("errors keep their class and name in a minified page, from workers as well", async () => {
    const damaged = frame.slice();
    const { headerLength, offsets } = array.schunk.placement as ChunkPlacement;
    // The uncompressed size (nbytes) of the first chunk, which follows the frame's header.
    const at = headerLength + (offsets[0] as number) + 4;
    damaged.fill(0x7f, at, at + 4);
    const names = await page.evaluate(
      async (address) => {
        const pool = new b2frame.DecodePool({ workers: 1 });
        const found: unknown[] = [];
        for (const options of [{}, { pool }]) {
          const array = await b2frame.openRemoteArray(address, options);
          found.push(await array.get([0]).catch((error: Error) => [error.name, error instanceof b2frame.FormatError]));
        }
        return found;
      },
      server.put("damaged.b2nd", damaged),
    );
    expect(names).toEqual([
      ["FormatError", true],
      ["FormatError", true],
    ]);
  });

  it("a pool whose script can't be loaded says so, and what of", async () => {
    const message = await page.evaluate(async (address) => {
      const start = (): Worker => new Worker("/nowhere.js", { type: "module" });
      const pool = new b2frame.DecodePool({ workers: 1, start });
      const array = await b2frame.openRemoteArray(address, { pool });
      return await array.get([0]).then(
        () => "read",
        (error: Error) => error.message,
      );
    }, url);
    expect(message).toContain("a decoding worker failed: its script could not be loaded");
  });

  it("rows stream into a file of the origin's private file system, and back into an array", async () => {
    const same = await page.evaluate(async (address) => {
      const array = await b2frame.openRemoteArray(address);
      const root = await navigator.storage.getDirectory();
      const handle = await root.getFileHandle("rows.raw", { create: true });
      await array.toReadable().pipeTo(await handle.createWritable());
      const rows = (await handle.getFile()).stream();
      const copy = b2frame.asarray(new Int32Array(0), { shape: [0, 64, 64] });
      const count = await copy.appendFrom(rows);
      const [a, b] = [(await array.get()).data as Int32Array, copy.get().data as Int32Array];
      return count === 64 && a.every((item, i) => item === b[i]);
    }, url);
    expect(same).toBe(true);
  });
});

describe("a local file", () => {
  it("of 2.5 GiB that a person picked is read only where it is asked", async () => {
    expect(statSync(largePath).size).toBe(LARGE + frame.byteLength);
    await page.getByLabel("file").setInputFiles(largePath);
    const found = await page.evaluate(
      async ([offset]) => {
        const file = document.querySelector("input")?.files?.[0];
        if (file === undefined) throw new Error("no file");
        let asked = 0;
        let most = 0;
        const slice = Blob.prototype.slice;
        Blob.prototype.slice = function (start = 0, end = this.size, type) {
          asked += end - start;
          most = Math.max(most, end);
          return slice.call(this, start, end, type);
        };
        const array = await b2frame.openRemoteArray(file, { offset });
        const crop = await array.getSlice([10, 20, 5], [30, 40, 50]);
        Blob.prototype.slice = slice;
        return {
          data: [...(crop.data as Int32Array)],
          asked,
          most,
          fetched: array.stats.bytesFetched,
          size: file.size,
        };
      },
      [LARGE] as const,
    );
    expect(found.size).toBe(LARGE + frame.byteLength);
    expect(found.data).toEqual(cropOf());
    // The head, the index, and blocks of the frame: nothing of the 2.5 GiB before it.
    expect(found.asked).toBeLessThanOrEqual(frame.byteLength + 16 * 1024);
    expect(found.fetched).toBeLessThanOrEqual(frame.byteLength);
    expect(found.most).toBeGreaterThan(LARGE);
  });

  it("as a Blob, a File and a FileSystemFileHandle gives the same, with and without workers", async () => {
    const sums = await page.evaluate(
      async (address) => {
        const bytes = await (await fetch(address)).arrayBuffer();
        const root = await navigator.storage.getDirectory();
        const handle = await root.getFileHandle("volume.b2nd", { create: true });
        const writable = await handle.createWritable();
        await writable.write(bytes);
        await writable.close();
        const pool = new b2frame.DecodePool({ workers: 1 });
        const found: number[] = [];
        for (const place of [new Blob([bytes]), new File([bytes], "volume.b2nd"), handle]) {
          for (const options of [{}, { pool }]) {
            const array = await b2frame.openRemoteArray(place, options);
            const { data } = await array.get([63]);
            found.push((data as Int32Array).reduce((all, item) => all + item, 0));
            array.close();
          }
        }
        await pool.close();
        return found;
      },
      server.put("whole.b2nd", frame),
    );
    const expected = values.subarray(63 * 64 * 64).reduce((all, value) => all + value, 0);
    expect(sums).toEqual(Array.from({ length: 6 }, () => expected));
  });

  it("that was changed since it was picked is refused by name", async () => {
    const path = join(folder, "changing.b2nd");
    const write = (bytes: Uint8Array): void => {
      const file = openSync(path, "w");
      writeSync(file, bytes);
      closeSync(file);
    };
    write(frame);
    await page.getByLabel("file").setInputFiles(path);
    await page.evaluate(async () => {
      const file = document.querySelector("input")?.files?.[0] as File;
      Object.assign(globalThis, { picked: await b2frame.openRemoteArray(file) });
    });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    write(frame.subarray(0, 1000));
    const code = await page.evaluate(() =>
      (globalThis as unknown as { picked: Awaited<ReturnType<typeof b2frame.openRemoteArray>> }).picked.get().then(
        () => "read",
        (error: { code: string }) => error.code,
      ),
    );
    expect(code).toBe("BLOSC2_IO_STALE");
  });
});
