import { expect, test } from "vitest";
import { parseCommandLine, UsageError } from "../src/arguments.js";
import { CASE_NAMES } from "../src/trial.js";

test("without options, everything is measured at full size with the peers that are there", () => {
  expect(parseCommandLine([])).toMatchObject({ cases: CASE_NAMES, mib: 256, samples: 7, peersRequired: false });
});

test("a smoke run is small, but what is asked for counts", () => {
  expect(parseCommandLine(["--smoke"])).toMatchObject({ mib: 4, samples: 3 });
  expect(parseCommandLine(["--smoke", "--mib", "16"])).toMatchObject({ mib: 16, samples: 3 });
});

test("arrays stands for the cases that begin so, and for no other", () => {
  const { cases } = parseCommandLine(["--only", "arrays,zarr-arrays"]) as { cases: readonly string[] };
  expect(cases).toEqual([...CASE_NAMES.filter((name) => name.startsWith("array-")), "zarr-arrays"]);
});

test("lists are taken apart", () => {
  const request = parseCommandLine(["--", "--only", "append,crops", "--data", "zeros", "--peers", "numcodecs"]);
  expect(request).toMatchObject({
    cases: ["append", "crops"],
    dataNames: ["zeros"],
    peers: ["numcodecs"],
    peersRequired: true,
  });
  expect(parseCommandLine(["--peers", "none"])).toMatchObject({ peers: [] });
});

test.each([
  [["--only", "read"]],
  [["--data", "text"]],
  [["--peers", "zlib"]],
  [["--mib", "0"]],
  [["--mib", "4.5"]],
  [["--samples", "many"]],
  [["--nothing"]],
  [["file"]],
])("%j is refused", (args) => {
  expect(() => parseCommandLine(args)).toThrow(UsageError);
});

test("--help wins", () => {
  expect(parseCommandLine(["--help", "--only", "nonsense"])).toBe("help");
});
