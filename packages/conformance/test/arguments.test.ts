import { describe, expect, it } from "vitest";
import { parseCommandLine, UsageError } from "../src/arguments.js";

describe("parseCommandLine", () => {
  it("takes every engine and backend by default", () => {
    expect(parseCommandLine(["corpus"])).toEqual({
      directory: "corpus",
      engines: ["portable", "kernels"],
      backends: ["stdio", "mmap", "memory"],
      only: [],
    });
  });

  it("takes one engine, one backend and several patterns", () => {
    const args = ["--engine", "portable", "corpus", "--io", "mmap", "--only", "chunks,frames"];
    expect(parseCommandLine(args)).toEqual({
      directory: "corpus",
      engines: ["portable"],
      backends: ["mmap"],
      only: ["chunks", "frames"],
    });
  });

  it("skips the separator that package managers pass on", () => {
    expect(parseCommandLine(["--", "corpus", "--io=stdio"])).toMatchObject({
      directory: "corpus",
      backends: ["stdio"],
    });
  });

  it("gives help", () => {
    expect(parseCommandLine(["--help"])).toBe("help");
  });

  it.each([
    { args: [], why: "no directory" },
    { args: ["a", "b"], why: "two directories" },
    { args: ["a", "--engine", "gpu"], why: "an engine that there is not" },
    { args: ["a", "--io", "tape"], why: "a backend that there is not" },
    { args: ["a", "--fast"], why: "an option that there is not" },
  ])("refuses $why", ({ args }) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError);
  });
});
