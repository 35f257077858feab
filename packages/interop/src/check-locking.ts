/** Frames that b2frame and python-blosc2 have open at the same time, each with its lock. @module */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  asarray,
  type IoBackend,
  isBlosc2Error,
  type NDArray,
  openArray,
  openUdio,
  SChunk,
  type SChunkCreateOptions,
  type SChunkOpenOptions,
} from "@b2frame/core";
import { mmap } from "@b2frame/io-mmap";
import { stdio } from "@b2frame/io-stdio";
import {
  applyToFrame,
  applyToState,
  ITEMS,
  type LockedState,
  type LockedStep,
  piece,
  randomStep,
} from "./locked-step.js";
import type { PythonPeer } from "./python-peer.js";
import { SeededRandom } from "./seeded-random.js";

const TURNS = 16;
/** Chunks that each process appends while the others do. */
const APPENDED_AT_ONCE = 12;
const CHUNK_SHAPE = [3, ITEMS] as const;
const BACKENDS: readonly IoBackend[] = [stdio(), mmap()];
const OPEN: SChunkOpenOptions = { mode: "r+", locking: { wait: 60_000 } };
const REFUSED: SChunkOpenOptions = { mode: "r+", locking: { wait: 0 } };

/** Someone who has the frame open. */
interface Party {
  readonly name: string;
  step(step: LockedStep): unknown;
  read(): Content | Promise<Content>;
  close(): unknown;
}

/** What a party finds. */
interface Content {
  readonly data: Uint8Array;
  /** Of super-chunks only. */
  readonly vlmeta?: Readonly<Record<string, unknown>>;
}

/** What a round of turns is about. */
interface Place {
  readonly path: string;
  readonly array: boolean;
  readonly contiguous: boolean;
}

async function pythonParty(peer: PythonPeer, handle: string, place: Place): Promise<Party> {
  const { path, array } = place;
  await peer.request("locked-open", { handle, path });
  return {
    name: `python-blosc2 (${handle})`,
    step: (step) => peer.request("locked-step", { handle, step }),
    async read() {
      const { data, vlmeta } = await peer.request("locked-read", { handle, array });
      return {
        data: new Uint8Array(Buffer.from(data as string, "base64")),
        ...(array ? {} : { vlmeta: vlmeta as Record<string, unknown> }),
      };
    },
    close: () => peer.request("locked-close", { handle }),
  };
}

function ownParty(backend: IoBackend, { path, array }: Place, options: SChunkOpenOptions): Party {
  const frame: SChunk | NDArray = array
    ? openArray(path, { io: backend, ...options })
    : openUdio(path, backend, options);
  return {
    name: `b2frame (${backend.name})`,
    step: (step) => applyToFrame(frame, step),
    read() {
      if (!(frame instanceof SChunk)) return { data: frame.get().bytes };
      using _ = frame.lock("shared");
      const names = frame.vlmeta.keys().toSorted();
      return {
        data: frame.getSlice(),
        vlmeta: Object.fromEntries(names.map((name) => [name, Number(frame.vlmeta.getValue(name))])),
      };
    },
    close: () => frame.close(),
  };
}

/**
 * A frame of one chunk or row. An empty one won't do: a handle of C-Blosc2 3.3.5 that was opened before another, of C-Blosc2 as well, added
 * the first chunk damages the frame when it sets a vlmetalayer or deletes.
 */
async function create(place: Place, random: SeededRandom, peer: PythonPeer): Promise<Uint8Array> {
  const { path, array, contiguous } = place;
  const data = piece(random.integer(0, 999), true);
  const chunkShape = [...CHUNK_SHAPE];
  if (random.oneIn(2)) {
    await peer.request("locked-create", { path, array, contiguous, chunks: chunkShape, data });
    return data;
  }
  const backend = random.pick(BACKENDS.filter(({ capabilities }) => contiguous || capabilities.sparseFrames));
  const options: SChunkCreateOptions = { urlpath: path, io: backend, contiguous, locking: true };
  const items = new Int32Array(data.buffer);
  if (array) asarray(items, { ...options, shape: [1, ITEMS], chunks: chunkShape, blocks: chunkShape }).close();
  else SChunk.create({ ...options, data: items, chunksize: data.byteLength }).close();
  return data;
}

function requireState(
  found: Awaited<ReturnType<Party["read"]>>,
  { pieces, vlmeta }: LockedState,
  reader: string,
): void {
  const data = Buffer.concat(pieces);
  if (!data.equals(found.data)) {
    throw new Error(`${reader} reads ${found.data.byteLength} bytes, or other ones; ${data.byteLength} were written`);
  }
  const expected = JSON.stringify(Object.entries(Object.fromEntries(vlmeta)).toSorted());
  const stored = JSON.stringify(Object.entries(found.vlmeta ?? {}).toSorted());
  if (found.vlmeta !== undefined && expected !== stored) {
    throw new Error(`${reader} reads vlmetalayers ${stored}; ${expected} were written`);
  }
}

/** Two of each kind change the frame in random order, and each sees what the others did. */
async function takeTurns(random: SeededRandom, place: Place, peers: readonly PythonPeer[]): Promise<void> {
  const first = await create(place, random, peers[0] as PythonPeer);
  const state: LockedState = { pieces: [first], vlmeta: new Map() };
  const parties: Party[] = [];
  try {
    for (const [i, peer] of peers.entries()) parties.push(await pythonParty(peer, `handle ${i}`, place));
    for (const backend of BACKENDS) {
      const able = place.contiguous || backend.capabilities.sparseFrames;
      const durability = random.pick(["disk", "process"] as const);
      parties.push(ownParty(able ? backend : (BACKENDS[0] as IoBackend), place, { ...OPEN, durability }));
    }
    const done: string[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const step = randomStep(random, state, place.array);
      const writer = random.pick(parties);
      const reader = random.pick(parties);
      done.push(`${writer.name}: ${step.op}`);
      try {
        await writer.step(step);
        applyToState(state, step);
        requireState(await reader.read(), state, reader.name);
      } catch (error) {
        throw new Error(`${JSON.stringify(place)}: ${(error as Error).message}, after ${done.join(", ")}`);
      }
    }
    for (const reader of parties) requireState(await reader.read(), state, reader.name);
  } finally {
    for (const party of parties) await party.close();
  }
}

/** All append at the same time. */
async function appendAtOnce(place: Place, peers: readonly PythonPeer[], io: string): Promise<void> {
  const { path, contiguous } = place;
  const data = new Int32Array(piece(-1, true).buffer);
  SChunk.create({ urlpath: path, io: BACKENDS[0], contiguous, data, chunksize: data.byteLength }).close();
  const program = fileURLToPath(new URL("./append-locked.js", import.meta.url));
  const series = [...peers, undefined].map((_, writer) => ({
    first: 1000 * writer,
    values: Array.from({ length: APPENDED_AT_ONCE }, (__, i) => 1000 * writer + i),
  }));
  const own = series[peers.length] as (typeof series)[number];
  const child = spawn(process.execPath, [program, path, io, String(APPENDED_AT_ONCE), String(own.first)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  for (const peer of peers) await peer.request("locked-open", { handle: "at once", path });
  child.stdin.end();
  const steps = peers.map((_, i) => series[i]?.values.map((value) => ({ op: "append", data: piece(value, true) })));
  await Promise.all(peers.map((peer, i) => peer.request("locked-steps", { handle: "at once", steps: steps[i] })));
  const [status] = await exit;
  if (status !== 0) throw new Error(`the process that appends ended with ${status}`);
  for (const peer of peers) await peer.request("locked-close", { handle: "at once" });
  using schunk = openUdio(path, BACKENDS[0] as IoBackend);
  const found = Array.from(schunk.iterChunks(), (bytes) => new Int32Array(bytes.buffer)[0] as number);
  for (const { values } of series) {
    const kept = found.filter((value) => values.includes(value));
    if (kept.join() !== values.join()) throw new Error(`of the chunks ${values.join()} there are ${kept.join()}`);
  }
}

function requireRefused(action: () => unknown, holder: string): void {
  try {
    action();
  } catch (error) {
    if (isBlosc2Error(error, "BLOSC2_IO_LOCKED")) return;
    throw error;
  }
  throw new Error(`${holder} held the lock, and b2frame went on`);
}

/** One holds the lock for several operations, and the other is refused, or waits. */
async function keepOut(place: Place, peer: PythonPeer, backend: IoBackend): Promise<void> {
  const { path, contiguous } = place;
  const data = new Int32Array(piece(0, true).buffer);
  using frame = SChunk.create({
    urlpath: path,
    io: backend,
    contiguous,
    data,
    chunksize: data.byteLength,
    locking: true,
  });
  using refused = openUdio(path, backend, REFUSED);
  const handle = "held";
  await peer.request("locked-open", { handle, path });
  await peer.request("locked-hold", { handle });
  requireRefused(() => refused.appendData(piece(1, true)), "python-blosc2");
  requireRefused(() => refused.vlmeta.keys(), "python-blosc2");
  await peer.request("locked-step", { handle, step: { op: "append", data: piece(1, true) } });
  requireRefused(() => openUdio(path, backend, REFUSED), "python-blosc2");
  await peer.request("locked-release", { handle });
  const held = frame.lock();
  const waiting = peer.request("locked-step", { handle, step: { op: "append", data: piece(3, true) } });
  frame.appendData(piece(2, true));
  held.release();
  await waiting;
  const values = Array.from(refused.iterChunks(), (bytes) => new Int32Array(bytes.buffer)[0]);
  if (values.join() !== "0,1,2,3") throw new Error(`chunks ${values.join()} rather than 0,1,2,3`);
  await peer.request("locked-close", { handle });
}

/**
 * Locks a frame and an array in several processes.
 *
 * @throws Error that says who saw or lost what.
 */
export async function checkLocking(seed: number, folder: string, peers: readonly PythonPeer[]): Promise<void> {
  const random = new SeededRandom(seed);
  const contiguous = random.oneIn(2);
  const backend = contiguous ? random.pick(BACKENDS) : (BACKENDS[0] as IoBackend);
  const place = (name: string, array = false): Place => ({ path: `${folder}/${name}-${seed}`, array, contiguous });
  await takeTurns(random, place("turns"), peers);
  await takeTurns(random, place("array-turns", true), peers);
  await appendAtOnce(place("at-once"), peers, backend.name);
  await keepOut(place("held"), peers[0] as PythonPeer, backend);
}
