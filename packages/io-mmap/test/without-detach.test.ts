import { readFileSync, statSync } from "node:fs";
import { runIoBackendSuite } from "@b2frame/io-contract";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it, vi } from "vitest";
import { mmap } from "../src/index.js";
import { AVAILABLE } from "./drivers.js";

vi.mock("../src/detach-buffer.js", () => ({ canDetach: () => false, detachBuffer: () => false }));

const files = temporaryFiles();

describe("a runtime that can't detach ArrayBuffers", () => {
  it("gets copies, which outlive the map, and the capabilities say so", () => {
    const backend = mmap();
    expect(backend.capabilities.zeroCopy).toBe(false);
    for (const mode of ["r", "r+", "c"] as const) {
      const path = files.path();
      const writer = backend.open(path, "w+");
      writer.write(0, new Uint8Array(100_000).fill(4));
      writer.close();
      const handle = backend.open(path, mode);
      const copy = handle.read(1000, 50_000);
      handle.close();
      expect(copy).toEqual(new Uint8Array(50_000).fill(4));
    }
  });
});

for (const driver of AVAILABLE) {
  runIoBackendSuite({
    name: `${driver}, without detaching`,
    backend: () => mmap({ driver, onDiagnostic: () => {} }),
    makePath: files.path,
    test: { describe, it, expect },
    modelRuns: 10,
    inspect: {
      bytes: (path) => readFileSync(path),
      modified: (path) => statSync(path, { bigint: true }).mtimeNs,
    },
  });
}
