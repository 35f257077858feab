/** Zarr arrays that zarrita with our codecs and zarr-python write in turn, and chunks that b2frame and numcodecs exchange. @module */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defaultEnvironment } from "@b2frame/core/codec";
import { bloscEntry, registerBloscCodecs } from "@b2frame/zarr";
import * as zarr from "zarrita";
import { sha256 } from "./compare-state.js";
import type { Participant } from "./participants.js";
import type { PythonPeer } from "./python-peer.js";
import { sampleData } from "./sample-data.js";
import { SeededRandom } from "./seeded-random.js";

const CNAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"] as const;
const SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"] as const;
const DTYPES = [
  ["|u1", "uint8", 1],
  ["<i2", "int16", 2],
  ["<f4", "float32", 4],
  ["<f8", "float64", 8],
] as const;
const ARRAY_TYPES = { uint8: Uint8Array, int16: Int16Array, float32: Float32Array, float64: Float64Array };
const TURNS = 3;

/** A directory as zarrita wants it. */
class DirectoryStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get(key: string): Promise<Uint8Array | undefined> {
    const path = join(this.#path, key);
    return Promise.resolve(existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined);
  }

  set(key: string, value: Uint8Array): Promise<void> {
    const path = join(this.#path, key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, value);
    return Promise.resolve();
  }
}

function product(shape: readonly number[]): number {
  return shape.reduce((all, size) => all * size, 1);
}

function strides(shape: readonly number[]): number[] {
  return shape.map((_, dim) => product(shape.slice(dim + 1)));
}

/** What both write into. */
interface ZarrPlan {
  readonly format: 2 | 3;
  readonly dtype: (typeof DTYPES)[number];
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  readonly cname: (typeof CNAMES)[number];
  readonly shuffle: (typeof SHUFFLES)[number];
  readonly clevel: number;
  readonly blocksize: number;
}

function planOf(random: SeededRandom): ZarrPlan {
  const shape = Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 40));
  return {
    format: random.pick([2, 3]),
    dtype: random.pick(DTYPES),
    shape,
    chunkShape: shape.map((size) => random.integer(1, size)),
    cname: random.pick(CNAMES),
    shuffle: random.pick(SHUFFLES),
    clevel: random.integer(0, 9),
    blocksize: random.pick([0, 0, 200, 1024]),
  };
}

/** Sets a box of the array at `path`, made first if `create`. zarrita makes Zarr v3 arrays only. */
async function setBox(
  path: string,
  plan: ZarrPlan,
  create: boolean,
  box: { start: readonly number[]; stop: readonly number[] },
  bytes: Uint8Array,
): Promise<void> {
  const { dtype, shape, chunkShape, cname, shuffle, clevel, blocksize, format } = plan;
  const [, dataType, itemsize] = dtype;
  const store = new DirectoryStore(path);
  let array: zarr.Array<zarr.NumberDataType, DirectoryStore>;
  if (create) {
    array = await zarr.create(store, {
      shape: [...shape],
      chunkShape: [...chunkShape],
      dtype: dataType as zarr.NumberDataType,
      // The null that stands for none is zarrita's alone.
      fillValue: 0,
      codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "blosc", configuration: { cname, clevel, shuffle, typesize: itemsize, blocksize } },
      ],
    });
  } else {
    const open = format === 2 ? zarr.open.v2 : zarr.open.v3;
    array = (await open(store, { kind: "array" })) as zarr.Array<zarr.NumberDataType, DirectoryStore>;
  }
  const boxShape = box.stop.map((stop, dim) => stop - (box.start[dim] as number));
  const data = new ARRAY_TYPES[dataType](bytes.slice().buffer);
  const selection = box.stop.map((stop, dim) => zarr.slice(box.start[dim] as number, stop));
  await zarr.set(array, selection, { data, shape: boxShape, stride: strides(boxShape) });
}

async function readAll(path: string, format: 2 | 3): Promise<{ shape: readonly number[]; content: string }> {
  const open = format === 2 ? zarr.open.v2 : zarr.open.v3;
  const array = await open(new DirectoryStore(path), { kind: "array" });
  const { data } = await zarr.get(array);
  const view = data as ArrayBufferView;
  return { shape: array.shape, content: sha256(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)) };
}

/** The oracle: sets a box of an array kept as its bytes. */
function setModel(
  model: Uint8Array,
  shape: readonly number[],
  itemsize: number,
  box: { start: readonly number[]; stop: readonly number[] },
  bytes: Uint8Array,
): void {
  const boxShape = box.stop.map((stop, dim) => stop - (box.start[dim] as number));
  const modelStrides = strides(shape);
  const boxStrides = strides(boxShape);
  for (let i = 0; i < product(boxShape); i++) {
    const target = boxStrides.reduce((sum, stride, dim) => {
      const index = Math.floor(i / stride) % (boxShape[dim] as number);
      return sum + (index + (box.start[dim] as number)) * (modelStrides[dim] as number);
    }, 0);
    model.set(bytes.subarray(i * itemsize, (i + 1) * itemsize), target * itemsize);
  }
}

function requireEqual(what: string, expected: unknown, found: unknown, facts: object): void {
  const [wanted, given] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== given) throw new Error(`${what}: expected ${wanted}, found ${given}\n  ${JSON.stringify(facts)}`);
}

/** Both sides set boxes of one array in turn and read all of it after each. */
async function checkArray(
  random: SeededRandom,
  path: string,
  participant: Participant,
  peer: PythonPeer,
): Promise<void> {
  const plan = planOf(random);
  const [text, , itemsize] = plan.dtype;
  const { format, shape, chunkShape, cname, clevel, shuffle, blocksize } = plan;
  const facts = { ...plan, participant: participant.name };
  const number = SHUFFLES.indexOf(shuffle);
  const compressor =
    format === 2
      ? { cname, clevel, shuffle: random.oneIn(4) ? -1 : number, blocksize }
      : { cname, clevel, shuffle, blocksize, typesize: itemsize };
  registerBloscCodecs(zarr.registry, participant.options);
  const model = new Uint8Array(product(shape) * itemsize);
  const first = format === 2 ? 1 : random.integer(0, 1);
  for (let turn = 0; turn < TURNS; turn++) {
    const start = shape.map((size) => random.integer(0, size - 1));
    const stop = shape.map((size, dim) => random.integer((start[dim] as number) + 1, size));
    const count = product(stop.map((to, dim) => to - (start[dim] as number)));
    const data = sampleData(random, count, itemsize, false);
    setModel(model, shape, itemsize, { start, stop }, data);
    if ((turn + first) % 2 === 0) await setBox(path, plan, turn === 0, { start, stop }, data);
    else {
      const request = {
        path,
        format,
        shape,
        chunkShape,
        dtype: text,
        compressor,
        create: turn === 0,
        start,
        stop,
        data,
      };
      await peer.request("set-zarr", request);
    }
    const expected = { shape, content: sha256(model) };
    requireEqual(`turn ${turn}, zarrita reads`, expected, await readAll(path, format), facts);
    const { ok, ...found } = await peer.request("describe-zarr", { path });
    requireEqual(`turn ${turn}, zarr-python reads`, expected, found, facts);
  }
}

/** One buffer as a chunk of each side, decompressed by the other. */
async function checkChunk(random: SeededRandom, { options, name }: Participant, peer: PythonPeer): Promise<void> {
  const [text, dataType, itemsize] = random.pick(DTYPES);
  const data = sampleData(random, random.magnitude(1, 100_000), itemsize, false);
  const compressor = {
    cname: random.pick(CNAMES),
    clevel: random.integer(0, 9),
    shuffle: random.integer(-1, 2),
    blocksize: random.pick([0, 0, 500, 4096]),
  };
  const facts = { ...compressor, text, byteLength: data.byteLength, participant: name };
  const codec = bloscEntry(defaultEnvironment(options)).fromConfig(compressor, { dataType });
  const content = sha256(data);
  const decoded = await peer.request("decode-blosc", { chunk: codec.encode(data) });
  requireEqual("numcodecs decodes", content, decoded.content, facts);
  const { chunk } = await peer.request("encode-blosc", { data, dtype: text, compressor });
  const bytes = new Uint8Array(Buffer.from(chunk as string, "base64"));
  requireEqual("b2frame decodes", content, sha256(codec.decode(bytes)), facts);
}

/**
 * The Zarr checks of a seed, on an array at `path`, which is removed first.
 *
 * @throws Error when a side does not read what was written.
 */
export async function checkZarr(
  seed: number,
  path: string,
  participants: readonly Participant[],
  peer: PythonPeer,
): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  const random = new SeededRandom(seed ^ 0x2a77);
  const participant = participants[seed % participants.length] as Participant;
  await checkChunk(random, participant, peer);
  await checkArray(random, path, participant, peer);
}
