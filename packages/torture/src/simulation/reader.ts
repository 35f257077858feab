/** The simulation's reader: it follows the frame and says what it found, or why it could not. @module */
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import type { ActorProgram, SimulatedState } from "./messages.js";
import { type ActorLine, SimulatedBackend } from "./simulated-backend.js";
import { FRAME_PATH, readState, TornChunk } from "./simulated-frame.js";

/** See the module. */
export class Reader {
  readonly #line: ActorLine;
  readonly #program: ActorProgram;
  readonly #random: SeededRandom;
  readonly #backend: SimulatedBackend;
  #schunk: SChunk | undefined;

  constructor(line: ActorLine, program: ActorProgram) {
    this.#line = line;
    this.#program = program;
    this.#random = new SeededRandom(program.seed);
    this.#backend = new SimulatedBackend(line);
  }

  run(): void {
    for (let i = 0; i < this.#program.operations; i++) {
      try {
        this.#line.ask({ kind: "read-begin" });
        const schunk = this.#openFrame();
        // A frame that is read twice without a refresh in between is one commit both times.
        for (let times = this.#random.integer(1, 2); times > 0; times--) {
          const state = this.#readWhole(schunk);
          this.#line.ask({ kind: "found", state });
        }
      } catch (error) {
        if (this.#line.killed) throw error;
        if (error instanceof TornChunk) this.#line.ask({ kind: "violation", message: error.message });
        else if (isBlosc2Error(error))
          this.#line.ask({ kind: "read-failed", code: error.code, message: error.message });
        else throw error;
        if (this.#random.oneIn(2)) this.#close();
      }
    }
    this.#close();
  }

  /** Opens the frame, or brings what is open up to date. */
  #openFrame(): SChunk {
    const { locking, checksum } = this.#program;
    if (this.#random.oneIn(4)) this.#close();
    if (this.#schunk === undefined) this.#schunk = SChunk.open(FRAME_PATH, this.#backend, { locking, checksum });
    else this.#schunk.refresh();
    return this.#schunk;
  }

  #readWhole(schunk: SChunk): SimulatedState {
    const order = (count: number): number[] => this.#random.permutation(count);
    if (!this.#program.locking) return readState(schunk, order);
    using _held = schunk.lock("shared");
    return readState(schunk, order);
  }

  #close(): void {
    const schunk = this.#schunk;
    this.#schunk = undefined;
    schunk?.close();
  }
}
