import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type Blosc2Error, type Blosc2ErrorCode, isBlosc2Error, type OpenMode } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { type MmapOptions, mappingDrivers, mmap } from "../src/index.js";
import { loadKoffiDriver } from "../src/koffi-driver.js";
import { loadMmapIoDriver } from "../src/mmap-io-driver.js";
import { selectDrivers } from "../src/select-drivers.js";
import { AVAILABLE } from "./drivers.js";

const files = temporaryFiles();

function failure(body: () => unknown, code: Blosc2ErrorCode): Blosc2Error {
  try {
    body();
  } catch (error) {
    if (isBlosc2Error(error, code)) return error;
    throw error;
  }
  throw new Error(`expected ${code}, nothing was thrown`);
}

describe("drivers", () => {
  const missing = (name: string) => () => ({ driver: undefined, reason: `${name}: no such package` });

  it("auto takes koffi, else mmap-io", () => {
    const status = mappingDrivers();
    expect(status[0]).toEqual({ name: "koffi", available: true });
    expect(status.map((driver) => driver.name)).toEqual(["koffi", "mmap-io"]);
    for (const { available, reason } of status) expect(reason === undefined).toBe(available);
    expect(mmap().driver).toBe(AVAILABLE[0]);
    const others = selectDrivers("auto", { koffi: missing("koffi"), "mmap-io": loadKoffiDriver });
    expect(others).toHaveLength(1);
  });

  it("without any, both reasons and stdio are named", () => {
    const error = failure(
      () => selectDrivers("auto", { koffi: missing("koffi"), "mmap-io": missing("mmap-io") }),
      "BLOSC2_UNSUPPORTED_BACKEND",
    );
    expect(error.message).toMatch(/koffi: no such package; mmap-io: no such package.*stdio/);
  });

  it("one that was asked for by name is not replaced in silence", () => {
    for (const name of ["koffi", "mmap-io"] as const) {
      const loaders = { koffi: loadKoffiDriver, "mmap-io": loadMmapIoDriver, [name]: missing(name) };
      const error = failure(() => selectDrivers(name, loaders), "BLOSC2_UNSUPPORTED_BACKEND");
      expect(error.message).toContain(`${name}: no such package`);
    }
    for (const { name, available, reason } of mappingDrivers()) {
      if (available) expect(mmap({ driver: name }).driver).toBe(name);
      else expect(failure(() => mmap({ driver: name }), "BLOSC2_UNSUPPORTED_BACKEND").message).toContain(reason);
    }
  });
});

describe("options", () => {
  it.each([
    { initialMappingSize: 0 },
    { initialMappingSize: 1.5 },
    { initialMappingSize: 2 ** 48 },
    { windowSize: 0 },
    { windowSize: 2 ** 30 + 1 },
    { windowSize: Number.NaN },
    { maxMaps: 0 },
    { driver: "libc" },
    { writes: "both" },
    { advice: "fast" },
    { onDiagnostic: 5 },
  ] as unknown as MmapOptions[])("%o is refused by name", (options) => {
    const error = failure(() => mmap(options), "BLOSC2_ARGUMENT_INVALID");
    expect(error.details.parameter).toBe(Object.keys(options)[0]);
  });

  it.each(["normal", "sequential", "random", "willneed"] as const)("advice %s is taken", (advice) => {
    for (const driver of AVAILABLE) {
      const path = files.path();
      writeFileSync(path, "0123456789");
      const handle = openChecked(
        mmap({ driver, advice, onDiagnostic: ({ reason }) => expect.unreachable(reason) }),
        path,
        "r",
      );
      expect(Buffer.from(handle.read(3, 4)).toString()).toBe("3456");
      handle.close();
    }
  });

  it("are copied: changing them later changes nothing", () => {
    const options = { windowSize: 2 ** 20, maxMaps: 100, driver: AVAILABLE[0]! };
    const backend = mmap(options);
    const path = files.path();
    writeFileSync(path, new Uint8Array(100_000).fill(7));
    const handle = openChecked(backend, path, "r");
    Object.assign(options, { windowSize: -5, maxMaps: 0, driver: "none" });
    expect(handle.read(50_000, 10)).toEqual(new Uint8Array(10).fill(7));
    openChecked(backend, path, "r+").close();
    handle.close();
  });
});

describe("what can't be mapped", () => {
  it.each(["r", "r+", "w+", "c"] as OpenMode[])(
    "a directory (a sparse frame) in mode %s: refused by name, with what works",
    (mode) => {
      const path = files.path();
      mkdirSync(path);
      writeFileSync(`${path}/chunks.b2frame`, "x");
      const error = failure(() => openChecked(mmap(), path, mode), "BLOSC2_UNSUPPORTED_BACKEND");
      expect(error.message).toContain(path);
      expect(error.message).toMatch(/sparse frame.*stdio/);
      expect(readFileSync(`${path}/chunks.b2frame`, "utf8")).toBe("x");
    },
  );

  it("what is no regular file", () => {
    expect(failure(() => mmap().open("/dev/null", "r"), "BLOSC2_UNSUPPORTED_BACKEND").message).toContain("/dev/null");
  });

  it("leaves no descriptor behind", () => {
    const path = files.path();
    mkdirSync(path);
    const before = readdirSync("/proc/self/fd").length;
    for (let i = 0; i < 20; i++) failure(() => openChecked(mmap(), path, "r"), "BLOSC2_UNSUPPORTED_BACKEND");
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});

describe.each(AVAILABLE)("%s: a file that may only be read", (driver) => {
  it("is not touched by five handles that read and close", () => {
    const path = files.path();
    writeFileSync(path, new Uint8Array(20_000).fill(3), { mode: 0o444 });
    const before = statSync(path, { bigint: true });
    const backend = mmap({ driver });
    const handles = Array.from({ length: 5 }, () => openChecked(backend, path, "r"));
    for (const handle of handles) expect(handle.read(10_000, 5)).toEqual(new Uint8Array(5).fill(3));
    for (const handle of handles) {
      failure(() => handle.write(0, Uint8Array.of(1)), "BLOSC2_IO_READ_ONLY");
      failure(() => handle.truncate(0), "BLOSC2_IO_READ_ONLY");
      handle.flush();
      handle.close();
    }
    const after = statSync(path, { bigint: true });
    expect([after.mtimeNs, after.ctimeNs, after.size]).toEqual([before.mtimeNs, before.ctimeNs, before.size]);
    expect(readFileSync(path)).toEqual(Buffer.alloc(20_000, 3));
  });
});

describe("diagnostics", () => {
  it("are told once and kept", async () => {
    // The maps of the tests before are gone after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const told: string[] = [];
    const backend = mmap({ maxMaps: 1, onDiagnostic: ({ kind }) => told.push(kind) });
    const path = files.path();
    writeFileSync(path, new Uint8Array(10_000).fill(1));
    // As many handles as every driver together has maps, and some more.
    const handles = Array.from({ length: 6 }, () => openChecked(backend, path, "r"));
    for (let round = 0; round < 2; round++) {
      for (const handle of handles) expect(handle.read(100, 10)).toEqual(new Uint8Array(10).fill(1));
    }
    for (const handle of handles) handle.close();
    expect(told).toEqual(AVAILABLE.length > 1 ? ["other-driver", "positioned-io"] : ["positioned-io"]);
    expect(backend.diagnostics.map(({ kind }) => kind)).toEqual(told);
  });
});
