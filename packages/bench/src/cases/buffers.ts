/** Sizes of the stdio backend's buffers, against none. @module */
import { type IoBackend, SChunk } from "@b2frame/core";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import type { FrameContent } from "../frame-content.js";
import { appendContent, chunkCount, createFrame, writeFrame } from "../frames.js";
import { stdioContender } from "../stdio-contender.js";
import type { Trial } from "../trial.js";
import { randomIndices } from "./random-reads.js";
import { decompressAll } from "./read-all.js";

/** Compared with a buffer of no bytes. The second is the default. */
export const BUFFER_SIZES: readonly number[] = [4 * 2 ** 10, 32 * 2 ** 10, 128 * 2 ** 10];

const SMALL_CHUNKSIZE = 8 * 2 ** 10;
const SMALL_CHUNKS = 20_000;
const TINY_CHUNKSIZE = 512;
const TINY_CHUNKS = 40_000;
const OPENS = 2000;
const READS = 20_000;
const READ_ITEMS = 50;
/** As many as a frame takes. */
const METALAYERS = 16;
const SPARSE_CHUNKS = 100;

/** Something that the sizes of buffers may matter to. */
interface Workload {
  readonly title: string;
  readonly amount: number;
  readonly chunksize: number;
  readonly nchunks: number;
  prepare?(): void;
  work(backend: IoBackend): Uint8Array | number;
}

function contentOf(context: BenchContext, chunksize: number, chunks: number): FrameContent {
  const dataset = context.dataset("int32");
  return { dataset, chunksize, nchunks: Math.min(context.count(chunks), chunkCount(dataset, chunksize)) };
}

/** One trial for each size, each against no buffer. */
function* trialsOf(option: "readBufferSize" | "writeBufferSize", workload: Workload): Generator<Trial> {
  const { title, amount, chunksize, nchunks, prepare, work } = workload;
  const shared = { amount, work, ...(prepare === undefined ? {} : { prepare }) };
  for (const bufferSize of BUFFER_SIZES) {
    yield {
      data: "int32",
      parameters: { workload: title, chunksize, nchunks, operations: amount, bufferSize },
      unit: "op/s",
      contenders: [
        stdioContender({ ...shared, name: "b2frame", options: { [option]: bufferSize } }),
        stdioContender({ ...shared, name: "unbuffered", options: { [option]: 0 } }),
      ],
    };
  }
}

function readInOrder(context: BenchContext, title: string, path: string, content: FrameContent): Workload {
  const { chunksize, nchunks } = content;
  writeFrame(context, path, "stdio", content);
  const work = (backend: IoBackend) => decompressAll(path, backend, chunksize);
  return { title, amount: nchunks, chunksize, nchunks, work };
}

function readItems(context: BenchContext, path: string, { dataset, chunksize, nchunks }: FrameContent): Workload {
  const itemCount = (nchunks * chunksize) / dataset.typesize;
  const starts = randomIndices(11, context.count(READS), itemCount - READ_ITEMS + 1);
  const work = (backend: IoBackend): Uint8Array => {
    using frame = SChunk.open(path, backend);
    const target = new Uint8Array(READ_ITEMS * dataset.typesize);
    for (const start of starts) frame.getSlice(start, start + READ_ITEMS, { target });
    return target;
  };
  return { title: "items at random", amount: starts.length, chunksize, nchunks, work };
}

/** Opens a frame and asks for its metadata, which lies in its header and its trailer. */
function openAndList(context: BenchContext, path: string, content: FrameContent): Workload {
  const { chunksize, nchunks } = content;
  {
    const meta = Object.fromEntries(
      Array.from({ length: METALAYERS }, (_, i) => [`meta${i}`, content.dataset.bytes.slice(0, 40)]),
    );
    using out = createFrame(context.backends.stdio, path, content, { meta });
    appendContent(out, content);
    for (let i = 0; i < METALAYERS; i++) out.vlmeta.set(`value${i}`, content.dataset.bytes.subarray(0, 200));
  }
  const opens = context.count(OPENS);
  const work = (backend: IoBackend): number => {
    let bytes = 0;
    for (let i = 0; i < opens; i++) {
      using frame = SChunk.open(path, backend);
      for (const name of frame.vlmeta.keys()) bytes += frame.vlmeta.get(name).byteLength;
    }
    return bytes;
  };
  return { title: "open, read metadata", amount: opens, chunksize, nchunks, work };
}

/** What is read between the chunks' own bytes: headers, block starts, the index, metadata. */
export const readBuffer: BenchCase = {
  name: "read-buffer",
  title:
    "Read small chunks in order, items at random places, and metadata, with read buffers of 4, 32 and 128 KiB, and of none",
  async *trials(context: BenchContext) {
    const small = contentOf(context, SMALL_CHUNKSIZE, SMALL_CHUNKS);
    const path = context.newPath();
    yield* trialsOf("readBufferSize", readInOrder(context, "8 KiB chunks in order", path, small));
    yield* trialsOf("readBufferSize", readItems(context, path, small));
    context.remove(path);
    const tiny = contentOf(context, TINY_CHUNKSIZE, TINY_CHUNKS);
    yield* trialsOf("readBufferSize", readInOrder(context, "512 byte chunks in order", path, tiny));
    context.remove(path);
    yield* trialsOf("readBufferSize", openAndList(context, path, { ...small, nchunks: Math.min(small.nchunks, 100) }));
    context.remove(path);
  },
};

function appendTo(context: BenchContext, title: string, contiguous: boolean, content: FrameContent): Workload {
  const { chunksize, nchunks } = content;
  const path = context.newPath();
  return {
    title,
    amount: nchunks,
    chunksize,
    nchunks,
    prepare: () => context.remove(path),
    work: (backend) => {
      using out = createFrame(backend, path, content, { contiguous, durability: "process" });
      appendContent(out, content);
      return nchunks;
    },
  };
}

/**
 * Appending: to one file, where small writes can be collected, and to a file for each chunk, where they can't. Nobody waits for the
 * disk, whose time would hide the calls'.
 */
export const writeBuffer: BenchCase = {
  name: "write-buffer",
  title: "Append small chunks with write buffers of 4, 32 and 128 KiB, and of none",
  async *trials(context: BenchContext) {
    const small = contentOf(context, SMALL_CHUNKSIZE, SMALL_CHUNKS);
    yield* trialsOf("writeBufferSize", appendTo(context, "append 8 KiB chunks", true, small));
    const tiny = contentOf(context, TINY_CHUNKSIZE, TINY_CHUNKS);
    yield* trialsOf("writeBufferSize", appendTo(context, "append 512 byte chunks", true, tiny));
    const sparse = contentOf(context, SMALL_CHUNKSIZE, SPARSE_CHUNKS);
    yield* trialsOf("writeBufferSize", appendTo(context, "append to a sparse frame", false, sparse));
  },
};
