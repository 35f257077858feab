/**
 * The demo: packs a real MRI scan through both I/O backends, reads it back in parts, compares every byte with the original,
 * and shows what that took. `npm run demo` in the root folder sets everything up and runs it.
 *
 * @module
 */
import { mkdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { asarray, isBlosc2Error, mmap, openArray } from "b2frame";
import Table from "cli-table3";
import pc from "picocolors";
import { readNifti } from "./read-nifti.mjs";

const SCAN = fileURLToPath(new URL("../demo-data/example4d.nii.gz", import.meta.url));
const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const FOLDER = join(tmpdir(), "b2frame-demo");
/** A chunk is one time point; a block is small enough that a crop decodes little besides itself. */
const LAYOUT = { chunks: [1, 24, 96, 128], blocks: [1, 6, 32, 32] };
const ROUNDS = 5;
const CROPS = 200;
const CROP = [1, 8, 24, 24];

/** From fast to small. */
const SETTINGS = [
  { name: "lz4-fast", cparams: { codec: "lz4", clevel: 1, filters: ["shuffle"] } },
  { name: "blosclz", cparams: { codec: "blosclz", clevel: 5, filters: ["shuffle"] } },
  { name: "zstd-bits", cparams: { codec: "zstd", clevel: 5, filters: ["bitshuffle"] } },
  { name: "zstd-small", cparams: { codec: "zstd", clevel: 7, filters: ["shuffle", "bytedelta"] } },
];

/** @param {string} text */
const say = (text = "") => process.stdout.write(`${text}\n`);
/** @param {number} byteLength */
const kib = (byteLength) => `${(byteLength / 1024).toFixed(0)} KiB`;
/** @param {number} milliseconds */
const ms = (milliseconds) => `${milliseconds.toFixed(milliseconds < 1 ? 3 : 1)} ms`;

/** The backends that work on this machine. */
function availableBackends() {
  /** @type {("stdio" | "mmap")[]} */
  const names = ["stdio"];
  try {
    mmap();
    names.push("mmap");
  } catch (error) {
    if (!isBlosc2Error(error)) throw error;
    say(pc.yellow(`Memory can't be mapped here, so only stdio is shown. ${error.message}`));
  }
  return names;
}

let compared = 0;

/**
 * @param {string} what
 * @param {Uint8Array} found
 * @param {Uint8Array} expected
 */
function compare(what, found, expected) {
  if (Buffer.compare(found, expected) !== 0) throw new Error(`${what}: the bytes differ from the original's`);
  compared += 1;
}

/** @param {() => void} action */
function time(action) {
  const started = performance.now();
  action();
  return performance.now() - started;
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Numbers that look random and are the same on every run. @param {number} limit */
let state = 12345;
function random(limit) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

/**
 * A part of the scan, cut out of it by plain loops.
 *
 * @param {{ shape: number[], data: Int16Array }} scan
 * @param {number[]} start
 * @param {number[]} stop
 */
function cut(scan, start, stop) {
  const [, z, y, x] = scan.shape;
  const items = [];
  for (let t = start[0]; t < stop[0]; t++)
    for (let k = start[1]; k < stop[1]; k++)
      for (let j = start[2]; j < stop[2]; j++) {
        const row = ((t * z + k) * y + j) * x;
        items.push(...scan.data.subarray(row + start[3], row + stop[3]));
      }
  return new Uint8Array(Int16Array.from(items).buffer);
}

/** @param {string[]} head */
function table(head) {
  return new Table({
    head: head.map((text) => pc.bold(text)),
    colAligns: head.map((_, i) => (i === 0 ? "left" : "right")),
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    style: { head: [], border: pc.isColorSupported ? ["gray"] : [] },
  });
}

/**
 * @param {string} setting
 * @param {string} io
 */
const fileOf = (setting, io) => join(FOLDER, `scan-${setting}-${io}.b2nd`);

/**
 * Packs and reads the whole scan.
 *
 * @param {{ shape: number[], data: Int16Array }} scan
 * @param {("stdio" | "mmap")[]} backends
 */
function packAll(scan, backends) {
  const { shape, data } = scan;
  const original = new Uint8Array(data.buffer);
  const titles = backends.flatMap((io) => [`pack\n${io}`, `read\n${io}`]);
  const out = table(["codec level, filters", "size", "ratio", ...titles]);
  for (const { name, cparams } of SETTINGS) {
    const times = backends.map(() => ({ pack: /** @type {number[]} */ ([]), read: /** @type {number[]} */ ([]) }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, io] of backends.entries()) {
        const urlpath = fileOf(name, io);
        times[i].pack.push(time(() => asarray(data, { shape, ...LAYOUT, cparams, urlpath, io }).close()));
        times[i].read.push(
          time(() => {
            const array = openArray(urlpath, { io });
            compare(urlpath, array.getSlice().bytes, original);
            array.close();
          }),
        );
      }
    }
    const size = statSync(fileOf(name, "stdio")).size;
    const ratio = pc.green(`${(original.byteLength / size).toFixed(2)}x`);
    const { codec, clevel, filters } = cparams;
    const measured = times.flatMap(({ pack, read }) => [median(pack).toFixed(1), median(read).toFixed(1)]);
    out.push([`${codec} ${clevel}, ${filters.join(" + ")}`, kib(size), ratio, ...measured]);
  }
  say(out.toString());
}

/**
 * Reads parts of the scan.
 *
 * @param {{ shape: number[], data: Int16Array }} scan
 * @param {("stdio" | "mmap")[]} backends
 */
function readParts(scan, backends) {
  const [times, planes, rows, columns] = scan.shape;
  const crops = Array.from({ length: CROPS }, () => {
    const start = [times, planes, rows, columns].map((size, dim) => random(size - CROP[dim] + 1));
    return { start, stop: start.map((at, dim) => at + CROP[dim]) };
  });
  const parts = [
    { name: `${CROPS} random crops of 8 x 24 x 24`, boxes: crops },
    { name: "one plane, 96 x 128", boxes: [{ start: [0, 12, 0, 0], stop: [1, 13, rows, columns] }] },
    { name: "one time point, 24 x 96 x 128", boxes: [{ start: [1, 0, 0, 0], stop: [2, planes, rows, columns] }] },
    { name: "one voxel through time", boxes: [{ start: [0, 12, 48, 64], stop: [times, 13, 49, 65] }] },
  ];
  const out = table(["slice", "bytes", ...backends.map((io) => `each, ${io}`)]);
  const arrays = backends.map((io) => openArray(fileOf("zstd-bits", io), { io }));
  for (const { name, boxes } of parts) {
    const each = arrays.map((array) => {
      const rounds = Array.from({ length: ROUNDS }, () =>
        time(() => {
          for (const { start, stop } of boxes) array.getSlice(start, stop);
        }),
      );
      for (const { start, stop } of boxes) compare(name, array.getSlice(start, stop).bytes, cut(scan, start, stop));
      return median(rounds) / boxes.length;
    });
    const { start, stop } = boxes[0];
    out.push([name, String(cut(scan, start, stop).byteLength), ...each.map(ms)]);
  }
  for (const array of arrays) array.close();
  say(out.toString());
}

const scan = readNifti(SCAN);
const raw = scan.data.byteLength;
say();
say(pc.bold(pc.cyan("b2frame: compressed frames that are read in parts")));
say();
say(
  `The data is a real MRI scan: ${scan.shape[0]} time points of ${scan.shape.slice(1).join(" x ")} voxels, 16-bit integers,`,
);
say(`${kib(raw)}. As a .nii.gz it has ${kib(statSync(SCAN).size)}, but has to be unpacked whole to read any voxel.`);
say();
mkdirSync(FOLDER, { recursive: true });
const backends = availableBackends();

say(pc.bold(`1. The whole scan, written and read back through ${backends.join(" and ")}`));
packAll(scan, backends);
say(
  pc.dim(
    `   times in ms, medians of ${ROUNDS} runs; "pack" makes the file durable, "read" opens it and compares all bytes`,
  ),
);
say();
say(pc.bold("2. Parts of it, out of the zstd-bits files: only the blocks that a slice touches are read and decoded"));
readParts(scan, backends);
say();
say(`${pc.green("✔")} ${compared} reads compared with the original, byte for byte: all equal.`);
say();
const command = `node ${relative(process.env.INIT_CWD ?? process.cwd(), MAIN)}`;
const sample = fileOf("zstd-bits", "stdio");
say(pc.bold("Try next") + pc.dim("  (b2frame, once installed, is what `node .../main.js` is here)"));
const steps = [
  [`info ${sample}`, "shape, sizes, codec, filters"],
  [`ls ${sample}`, "its chunks"],
  [`slice ${sample} ${join(FOLDER, "plane.npy")} --start 0,12 --stop 1,13`, "a plane for NumPy"],
  [`verify ${join(FOLDER, "*.b2nd")}`, "check all files"],
  ["--help", "everything else"],
];
for (const [line, effect] of steps) say(`  ${pc.dim(`# ${effect}`)}\n  ${command} ${line}`);
say();
say(`The files are in ${pc.bold(FOLDER)}; ${pc.dim(`rm -r ${FOLDER}`)} removes them. README.md has the API.`);
