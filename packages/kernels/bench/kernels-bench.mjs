// Encodes and decodes the blocks of one chunk with the kernels, and with one-thread C-Blosc2 if a Python that has it is given:
//   node bench/kernels-bench.mjs [--python PATH] [--codec LZ4] [--clevel 5] [--filter SHUFFLE] [--rounds 21] [--only NAME]
// Rounds of the two alternate; medians are shown, and ratios of ours to C (above 1: ours is faster).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { loadKernels, shiftApart } from "@b2frame/kernels";
import { DATASETS, makeDataset } from "./datasets.mjs";

const { values: options } = parseArgs({
  options: {
    python: { type: "string" },
    codec: { type: "string", default: "LZ4" },
    clevel: { type: "string", default: "5" },
    filter: { type: "string", default: "SHUFFLE" },
    rounds: { type: "string", default: "21" },
    only: { type: "string", default: "" },
    blocksize: { type: "string", default: "0" },
    mib: { type: "string", default: "8" },
  },
});
const CODECS = { BLOSCLZ: [0, 0], LZ4: [1, 1], LZ4HC: [2, 1] };
const FILTERS = { NOFILTER: 0, SHUFFLE: 1, BITSHUFFLE: 2, DELTA: 3 };
const [codec, format] = CODECS[options.codec];
const clevel = Number(options.clevel);
const rounds = Number(options.rounds);
const byteLength = Number(options.mib) * 1024 * 1024;

function median(values) {
  return values.slice().sort((a, b) => a - b)[values.length >> 1];
}

/** The chunk's blocks, encoded and decoded one call each. */
class Blocks {
  constructor(data, blocksize) {
    this.source = new Uint8Array(data.buffer);
    this.target = new Uint8Array(data.byteLength);
    this.typesize = data.BYTES_PER_ELEMENT;
    this.blocksize = blocksize;
    this.kernels = loadKernels();
    this.kernels.arena.reserve(blocksize, data.byteLength * 1.1);
    const filters = new Uint8Array(6);
    filters[5] = FILTERS[options.filter];
    this.kernels.setFilters(filters, new Uint8Array(6));
    this.streams = codec !== 2 && options.filter === "SHUFFLE" ? this.typesize : 1;
    this.encoded = [];
  }

  encode() {
    const { kernels, blocksize, typesize, source, streams } = this;
    const { arena, exports: k } = kernels;
    let at = arena.staging;
    this.encoded = [at];
    for (let i = 0; i < source.byteLength; i += blocksize) {
      const address = arena.source + shiftApart(source, i);
      kernels.bytes.set(source.subarray(i, i + blocksize), address);
      const length = k.encodeBlock(
        ...[address, blocksize, typesize, typesize, streams, codec, clevel, 1, 0, 0],
        ...[arena.scratch, arena.otherScratch, arena.filtered, arena.output, arena.outputByteLength, 0, 0],
      );
      if (length < 0) throw new Error(`encodeBlock: ${length}`);
      kernels.bytes.set(kernels.bytes.subarray(arena.output, arena.output + length), at);
      at += length;
      this.encoded.push(at);
    }
    return at - arena.staging;
  }

  decode() {
    const { kernels, blocksize, typesize, target, streams, encoded } = this;
    const { arena, exports: k } = kernels;
    const address = arena.output + shiftApart(target, 0);
    const output = kernels.bytes.subarray(address, address + blocksize);
    for (let i = 0, b = 0; i < target.byteLength; i += blocksize, b++) {
      const status = k.decodeBlock(
        ...[encoded[b], encoded[b + 1], blocksize, typesize, typesize, 5, streams, 0, format, 0, blocksize, 0],
        ...[arena.scratch, arena.otherScratch, address, 0, 0],
      );
      if (status < 0) throw new Error(`decodeBlock: ${status}`);
      target.set(output, i);
    }
  }
}

/** C-Blosc2 in a Python process, one round a line. */
class Peer {
  constructor(path, typesize) {
    const script = new URL("blosc2-peer.py", import.meta.url).pathname;
    this.child = spawn(options.python, [script, path, typesize, options.codec, clevel, options.filter]);
    this.child.stderr.pipe(process.stderr);
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async line() {
    return (await this.lines.next()).value;
  }

  async round(what) {
    this.child.stdin.write(`${what}\n`);
    return Number(await this.line()) * 1000;
  }
}

function timed(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

const folder = mkdtempSync(join(tmpdir(), "kernels-bench-"));
const gigabytes = (milliseconds) => (byteLength / milliseconds / 1e6).toFixed(2).padStart(6);
process.stdout.write(`${options.codec} clevel ${clevel}, ${options.filter}, Node ${process.version}, GB/s\n`);
for (const name of DATASETS) {
  if (!name.includes(options.only)) continue;
  const data = makeDataset(name, byteLength);
  const path = join(folder, "data");
  writeFileSync(path, data);
  const peer = options.python === undefined ? undefined : new Peer(path, data.BYTES_PER_ELEMENT);
  const [peerLength, peerBlocksize] = peer === undefined ? [0, 0] : (await peer.line()).split(" ").map(Number);
  const blocks = new Blocks(data, Number(options.blocksize) || peerBlocksize || 65536 * data.BYTES_PER_ELEMENT);
  const length = blocks.encode();
  const times = { encode: [[], []], decode: [[], []] };
  for (let i = 0; i < 5; i++) {
    blocks.encode();
    blocks.decode();
  }
  for (let i = 0; i < rounds; i++) {
    for (const what of ["encode", "decode"]) {
      times[what][0].push(timed(() => blocks[what]()));
      times[what][1].push(peer === undefined ? Number.NaN : await peer.round(what));
    }
  }
  peer?.child.kill();
  if (Buffer.compare(blocks.source, blocks.target) !== 0) throw new Error(`${name}: decoded bytes differ`);
  let line = `${name.padEnd(16)} ratio ${(byteLength / length).toFixed(2)}`;
  if (peer !== undefined) line += ` (C ${(byteLength / peerLength).toFixed(2)})`;
  for (const [what, [ours, theirs]] of Object.entries(times)) {
    line += `  ${what} ${gigabytes(median(ours))} best ${gigabytes(Math.min(...ours))}`;
    if (peer === undefined) continue;
    const paired = median(ours.map((time, i) => theirs[i] / time));
    line += ` (C ${gigabytes(median(theirs))} best ${gigabytes(Math.min(...theirs))}, ratio ${paired.toFixed(2)} best ${(Math.min(...theirs) / Math.min(...ours)).toFixed(2)})`;
  }
  process.stdout.write(`${line}\n`);
}
rmSync(folder, { recursive: true });
