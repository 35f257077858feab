/** The simulation's writer: it changes the frame at random and says what it is about to commit, and what it has committed. @module */
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import type { ActorProgram, SimulatedState } from "./messages.js";
import { type ActorLine, SimulatedBackend } from "./simulated-backend.js";
import { CHUNK_BYTES, chunkContent, FRAME_PATH, readState, setCommit, TornChunk } from "./simulated-frame.js";

/** Numbers of chunks and commits of one actor are below the next one's. */
const NUMBERS_PER_ACTOR = 4096;
const MANY_CHUNKS = 8;

/** See the module. */
export class Writer {
  readonly #line: ActorLine;
  readonly #program: ActorProgram;
  readonly #random: SeededRandom;
  readonly #backend: SimulatedBackend;
  #schunk: SChunk | undefined;
  /** What the open frame holds by this writer's account; undefined: it has to be read. */
  #state: SimulatedState | undefined;
  #lastNumber: number;

  constructor(line: ActorLine, program: ActorProgram) {
    this.#line = line;
    this.#program = program;
    this.#random = new SeededRandom(program.seed);
    this.#backend = new SimulatedBackend(line);
    this.#lastNumber = program.actor * NUMBERS_PER_ACTOR;
  }

  run(): void {
    for (let i = 0; i < this.#program.operations; i++) {
      this.#line.ask({ kind: "begin" });
      this.#attempt(() => this.#operate());
      this.#line.ask({ kind: "end" });
    }
    this.#line.ask({ kind: "begin" });
    this.#attempt(() => this.#close());
    this.#line.ask({ kind: "end" });
  }

  /** Failures with a code of ours are what the simulation is about; the frame is opened again after one. */
  #attempt(operation: () => void): void {
    try {
      operation();
    } catch (error) {
      if (this.#line.killed) throw error;
      if (error instanceof TornChunk) this.#line.ask({ kind: "violation", message: error.message });
      else if (isBlosc2Error(error)) this.#line.ask({ kind: "failed", code: error.code, message: error.message });
      else throw error;
      this.#abandon();
    }
  }

  /** Closes after a failure. Closing would commit once more, and may say the same again. */
  #abandon(): void {
    const schunk = this.#schunk;
    this.#schunk = undefined;
    this.#state = undefined;
    try {
      schunk?.close();
    } catch (error) {
      if (this.#line.killed || !isBlosc2Error(error)) throw error;
    }
  }

  #operate(): void {
    const { locking } = this.#program;
    const schunk = this.#openFrame();
    if (!locking) {
      this.#state ??= this.#read(schunk);
      this.#change(schunk, this.#state, () => schunk.flush());
    } else {
      const held = schunk.lock();
      this.#change(schunk, this.#read(schunk), () => held.release());
    }
    if (this.#random.oneIn(8)) this.#close();
  }

  #openFrame(): SChunk {
    this.#schunk ??= this.#openOrCreate();
    return this.#schunk;
  }

  #openOrCreate(): SChunk {
    const { layout, locking, checksum } = this.#program;
    this.#state = undefined;
    const there = this.#backend.exists(layout === "sparse" ? `${FRAME_PATH}/chunks.b2frame` : FRAME_PATH);
    if (there) return SChunk.open(FRAME_PATH, this.#backend, { mode: "r+", locking, checksum });
    const state = { commit: 0, chunks: [] };
    this.#line.ask({ kind: "attempt", state });
    const contiguous = layout === "contiguous";
    const shape = { typesize: 4, chunksize: CHUNK_BYTES, cparams: { codec: "lz4", clevel: 1 } };
    const created = SChunk.create({
      urlpath: FRAME_PATH,
      io: this.#backend,
      contiguous,
      locking,
      checksum,
      ...shape,
    });
    this.#line.ask({ kind: "commit", state });
    return created;
  }

  /** What the frame holds, which is told as any reader's finding. */
  #read(schunk: SChunk): SimulatedState {
    this.#line.ask({ kind: "read-begin" });
    if (!this.#program.locking) schunk.refresh();
    const state = readState(schunk, (count) => this.#random.permutation(count));
    this.#line.ask({ kind: "found", state });
    return state;
  }

  #change(schunk: SChunk, before: SimulatedState, commit: () => void): void {
    const chunks = [...before.chunks];
    for (let left = this.#random.integer(1, 3); left > 0; left--) this.#changeChunks(schunk, chunks);
    const state = { commit: ++this.#lastNumber, chunks };
    setCommit(schunk, state.commit);
    this.#line.ask({ kind: "attempt", state });
    if (this.#random.oneIn(6)) schunk.compact();
    commit();
    this.#line.ask({ kind: "commit", state });
    this.#state = state;
  }

  #changeChunks(schunk: SChunk, chunks: number[]): void {
    const count = chunks.length;
    const number = ++this.#lastNumber;
    const at = count === 0 ? 0 : this.#random.integer(0, count - 1);
    const choice = this.#random.integer(0, 9);
    if (count > 0 && (choice < 2 || count > MANY_CHUNKS)) {
      for (let left = this.#random.oneIn(4) ? count : 1; left > 0; left--) {
        schunk.deleteChunk(chunks.length - 1);
        chunks.pop();
      }
    } else if (count > 0 && choice < 5) {
      schunk.updateData(at, chunkContent(number));
      chunks[at] = number;
    } else if (choice < 7) {
      schunk.insertData(at, chunkContent(number));
      chunks.splice(at, 0, number);
    } else {
      schunk.appendData(chunkContent(number));
      chunks.push(number);
    }
  }

  #close(): void {
    const schunk = this.#schunk;
    this.#schunk = undefined;
    this.#state = undefined;
    schunk?.close();
  }
}
