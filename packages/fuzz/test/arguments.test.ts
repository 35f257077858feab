import { expect, it } from "vitest";
import { parseCommandLine, UsageError } from "../src/arguments.js";
import { TARGET_NAMES } from "../src/targets/targets.js";

it("without arguments every kind gets its single changes", () => {
  const expected = { targets: TARGET_NAMES, minutes: 0, seed: 1, quick: false, keep: false, paths: [], streams: 0 };
  expect(parseCommandLine([])).toEqual(expected);
});

it("options are taken", () => {
  const args = ["--target", "npy", "--target=chunk", "--minutes", "1.5", "--seed=7", "--quick", "--keep"];
  const expected = { targets: ["npy", "chunk"], minutes: 1.5, seed: 7, quick: true, keep: true, paths: [], streams: 0 };
  expect(parseCommandLine(args)).toEqual(expected);
  expect(parseCommandLine(["--target", "b2nd", "file"])).toMatchObject({ paths: ["file"] });
  expect(parseCommandLine(["--streams", "500"])).toMatchObject({ streams: 500 });
  expect(parseCommandLine(["-h"])).toBe("help");
});

it.each([["--target=x"], ["--minutes=-1"], ["--seed=1.5"], ["--streams=x"], ["--unknown"], ["file"]])(
  "%s is refused",
  (argument) => {
    expect(() => parseCommandLine([argument])).toThrow(UsageError);
  },
);
