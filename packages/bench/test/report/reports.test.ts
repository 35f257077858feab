import { expect, test } from "vitest";
import type { Environment } from "../../src/environment.js";
import { renderHtml } from "../../src/report/html.js";
import { ideasIn } from "../../src/report/ideas.js";
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
const MISSED: Result = { ...COMPARED, case: "open-many", ratio: 0.25, ratioQuartiles: [0.2, 0.3], goal: 1 };
const AGAINST_STDIO: Result = { ...COMPARED, peerName: "stdio", goal: undefined };
const AGAINST_NO_WORKERS: Result = { ...WITH_WORKERS, peerName: "no-workers", ratio: 1.5, goal: undefined };
const RESULTS = [COMPARED, OTHER_CHUNKS, WITH_WORKERS, MISSED, AGAINST_STDIO, AGAINST_NO_WORKERS];

const COUNTED: Result = { ...COMPARED, backend: "stdio", unit: "op/s", goal: undefined };
const HELD: Result = {
  ...COUNTED,
  case: "held-handles",
  peerName: "reopened",
  parameters: { chunksize: 8192, nchunks: 500, reads: 100 },
  ratio: 3,
  calls: { ours: { open: 50, read: 100, close: 50 }, peer: { open: 200, read: 200, close: 200 } },
};
const COMPRESSED = { case: "compressed-chunks", parameters: { chunksize: 65536, nchunks: 500, reads: 100 } } as const;
const FRESH: Result = { ...COUNTED, ...COMPRESSED, peerName: "fresh-buffer", ratio: 2.5 };
const MAPPED: Result = { ...COUNTED, ...COMPRESSED, backend: "mmap", peerName: "stdio", ratio: 1.25 };
const buffered = (name: "read-buffer" | "write-buffer", bufferSize: number, ratio: number): Result => ({
  ...COUNTED,
  case: name,
  peerName: "unbuffered",
  parameters: { workload: "many", chunksize: 8192, nchunks: 500, operations: 100, bufferSize },
  ratio,
  calls: { ours: { write: 10 }, peer: { write: 1000 } },
});
const IDEAS = [
  ...[HELD, FRESH, MAPPED],
  ...[buffered("read-buffer", 4096, 1.1), buffered("read-buffer", 32768, 1.75), buffered("write-buffer", 32768, 7.25)],
  AGAINST_NO_WORKERS,
];

test("the page asks for nothing from elsewhere", () => {
  const page = renderHtml({ environment: ENVIRONMENT, results: RESULTS });
  expect(page).not.toMatch(/<(?:script|link|img|iframe)\b/);
  expect(page.replaceAll(/http:\/\/www\.w3\.org\/[^"']*/g, "")).not.toMatch(/https?:|url\(|@import/);
});

test("the page has figures for goals, the peer and chunk sizes", () => {
  const page = renderHtml({ environment: ENVIRONMENT, results: RESULTS });
  for (const title of ["Goals, the furthest from being met first", "Against C-Blosc2", "read-all, by size of chunks"]) {
    expect(page).toContain(`<h2>${title}</h2>`);
  }
  expect(page.match(/<svg/g)).toHaveLength(5);
  expect(page).toContain("a &lt;cpu>");
});

test("goals come in order of their distance", () => {
  const page = renderHtml({ environment: ENVIRONMENT, results: RESULTS });
  expect(page).toContain("<b>2 of 3</b>goals met");
  const rows = ["open-many, mmap: 0.250 of 1", "read-all, mmap: 2.00 of 0.8"].map((label) => page.indexOf(label));
  expect(rows[0]).toBeGreaterThan(0);
  expect(rows[1]).toBeGreaterThan(rows[0] as number);
});

test("what writers wait for is told apart, in the tables and on the page", () => {
  const written: Result = {
    ...COMPARED,
    case: "insert",
    durability: { ours: "disk", peer: "none" },
    goal: 5,
    ratio: 6,
  };
  const unsynced: Result = { ...written, durability: { ours: "process", peer: "none" }, ratio: 7.5 };
  const synced: Result = { ...written, durability: { ours: "disk", peer: "disk" }, ratio: 8.5, goal: undefined };
  const tables = renderTables([written, unsynced, synced]).split("\n\n");
  expect(tables.map((text) => text.split("\n").length === 1)).toEqual([true, false, true, false, true, false]);
  expect(tables[0]).toContain("each as it is");
  expect(tables[1]).toContain("5 met");
  expect(tables[2]).toContain("neither waits for the disk");
  expect(tables[3]).toMatch(/7\.50.*5 met/);
  expect(tables[4]).toContain("both wait for the disk");
  expect(tables[5]).toContain("8.50");
  const page = renderHtml({ environment: ENVIRONMENT, results: [written, unsynced, synced] });
  expect(page).toContain("Writing, like for like: neither waits for the disk");
  expect(page).toContain("Writing, like for like: both wait for the disk");
  for (const text of ["disk : none", "process : none", "disk : disk"]) expect(page).toContain(`<td>${text}</td>`);
});

test("each idea has a section whose sentence is made of the results", () => {
  expect(ideasIn(IDEAS).map(({ title, effect }) => [title, effect])).toEqual([
    [
      "Held handles",
      "Random reads from a sparse frame whose files stay open are 3.00 times as fast with 8 KiB chunks (2.00 system calls a read instead of 6.00).",
    ],
    [
      "pread into reused buffers, and mmap, for compressed chunks",
      "Into a buffer that is used again, compressed bytes come 2.50 times (64 KiB chunks) as fast as into a new one; in a map 1.25 times (64 KiB chunks) as fast as in the reused buffer.",
    ],
    [
      "mmap against stdio",
      "In reading, mmap is 1.25 times as fast as stdio in the median without workers (1 compared), from 1.25 (compressed-chunks, int32) to 1.25 (compressed-chunks, int32); it is ahead in 1 of them.",
    ],
    [
      "Size of the read buffer",
      "The default of 32 KiB is, against no read buffer, 1.75 times as fast for “many” (0.100 system calls an operation instead of 10.0).",
    ],
    [
      "Buffered writing",
      "The default of 32 KiB is, against writing each piece at once, 7.25 times as fast for “many” (0.100 system calls an operation instead of 10.0).",
    ],
    [
      "Ordered pipeline: scaling with workers",
      "With 2 workers, in the median, read-all is 1.50 times as fast as in the caller's thread alone (1.50 to 1.50 over data and backends).",
    ],
  ]);
  expect(ideasIn(IDEAS).every(({ figures }) => figures.length > 0)).toBe(true);
});

test("there is no section for an idea that was not measured", () => {
  expect(ideasIn([COMPARED])).toEqual([]);
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

test("the tables have system calls where they were counted", () => {
  expect(renderTables([HELD])).toMatch(/quartiles\s+calls\n/);
  expect(renderTables([HELD])).toContain("200 : 600");
  expect(renderTables([COMPARED])).not.toContain("calls");
});

test("numbers are short", () => {
  expect([1234.5, 12.345, 0.012345, 0, Number.NaN].map(shortNumber)).toEqual(["1235", "12.3", "0.0123", "0.00", "-"]);
  expect([1, 1024, 65536, 4194304, 1536].map(shortSize)).toEqual(["1 bytes", "1 KiB", "64 KiB", "4 MiB", "1536 bytes"]);
});
