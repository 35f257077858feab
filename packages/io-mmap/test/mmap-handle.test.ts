import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { isBlosc2Error } from "@b2frame/core";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { KoffiDriver, loadKoffiDriver } from "../src/koffi-driver.js";
import type { WindowPlan } from "../src/mapped-windows.js";
import type { Mapping, MappingDriver, MappingLimits } from "../src/mapping-driver.js";
import type { MmapDiagnostic } from "../src/mmap-diagnostic.js";
import { MmapHandle } from "../src/mmap-handle.js";
import { loadMmapIoDriver } from "../src/mmap-io-driver.js";

const files = temporaryFiles();
const PAGE = 4096;
const GIB = 2 ** 30;

function loaded(load: () => { readonly driver: MappingDriver | undefined }): MappingDriver[] {
  const { driver } = load();
  return driver === undefined ? [] : [driver];
}

const koffi = loaded(loadKoffiDriver);
const mmapIo = loaded(loadMmapIoDriver);
const available = [...koffi, ...mmapIo];

/** A driver that fails to map when it is told to, and counts its maps. */
class FailingDriver implements MappingDriver {
  readonly name: MappingDriver["name"];
  readonly limits: MappingLimits;
  readonly #inner: MappingDriver;
  failing = false;
  maps = 0;

  constructor(inner: MappingDriver, limits: Partial<MappingLimits> = {}) {
    this.#inner = inner;
    this.name = inner.name;
    this.limits = { ...inner.limits, ...limits };
  }

  get liveMaps(): number {
    return this.#inner.liveMaps;
  }

  map(...args: Parameters<MappingDriver["map"]>): Mapping {
    if (this.failing) throw Object.assign(new Error("ENOMEM: mmap"), { code: "ENOMEM" });
    this.maps++;
    return this.#inner.map(...args);
  }

  fileSize(descriptor: number): number {
    return this.#inner.fileSize(descriptor);
  }
}

interface OpenedHandle {
  readonly handle: MmapHandle;
  readonly diagnostics: MmapDiagnostic[];
  readonly path: string;
}

function open(
  drivers: readonly MappingDriver[],
  how: { path?: string; flags?: string; initialMappingSize?: number } & Partial<WindowPlan> = {},
): OpenedHandle {
  const { path = files.path(), flags = "w+", initialMappingSize, ...plan } = how;
  const [driver] = drivers;
  if (driver === undefined) throw new Error("no driver");
  const descriptor = openSync(path, flags);
  const diagnostics: MmapDiagnostic[] = [];
  const handle = new MmapHandle({
    path,
    descriptor,
    driver,
    initialMappingSize,
    writes: "descriptor",
    created: flags === "w+",
    plan: {
      path,
      descriptor,
      drivers,
      windowSize: GIB,
      share: "private",
      advice: undefined,
      maxMaps: 1000,
      pinned: false,
      report: (diagnostic) => diagnostics.push(diagnostic),
      ...plan,
    },
  });
  return { handle, diagnostics, path };
}

function numbered(byteLength: number, seed = 0): Uint8Array {
  return Uint8Array.from({ length: byteLength }, (_, i) => (i * 31 + seed) % 253);
}

/** Frameworks compare and print long arrays slowly. */
function expectBytes(found: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.compare(found, expected)).toBe(0);
}

describe.each(available.map((driver) => [driver.name, driver] as const))("%s: the reservation", (_name, driver) => {
  it("takes address space, not disk, and the file has its logical size while open and after close", () => {
    const { handle, path } = open([driver], { initialMappingSize: GIB });
    handle.write(0, numbered(10));
    expectBytes(handle.read(0, 10), numbered(10));
    expect(handle.mappedBytes).toBe(GIB);
    expect(handle.size()).toBe(10);
    expect(statSync(path).size).toBe(10);
    expect(statSync(path).blocks * 512).toBeLessThan(2 ** 20);
    handle.close();
    expect(readFileSync(path)).toEqual(Buffer.from(numbered(10)));
  });

  it("doubles when the file outgrows it", () => {
    const { handle } = open([driver], { initialMappingSize: PAGE });
    const seen: number[] = [];
    const expected = numbered(300_000);
    for (const end of [10, PAGE, PAGE + 1, 20_000, 100_000, 300_000]) {
      const from = handle.size();
      handle.write(from, expected.subarray(from, end));
      expectBytes(handle.read(0, end), expected.subarray(0, end));
      expect(handle.mappedBytes).toBe(handle.reserved);
      seen.push(handle.reserved / PAGE);
    }
    expect(seen).toEqual([1, 1, 2, 8, 32, 128]);
    handle.close();
  });

  it("is the file's size in mode r, and follows a file that grows", () => {
    const path = files.path();
    writeFileSync(path, numbered(10_000));
    const { handle } = open([driver], { path, flags: "r" });
    handle.read(0, 1);
    expect(handle.mappedBytes).toBe(3 * PAGE);
    const writer = openSync(path, "r+");
    writeSync(writer, numbered(10_000, 5), 0, 10_000, 10_000);
    closeSync(writer);
    expect(handle.size()).toBe(20_000);
    expectBytes(handle.read(9000, 11_000).subarray(1000), numbered(10_000, 5));
    expect(handle.mappedBytes).toBe(5 * PAGE);
    handle.close();
  });
});

describe("a map that fails", () => {
  it("leaves the old map, the size and the data as they were, and reads stay right", () => {
    const driver = new FailingDriver(available[0]!);
    const { handle, diagnostics } = open([driver], { initialMappingSize: PAGE });
    const expected = numbered(50_000);
    handle.write(0, expected.subarray(0, PAGE));
    handle.read(0, 10);
    driver.failing = true;
    handle.write(PAGE, expected.subarray(PAGE));
    expectBytes(handle.read(0, 50_000), expected);
    expect(handle.mappedBytes).toBe(PAGE);
    expect(handle.size()).toBe(50_000);
    expectBytes(handle.read(100, 50), expected.subarray(100, 150));
    expect(diagnostics).toMatchObject([{ kind: "positioned-io", position: 0 }]);
    expect(diagnostics[0]?.reason).toContain("ENOMEM");
    driver.failing = false;
    expectBytes(handle.read(0, 50_000), expected);
    expect(handle.mappedBytes).toBe(handle.reserved);
    handle.close();
  });

  it("is tried with the other driver first", () => {
    const first = new FailingDriver(available[0]!, { maxEnd: 2 * PAGE });
    const second = new FailingDriver(available.at(-1)!);
    const { handle, diagnostics } = open([first, second], { windowSize: PAGE });
    const expected = numbered(4 * PAGE);
    handle.write(0, expected);
    for (let page = 0; page < 4; page++) {
      expectBytes(handle.read(page * PAGE + 7, 50), expected.subarray(page * PAGE + 7, page * PAGE + 57));
    }
    expect([first.maps, second.maps]).toEqual([2, 2]);
    expect(diagnostics.map(({ kind, position }) => [kind, position])).toEqual([
      ["other-driver", 2 * PAGE],
      ["other-driver", 3 * PAGE],
    ]);
    handle.close();
  });
});

describe("windows", () => {
  it("give way to others of the same file when there are as many maps as may be", () => {
    const driver = new FailingDriver(available[0]!);
    const { handle, diagnostics } = open([driver], { windowSize: PAGE, maxMaps: driver.liveMaps + 2 });
    const expected = numbered(6 * PAGE);
    handle.write(0, expected);
    for (const page of [0, 1, 2, 0, 5, 4, 3, 3, 4]) {
      expectBytes(handle.read(page * PAGE, PAGE), expected.subarray(page * PAGE, (page + 1) * PAGE));
      if (driver.name === "koffi") expect(handle.mappedBytes).toBeLessThanOrEqual(2 * PAGE);
    }
    if (driver.name === "koffi") expect(diagnostics).toEqual([]);
    handle.close();
  });
});

/** 5 GiB and a little, all holes but for marks around the places where 32-bit numbers end. */
const MARKS: readonly number[] = [2 ** 30, 2 ** 31, 2.5 * GIB, 2 ** 32, 5 * GIB].map((position) => position - 500);

function largeFile(): string {
  const path = files.path();
  const descriptor = openSync(path, "w+");
  MARKS.forEach((position, i) => {
    writeSync(descriptor, numbered(1000, i + 1), 0, 1000, position);
  });
  ftruncateSync(descriptor, 5 * GIB + PAGE);
  closeSync(descriptor);
  return path;
}

describe("a file past 2 and 4 GiB", () => {
  const cases: [string, MappingDriver[], string[]][] = [];
  if (koffi.length > 0) cases.push(["koffi", koffi, []]);
  if (mmapIo.length > 0) cases.push(["mmap-io alone", mmapIo, ["positioned-io"]]);
  if (available.length > 1) cases.push(["mmap-io, helped by koffi", [...mmapIo, ...koffi], ["other-driver"]]);

  it.each(cases)("%s: right bytes at every position, and it is said how", (_name, drivers, kinds) => {
    const path = largeFile();
    try {
      const { handle, diagnostics } = open(drivers, { path, flags: "r+", initialMappingSize: GIB });
      expect(handle.size()).toBe(5 * GIB + PAGE);
      MARKS.forEach((position, i) => {
        const expected = numbered(1000, i + 1);
        // Over the border, short of it and after it.
        for (const [start, end] of [
          [0, 1000],
          [0, 500],
          [500, 1000],
        ] as const) {
          expectBytes(handle.read(position + start, end - start), expected.subarray(start, end));
          const target = new Uint8Array(end - start);
          handle.readInto(position + start, target);
          expect(target).toEqual(expected.subarray(start, end));
        }
        handle.write(position + 490, numbered(20, 99));
        expectBytes(handle.read(position + 480, 40).subarray(10, 30), numbered(20, 99));
      });
      expect([...new Set(diagnostics.map((diagnostic) => diagnostic.kind))]).toEqual(kinds);
      expect(diagnostics.every((diagnostic) => diagnostic.position >= 2 ** 31)).toBe(true);
      handle.close();
    } finally {
      rmSync(path);
    }
  });
});

describe("a runtime that forbids ArrayBuffers over foreign memory", () => {
  it("is named, and so is the backend that works there", () => {
    if (koffi.length === 0) throw new Error("koffi does not load on this machine");
    const module: typeof import("koffi") = {
      ...(createRequire(import.meta.url)("koffi") as typeof import("koffi")),
      view: () => {
        throw new Error("External buffers are not allowed");
      },
    };
    const driver = new KoffiDriver(module, { mapNoReserve: 0, msSync: 4 });
    const { handle } = open([driver], {});
    handle.write(0, numbered(10));
    let error: unknown;
    try {
      handle.read(0, 10);
    } catch (thrown) {
      error = thrown;
    }
    expect(isBlosc2Error(error, "BLOSC2_UNSUPPORTED_BACKEND")).toBe(true);
    expect(String(error)).toMatch(/Electron.*stdio/);
    expect(driver.liveMaps).toBe(0);
    handle.close();
  });
});

describe.each(available.map((driver) => [driver.name, driver] as const))("small writes, %s", (_name, driver) => {
  it("reach the file together: by drain, or before what has to see them", () => {
    const { handle, path } = open([driver]);
    const onDisk = (): number => statSync(path).size;
    handle.write(0, Uint8Array.of(1, 2, 3));
    handle.write(3, Uint8Array.of(4, 5));
    expect([onDisk(), handle.size()]).toEqual([0, 5]);
    handle.drain();
    expect([onDisk(), handle.size()]).toEqual([5, 5]);
    handle.write(5, Uint8Array.of(6));
    expect([...handle.read(1, 4)]).toEqual([2, 3, 4, 5]);
    expect(onDisk()).toBe(5);
    expect([...handle.read(4, 2)]).toEqual([5, 6]);
    expect(onDisk()).toBe(6);
    handle.write(10, Uint8Array.of(7));
    expect([...handle.read(5, 4)]).toEqual([6, 0, 0, 0]);
    expect(onDisk()).toBe(11);
    handle.write(11, new Uint8Array(2 ** 15).fill(8));
    expect(onDisk()).toBe(11 + 2 ** 15);
    handle.write(0, Uint8Array.of(9));
    handle.close();
    expect([...readFileSync(path).subarray(0, 12)]).toEqual([9, 2, 3, 4, 5, 6, 0, 0, 0, 0, 7, 8]);
  });
});
