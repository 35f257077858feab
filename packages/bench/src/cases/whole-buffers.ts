/** Whole buffers in memory, against numcodecs. @module */
import { Chunk, chunkFromBytes, compressChunk, defaultEnvironment } from "@b2frame/core/codec";
import Blosc from "numcodecs/blosc";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { timed, timedAsync } from "../clock.js";
import type { DataName } from "../datasets.js";
import { CLEVEL, CODEC, CPARAMS, MIB } from "../parameters.js";
import type { CaseName, Contender, Trial } from "../trial.js";

const DATA: readonly DataName[] = ["int32", "float64", "volume", "incompressible", "zeros"];
const SIZES: readonly number[] = [MIB, 8 * MIB];
/** Each sample works through this much, in repetitions. */
const SAMPLED = 64 * MIB;
const SHUFFLE = 1;
/** numcodecs shuffles in items of 4 bytes, whatever the array. */
const TYPESIZE = 4;

/** What is done with a buffer. */
interface BufferWork {
  readonly name: CaseName;
  readonly title: string;
  /** Done once by b2frame. */
  ours(input: Uint8Array): Uint8Array;
  theirs(input: Uint8Array): Promise<Uint8Array>;
  /** What both are given, of the data. */
  input(data: Uint8Array): Promise<Uint8Array>;
  /** Stands for an output where the sides' may differ. */
  digest(output: Uint8Array): Uint8Array | number;
}

const codec = Blosc.fromConfig({ id: "blosc", cname: CODEC, clevel: CLEVEL, shuffle: SHUFFLE, blocksize: 0 });

async function bufferTrial(work: BufferWork, data: DataName, bytes: Uint8Array): Promise<Trial> {
  const input = await work.input(bytes);
  const repetitions = Math.max(1, Math.floor(SAMPLED / bytes.byteLength));
  const shared = { backend: "memory", workers: 0, amount: repetitions * bytes.byteLength, warmUp: true } as const;
  const contenders: Contender[] = [
    {
      ...shared,
      name: "b2frame",
      sample: () =>
        timed(() => {
          let output = input;
          for (let i = 0; i < repetitions; i++) output = work.ours(input);
          return work.digest(output);
        }),
    },
    {
      ...shared,
      name: "numcodecs",
      sample: () =>
        timedAsync(async () => {
          let output = input;
          for (let i = 0; i < repetitions; i++) output = await work.theirs(input);
          return work.digest(output);
        }),
    },
  ];
  return { data, parameters: { nbytes: bytes.byteLength, repetitions }, unit: "MiB/s", contenders };
}

function bufferCase(work: BufferWork): BenchCase {
  return {
    name: work.name,
    title: work.title,
    async *trials(context: BenchContext) {
      if (!context.numcodecs) return;
      for (const name of context.selectData(DATA)) {
        const { bytes } = context.dataset(name);
        for (const size of SIZES) {
          if (size <= bytes.byteLength) yield await bufferTrial(work, name, bytes.subarray(0, size));
        }
      }
    },
  };
}

const environment = defaultEnvironment();

/** Both decode what numcodecs encoded. */
export const bloscDecode: BenchCase = bufferCase({
  name: "blosc-decode",
  title: "Decode a whole Blosc buffer in memory",
  input: (data) => codec.encode(data) as Promise<Uint8Array>,
  ours: (input) => Chunk.open(chunkFromBytes(input), environment).decompress(),
  theirs: (input) => codec.decode(input) as Promise<Uint8Array>,
  digest: (output) => output,
});

/** b2frame makes a Blosc2 chunk, numcodecs a Blosc one: 16 bytes of header apart, the streams are alike. */
export const bloscEncode: BenchCase = bufferCase({
  name: "blosc-encode",
  title: "Encode a whole buffer in memory",
  input: (data) => Promise.resolve(data),
  ours: (input) => compressChunk(input, { ...CPARAMS, typesize: TYPESIZE }, environment),
  theirs: (input) => codec.encode(input) as Promise<Uint8Array>,
  digest: () => 0,
});
