/** Arrays behind HTTP, on servers that answer late. @module */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { asarray, type NDArray, SChunk } from "@b2frame/core";
import { openRemote, openRemoteArray, RemoteSChunk } from "@b2frame/remote";
import { registerBloscCodecs } from "@b2frame/zarr";
import * as zarr from "zarrita";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { timedAsync } from "../clock.js";
import { CHUNKSIZE, CLEVEL, CODEC, CPARAMS } from "../parameters.js";
import { RoundCounter, ServedFiles } from "../remote/served-files.js";
import type { Trial } from "../trial.js";
import { writeZarr } from "../zarr/write-zarr.js";
import { randomIndices } from "./random-reads.js";

const PLANE: readonly [number, number] = [512, 512];
const MAX_PLANES = 512;
const ITEMSIZE = 2;
const EDGE = 64;
const CROPS = 100;
const LATENCIES: readonly number[] = [0, 20, 80];
const CROPS_LATENCY = 20;
/** Edges of chunks: with the smaller ones a crop is about a chunk, with the larger ones a part of one. */
const CHUNK_EDGES: readonly number[] = [64, 128];
const BLOCK_EDGE = 32;
/** A chunk's extended header, after which its block starts follow. */
const HEADER_LENGTH = 32;
const MEMCPYED = 2;

/** Compressed bytes of each block: a block ends where the next one in the chunk begins. */
function blockSizes(chunk: Uint8Array): number[] {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const blocksize = view.getInt32(8, true);
  const count = Math.ceil(view.getInt32(4, true) / blocksize);
  if ((view.getUint8(2) & MEMCPYED) !== 0) return Array.from({ length: count }, () => blocksize);
  const starts = Array.from({ length: count }, (_, i) => view.getInt32(HEADER_LENGTH + 4 * i, true));
  const ordered = [...starts, chunk.byteLength].sort((a, b) => a - b);
  return starts.map((start) => (ordered.find((other) => other > start) ?? chunk.byteLength) - start);
}

/** Compressed bytes of the blocks that a cube touches. */
function touchedBytes(array: NDArray, start: readonly number[]): number {
  let sum = 0;
  let last = -1;
  const sizes = new Map<number, number[]>();
  for (const { chunkIndex, ordinal, blockIndex } of array.select(cubeAt(start)).parts()) {
    if (ordinal === last) continue;
    last = ordinal;
    let known = sizes.get(chunkIndex);
    if (known === undefined) {
      known = blockSizes(array.schunk.getChunk(chunkIndex));
      sizes.set(chunkIndex, known);
    }
    sum += known[blockIndex] as number;
  }
  return sum;
}

function cubeAt(start: readonly number[]): { start: number; stop: number }[] {
  return start.map((from) => ({ start: from, stop: from + EDGE }));
}

function startsOf(shape: readonly number[], count: number): readonly (readonly number[])[] {
  const axes = shape.map((length, axis) => randomIndices(70 + axis, count, length - EDGE + 1));
  return Array.from({ length: count }, (_, i) => axes.map((starts) => starts[i] as number));
}

/** Rounds, requests and bytes of opening and of one cube, and of the same cube again. @throws Error if that takes a request */
async function facts(
  array: NDArray,
  url: string,
  start: readonly number[],
  maxWholeChunk: number | undefined,
): Promise<Record<string, number>> {
  const counter = new RoundCounter();
  using remote = await openRemoteArray(url, { fetch: counter.fetch, maxWholeChunk });
  const openRounds = counter.rounds;
  const before = remote.stats.bytesFetched;
  await remote.get(cubeAt(start));
  const cropRounds = counter.rounds - openRounds;
  const fetched = remote.stats.bytesFetched - before;
  const { requests } = counter;
  await remote.get(cubeAt(start));
  if (counter.requests !== requests) throw new Error("the same cube again took requests");
  const ratio = Math.round((fetched / touchedBytes(array, start)) * 100) / 100;
  return { openRounds, cropRounds, requests, bytesToTouched: ratio };
}

async function ourCrops(
  url: string,
  starts: readonly (readonly number[])[],
  maxWholeChunk?: number,
): Promise<Uint8Array> {
  using array = await openRemoteArray(url, { maxWholeChunk });
  const crops = await Promise.all(starts.map((start) => array.get(cubeAt(start))));
  return (crops[crops.length - 1] as (typeof crops)[number]).bytes;
}

async function zarritaCrops(url: string, starts: readonly (readonly number[])[]): Promise<Uint8Array> {
  const array = await zarr.open.v3(new zarr.FetchStore(url), { kind: "array" });
  const crops = await Promise.all(
    starts.map((start) =>
      zarr.get(
        array,
        start.map((from) => zarr.slice(from, from + EDGE)),
      ),
    ),
  );
  const { data } = crops[crops.length - 1] as { data: Int16Array };
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

async function* cropTrials(
  context: BenchContext,
  files: ServedFiles,
  name: string,
  array: NDArray,
): AsyncIterable<Trial> {
  const shape = array.shape.join("x");
  const chunks = array.chunks.join("x");
  const one = startsOf(array.shape, 1);
  for (const latency of LATENCIES) {
    const url = files.url(`${name}.b2nd`, latency);
    const zarrUrl = files.url(`${name}.zarr`, latency);
    // Chunks whole where they are small, as is usual; and blocks only.
    for (const maxWholeChunk of [undefined, 0]) {
      const measured = await facts(array, url, one[0] as readonly number[], maxWholeChunk);
      yield trialOf(
        { shape, chunks, latency, crops: 1, ...measured },
        1,
        () => ourCrops(url, one, maxWholeChunk),
        "zarrita",
        () => zarritaCrops(zarrUrl, one),
      );
    }
  }
  const many = startsOf(array.shape, context.count(CROPS));
  const url = files.url(`${name}.b2nd`, CROPS_LATENCY);
  const zarrUrl = files.url(`${name}.zarr`, CROPS_LATENCY);
  yield trialOf(
    { shape, chunks, latency: CROPS_LATENCY, crops: many.length },
    many.length,
    () => ourCrops(url, many),
    "zarrita",
    () => zarritaCrops(zarrUrl, many),
  );
}

function trialOf(
  parameters: Trial["parameters"],
  amount: number,
  ours: () => Promise<Uint8Array>,
  peer: "zarrita" | "fetch",
  theirs: () => Promise<Uint8Array>,
): Trial {
  const common = { backend: "http", workers: 0, amount, warmUp: true } as const;
  return {
    data: "volume",
    parameters,
    unit: peer === "fetch" ? "MiB/s" : "op/s",
    contenders: [
      { ...common, name: "b2frame", sample: () => timedAsync(ours) },
      { ...common, name: peer, sample: () => timedAsync(theirs) },
    ],
  };
}

/** All bytes of a frame that does not compress, against those of the file. */
function wholeTrial(files: ServedFiles, byteLength: number): Trial {
  const url = files.url("whole.b2frame", 0);
  const download = async (): Promise<Uint8Array> => {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    // The content of a chunk that did not compress is stored as it is, behind the frame's header and the chunk's.
    const header = new DataView(bytes.buffer).getUint32(11);
    return bytes.subarray(header + HEADER_LENGTH);
  };
  const read = async (): Promise<Uint8Array> => {
    using schunk = await openRemote(url);
    if (!(schunk instanceof RemoteSChunk)) throw new Error("a super-chunk was written");
    let first: Uint8Array | undefined;
    for await (const chunk of schunk.iterChunks()) first ??= chunk;
    return first ?? new Uint8Array();
  };
  return trialOf({ nbytes: byteLength, latency: 0 }, byteLength, read, "fetch", download);
}

/** See the module. */
export const remote: BenchCase = {
  name: "remote",
  title: "Behind HTTP with 0, 20 or 80 ms of latency: open and read cubes of 64 x 64 x 64; read a whole frame",
  async *trials(context: BenchContext) {
    registerBloscCodecs(zarr.registry as Parameters<typeof registerBloscCodecs>[0]);
    const { bytes } = context.dataset("volume");
    const planes = Math.min(MAX_PLANES, Math.floor(bytes.byteLength / (PLANE[0] * PLANE[1] * ITEMSIZE)));
    // What is not enough for a cube is repeated.
    const shape = [Math.max(EDGE, planes), ...PLANE];
    const values = new Int16Array(shape.reduce((all, length) => all * length, 1));
    const source = new Int16Array(bytes.buffer, 0, Math.min(values.length, bytes.byteLength / ITEMSIZE));
    for (let at = 0; at < values.length; at += source.length) values.set(source.subarray(0, values.length - at), at);
    const folder = context.newPath();
    mkdirSync(folder, { recursive: true });
    const files = await ServedFiles.start(folder);
    try {
      for (const edge of CHUNK_EDGES) {
        const blocks = shape.map(() => BLOCK_EDGE);
        const chunks = shape.map(() => edge);
        const urlpath = join(folder, `${edge}.b2nd`);
        const options = { shape, dtype: "<i2", chunks, blocks, cparams: CPARAMS, io: context.backends.stdio, urlpath };
        using array = asarray(values, options);
        array.commit();
        await writeZarr(array, join(folder, `${edge}.zarr`), "int16", { codec: CODEC, clevel: CLEVEL });
        yield* cropTrials(context, files, `${edge}`, array);
      }
      const noise = context.dataset("incompressible").bytes;
      SChunk.create({
        urlpath: join(folder, "whole.b2frame"),
        io: context.backends.stdio,
        data: noise,
        chunksize: CHUNKSIZE,
        typesize: 4,
        cparams: CPARAMS,
      }).close();
      yield wholeTrial(files, noise.byteLength);
    } finally {
      files.stop();
      context.remove(folder);
    }
  },
};
