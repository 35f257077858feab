/** What can end a process is tried in one of its own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { AVAILABLE } from "./drivers.js";
import { runChild } from "./run-child.js";

const files = temporaryFiles();

function fileOf(byteLength: number): string {
  const path = files.path();
  writeFileSync(
    path,
    Uint8Array.from({ length: byteLength }, (_, i) => i % 251),
  );
  return path;
}

const PRELUDE = `
  import { mmap } from "@b2frame/io-mmap";
  import { openChecked } from "@b2frame/core/backend";
  import * as fs from "node:fs";
  const [, path, driver] = process.argv;
  const backend = mmap({ driver, onDiagnostic() {} });
  const mapCount = () => fs.readFileSync("/proc/self/maps", "utf8").split("\\n").filter((line) => line.includes(path)).length;
`;

describe.each(AVAILABLE)("%s: another process cuts the file", (driver) => {
  it.each(["r", "r+", "c"])("mode %s: the next read of the cut part throws, the rest reads on", (mode) => {
    const result = runChild(
      `${PRELUDE}
      import { spawnSync } from "node:child_process";
      const handle = openChecked(backend, path, ${JSON.stringify(mode)});
      handle.read(0, 200_000);
      spawnSync(process.execPath, ["-e", "fs.truncateSync(process.argv[1], 100_000)", "--", path]);
      const outcomes = [];
      for (const attempt of [
        () => handle.read(150_000, 10), () => handle.read(0, 200_000), () => handle.readInto(100_000, new Uint8Array(1)),
      ]) {
        try { attempt(); outcomes.push("no error"); } catch (error) { outcomes.push(error.code); }
      }
      outcomes.push(handle.read(99_990, 10)[9]);
      handle.close();
      console.log(outcomes.join());`,
      [fileOf(200_000), driver],
    );
    const code = mode === "c" ? "BLOSC2_IO_STALE" : "BLOSC2_IO_SHORT_READ";
    expect(result).toMatchObject({ status: 0, signal: null, stdout: `${code},${code},${code},${99_999 % 251}\n` });
  });
});

describe.each(AVAILABLE)("%s: what was borrowed", (driver) => {
  it("is empty after close, and touching it does no harm", () => {
    const result = runChild(
      `${PRELUDE}
      const outcomes = [];
      for (const mode of ["r", "r+", "c"]) {
        const handle = openChecked(backend, path, mode);
        const view = handle.read(0, 2_500_000);
        handle.close();
        view[5] = 1;
        outcomes.push(view.byteLength, String(view[5]));
      }
      console.log(outcomes.join());`,
      [fileOf(3_000_000), driver],
    );
    expect(result).toMatchObject({ status: 0, signal: null, stdout: "0,undefined,0,undefined,0,undefined\n" });
  });

  it("may even be written to: neither the process nor the file suffers", () => {
    const path = fileOf(3_000_000);
    const result = runChild(
      `${PRELUDE}
      const before = fs.readFileSync(path);
      for (const mode of ["r", "r+", "c"]) {
        const handle = openChecked(backend, path, mode);
        handle.read(0, 2_500_000).fill(1);
        if (mode === "r+") handle.flush();
        handle.close();
      }
      console.log(before.equals(fs.readFileSync(path)));`,
      [path, driver],
    );
    expect(result).toMatchObject({ status: 0, signal: null, stdout: "true\n" });
  });
});

describe.each(AVAILABLE)("%s: 70,000 times open, read, close", (driver) => {
  it("keeps the number of maps bounded without a turn of the event loop", () => {
    const result = runChild(
      `${PRELUDE}
      let sum = 0;
      let most = 0;
      for (let i = 0; i < 70_000; i++) {
        const handle = openChecked(backend, path, "r");
        sum += handle.read(i % 1000, 1)[0];
        handle.close();
        if (i % 5000 === 0) most = Math.max(most, mapCount());
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      console.log(JSON.stringify({ sum, few: most <= 16_384, left: mapCount() }));`,
      [fileOf(5000), driver],
    );
    let sum = 0;
    for (let i = 0; i < 70_000; i++) sum += (i % 1000) % 251;
    expect(result.stderr).toBe("");
    expect(JSON.parse(result.stdout)).toEqual({ sum, few: true, left: 0 });
  }, 120_000);
});

/** A command prefix under which a file system can be mounted for one process, if this machine lets us. */
function mountingCommand(): readonly string[] | undefined {
  const wanted: readonly string[][] = [
    ["unshare", "--mount"],
    ["unshare", "--user", "--map-root-user", "--mount"],
  ];
  const folder = files.path();
  mkdirSync(folder);
  return wanted.find(([program = "", ...args]) => {
    const mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder];
    return spawnSync(program, [...args, ...mount]).status === 0;
  });
}

const mounting = mountingCommand();
if (mounting !== undefined) {
  describe("a full disk", () => {
    it.each(
      [
        ["koffi", "descriptor", "w+"],
        ["koffi", "map", "w+"],
        ["mmap-io", "descriptor", "w+"],
        ["koffi", "map", "hole"],
      ].filter(([driver]) => AVAILABLE.some((name) => name === driver)),
    )("%s, writes through the %s, %s: an error that leaves what was written before", (driver, writes, how) => {
      const folder = files.path();
      mkdirSync(folder);
      const script = `
          import { mmap } from "@b2frame/io-mmap";
          import { isBlosc2Error } from "@b2frame/core";
          import { openChecked } from "@b2frame/core/backend";
          const [, path, driver, writes, how] = process.argv;
          const handle = openChecked(mmap({ driver, writes }), path, "w+");
          if (how === "hole") handle.truncate(64 * 2 ** 20);
          let whole = 0;
          let failure;
          try { for (; ; whole++) handle.write(whole * 50_000, new Uint8Array(50_000).fill(whole + 1)); } catch (error) { failure = error; }
          const right = Array.from({ length: whole }, (_, i) => handle.read(i * 50_000, 50_000).every((byte) => byte === i + 1));
          let closing;
          try { handle.close(); } catch (error) { closing = error.code; }
          console.log(JSON.stringify([isBlosc2Error(failure), failure.code, failure.details.errno, whole > 10, right.every(Boolean), closing]));`;
      const inner = `mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"`;
      const args = [`${folder}/file`, driver ?? "", writes ?? "", how ?? ""];
      const result = runChild(script, args, [...mounting, "sh", "-c", inner, folder]);
      expect(result.stderr).toBe("");
      expect(JSON.parse(result.stdout)).toEqual([
        true,
        "BLOSC2_IO_NO_SPACE",
        "ENOSPC",
        true,
        true,
        "BLOSC2_IO_HANDLE_FAILED",
      ]);
      expect(result.status).toBe(0);
    });
  });
}

describe.each(AVAILABLE)("%s: worker threads", (driver) => {
  it("two map the same file at once, and both see what is written", async () => {
    const path = fileOf(100_000);
    const source = `
      const { parentPort, workerData } = require("node:worker_threads");
      import(workerData.entry).then(({ mmap }) => {
        const backend = mmap({ driver: workerData.driver, onDiagnostic() {} });
        let sum = 0;
        for (let i = 0; i < 2000; i++) {
          const handle = backend.open(workerData.path, i % 2 === 0 ? "r" : "c");
          for (const byte of handle.read(i * 10, 50)) sum += byte;
          if (i % 2 === 1) handle.write(i * 10, new Uint8Array(50));
          handle.close();
        }
        parentPort.postMessage({ sum, zeroCopy: backend.capabilities.zeroCopy });
      });`;
    const entry = new URL("../dist/index.js", import.meta.url).href;
    const results = await Promise.all(
      [0, 1].map(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker(source, { eval: true, workerData: { entry, path, driver } });
            worker.once("message", resolve);
            worker.once("error", reject);
          }),
      ),
    );
    let sum = 0;
    for (let i = 0; i < 2000; i++) for (let j = 0; j < 50; j++) sum += (i * 10 + j) % 251;
    expect(results).toEqual([
      { sum, zeroCopy: true },
      { sum, zeroCopy: true },
    ]);
  });
});
