import { expect, test } from "vitest";
import type { Environment } from "../../src/environment.js";
import { renderHtml } from "../../src/report/html.js";
import { shortNumber, shortSize } from "../../src/report/numbers.js";
import { renderTables } from "../../src/report/table.js";
import type { Result } from "../../src/result.js";

const ENVIRONMENT: Environment = {
  date: "2000-01-01T00:00:00.000Z",
  machine: { cpu: "a <cpu>", cores: 2, memoryGiB: 8, system: "linux", fileSystem: "tmpfs", loadAverage: 0 },
  versions: { node: "20.0.0" },
  parameters: {
    codec: "lz4",
    clevel: 5,
    filters: ["shuffle"],
    mib: 4,
    cache: "warm",
    engine: "kernels",
    samples: 3,
    seconds: 60,
  },
  absentPeers: {},
};

const COMPARED: Result = {
  case: "read-all",
  backend: "mmap",
  workers: 0,
  data: "int32",
  parameters: { chunksize: 4 * 2 ** 20, nchunks: 64 },
  unit: "MiB/s",
  ours: 2000,
  peer: 1000,
  peerName: "c-blosc2",
  ratio: 2,
  ratioQuartiles: [1.5, 2.5],
  goal: 0.8,
  samples: [{ ours: 1, peer: 2 }],
};
const OTHER_CHUNKS: Result = {
  ...COMPARED,
  parameters: { chunksize: 2 ** 16, nchunks: 4096 },
  ratio: 0.5,
  goal: undefined,
};
const WITH_WORKERS: Result = { ...COMPARED, workers: 2 };
const AGAINST_STDIO: Result = { ...COMPARED, peerName: "stdio", goal: undefined };
const RESULTS = [COMPARED, OTHER_CHUNKS, WITH_WORKERS, AGAINST_STDIO];

test("the page asks for nothing from elsewhere", () => {
  const page = renderHtml({ environment: ENVIRONMENT, results: RESULTS });
  expect(page).not.toMatch(/<(?:script|link|img|iframe)\b/);
  expect(page.replaceAll(/http:\/\/www\.w3\.org\/[^"']*/g, "")).not.toMatch(/https?:|url\(|@import/);
});

test("the page has a figure for the peer, for mmap against stdio, for chunk sizes and for workers", () => {
  const page = renderHtml({ environment: ENVIRONMENT, results: RESULTS });
  for (const title of [
    "Against C-Blosc2",
    "mmap against stdio",
    "read-all, by size of chunks",
    "read-all, by number of workers",
  ]) {
    expect(page).toContain(`<h2>${title}</h2>`);
  }
  expect(page.match(/<svg/g)).toHaveLength(4);
  expect(page).toContain("a &lt;cpu>");
});

test("the page can be made of no results", () => {
  expect(renderHtml({ environment: ENVIRONMENT, results: [] })).toContain("</html>");
});

test("the tables say what was met", () => {
  const text = renderTables(RESULTS);
  expect(text).toContain("mmap against stdio");
  expect(text).toMatch(
    /read-all\s+int32\s+64 x 4 MiB\s+mmap\s+2000\s+1000\s+MiB\/s\s+2\.00\s+1\.50 - 2\.50\s+0\.8 met/,
  );
});

test("numbers are short", () => {
  expect([1234.5, 12.345, 0.012345, 0, Number.NaN].map(shortNumber)).toEqual(["1235", "12.3", "0.0123", "0.00", "-"]);
  expect([1, 1024, 65536, 4194304, 1536].map(shortSize)).toEqual(["1 bytes", "1 KiB", "64 KiB", "4 MiB", "1536 bytes"]);
});
