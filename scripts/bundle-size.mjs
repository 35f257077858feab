/**
 * Makes minified browser bundles of `@b2frame/core/read` and `@b2frame/remote`, prints their gzipped sizes, holds them against the limit, and reads the
 * corpus with the largest one in a realm that has nothing of Node. Ends with `N passed, N failed`. `--analyse` lists what takes the
 * space.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Gzipped bytes that a bundle may have, the zstd decoder among them: 80 KiB, and 95 KiB with the requests. */
const LIMIT = 80 * 1024;
const REMOTE_LIMIT = 95 * 1024;
const CORPUS = "fixtures/conformance";
const analyse = process.argv.includes("--analyse");

/** The bundle that has all of it, with which the corpus is read. */
const ALL = "all of @b2frame/core/read";

/** What a program would import: to read, but for the last one. */
const BUNDLES = [
  {
    name: "chunks",
    limit: LIMIT,
    code: 'export { Chunk, chunkFromBytes, readingEnvironment } from "@b2frame/core/read";',
  },
  { name: "frames", limit: LIMIT, code: 'export { openSChunkReader, rangeCacheHandle } from "@b2frame/core/read";' },
  {
    name: "frames and arrays",
    limit: LIMIT,
    code: 'export { openSChunkReader, openArrayReader, rangeCacheHandle } from "@b2frame/core/read";',
  },
  { name: ALL, limit: LIMIT, code: 'export * from "@b2frame/core/read";' },
  {
    name: "arrays behind HTTP",
    limit: REMOTE_LIMIT,
    from: "packages/remote",
    code: 'export { openRemoteArray } from "./dist/index.js";',
  },
  { name: "reading and writing: openUdio", code: 'export { openUdio, rangeCacheHandle } from "@b2frame/core";' },
];

/**
 * @param {string} code
 * @param {string} from the package that imports
 */
async function bundle(code, from = "packages/stores") {
  const result = await build({
    stdin: { contents: code, resolveDir: from },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    globalName: "b2frame",
    legalComments: "none",
  });
  return { text: result.outputFiles[0].text, inputs: Object.values(result.metafile.outputs)[0].inputs };
}

/** @param {Record<string, { bytesInOutput: number }>} inputs */
function printInputs(inputs) {
  const rows = Object.entries(inputs).map(([path, { bytesInOutput }]) => [
    bytesInOutput,
    path.replace(/.*node_modules\//, ""),
  ]);
  rows.sort((a, b) => Number(b[0]) - Number(a[0]));
  for (const [size, path] of rows) if (Number(size) > 0) console.log(`  ${String(size).padStart(7)}  ${path}`);
}

/** Reads one entry of the corpus; runs in the realm without Node, so it gets and gives plain text. */
const READ_ENTRY = `(kind, hex) => {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  const parts = [];
  try {
    if (kind === "chunk") {
      parts.push(b2frame.Chunk.open(b2frame.chunkFromBytes(bytes), b2frame.readingEnvironment()).decompress());
    } else if (kind === "cframe") {
      for (const chunk of b2frame.openSChunkReader(bytes).iterChunks()) parts.push(chunk);
    } else {
      parts.push(b2frame.openArrayReader(bytes).getSlice().bytes);
    }
  } catch (error) {
    return "error " + error.code;
  }
  return parts.map((part) => Array.from(part, (byte) => byte.toString(16).padStart(2, "0")).join("")).join("");
}`;

/**
 * What is wrong with what the bundle reads; empty when nothing is.
 *
 * @param {string} text
 */
function readCorpus(text) {
  const realm = vm.createContext({ TextDecoder, TextEncoder });
  vm.runInContext(text, realm);
  const readEntry = vm.runInContext(READ_ENTRY, realm);
  const { entries } = JSON.parse(readFileSync(`${CORPUS}/manifest.json`, "utf8"));
  const problems = [];
  let checked = 0;
  for (const entry of entries) {
    const { id, kind, file, offset = 0, length, made, uninit } = entry;
    const expected = kind === "b2nd" ? entry.array_sha256 : entry.sha256;
    if (!["chunk", "cframe", "b2nd"].includes(kind) || entry.storage === "sframe" || uninit || !expected) continue;
    if (!["blosclz", "lz4", "lz4hc", "zlib", "zstd"].includes(made?.codec)) continue;
    const content = readFileSync(`${CORPUS}/${file}`).subarray(
      offset,
      length === undefined ? undefined : offset + length,
    );
    const read = readEntry(kind, content.toString("hex"));
    const found = read.startsWith("error") ? read : createHash("sha256").update(Buffer.from(read, "hex")).digest("hex");
    checked += 1;
    if (found !== expected) problems.push(`${id}: expected ${expected}, found ${found}`);
  }
  return { checked, problems };
}

let failed = 0;
const texts = new Map();
for (const { name, limit, code, from } of BUNDLES) {
  const { text, inputs } = await bundle(code, from);
  texts.set(name, text);
  const size = gzipSync(text, { level: 9 }).byteLength;
  const verdict = limit === undefined ? "no limit" : size <= limit ? `at most ${limit}` : `OVER THE LIMIT OF ${limit}`;
  console.log(`${name}: ${size} bytes gzipped, ${text.length} minified (${verdict})`);
  if (limit !== undefined && size > limit) failed += 1;
  if (analyse) printInputs(inputs);
}
const { checked, problems } = readCorpus(texts.get(ALL));
console.log(`read ${checked} entries of ${CORPUS} in a realm without Node: ${problems.length} wrong`);
for (const problem of problems) console.log(`  ${problem}`);
if (checked < 150) problems.push("too few entries");
failed += problems.length;
console.log(`${BUNDLES.length - 1 + checked - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
