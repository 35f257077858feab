/** One run of the simulation: a seed decides who takes part, who goes next at each call, who is killed, and what others do to the file. @module */
import { SeededRandom } from "@b2frame/interop/seeded-random";
import { carryOut, onlooker } from "./carry-out.js";
import type { CastMember } from "./cast.js";
import { History } from "./history.js";
import type { ActorCall, ActorProgram, Answer, DiskCall, Layout, Note } from "./messages.js";
import { SimulatedBackend } from "./simulated-backend.js";
import { DiskFailure, SimulatedDisk } from "./simulated-disk.js";
import { FRAME_PATH, readAfresh } from "./simulated-frame.js";

/** Most actors of a run. */
export const MAX_ACTORS = 4;
/** The actor number of who looks on. */
const ONLOOKER = -1;
/** A run that makes more calls than this hangs. */
const MAX_CALLS = 20_000;
const SECTOR_BYTES = 512;
const FOREIGN_FILES = ["frame.txt", "frame.b2frame.bak"] as const;

type Part = { readonly member: CastMember; readonly program: ActorProgram; call: ActorCall; inOperation: boolean };

function isNote(call: ActorCall): call is Note {
  const { kind } = call;
  return (
    kind === "next" ||
    kind === "begin" ||
    kind === "end" ||
    kind === "attempt" ||
    kind === "commit" ||
    kind === "failed" ||
    kind === "read-begin" ||
    kind === "found" ||
    kind === "read-failed" ||
    kind === "violation"
  );
}

/** See the module. */
class Run {
  readonly #random: SeededRandom;
  readonly #disk = new SimulatedDisk();
  readonly #history: History;
  readonly #parts: Part[] = [];
  readonly #layout: Layout;
  readonly #locking: boolean;
  readonly #foreigner: "none" | "replace" | "truncate" | "remove";
  readonly #kills: boolean;
  #violation: string | undefined;
  #favoured: { readonly part: Part; readonly calls: number } | undefined;
  #foreignActs = 0;

  constructor(seed: number, cast: readonly CastMember[]) {
    const random = new SeededRandom(seed);
    this.#random = random;
    this.#layout = random.oneIn(2) ? "contiguous" : "sparse";
    this.#locking = random.oneIn(3);
    this.#kills = random.oneIn(3);
    const foreigners =
      this.#layout === "sparse" || this.#locking
        ? (["replace"] as const)
        : (["replace", "truncate", "remove"] as const);
    this.#foreigner = random.oneIn(3) ? random.pick(foreigners) : "none";
    const checksum = random.oneIn(4);
    const backend = new SimulatedBackend(onlooker(this.#disk, ONLOOKER));
    this.#history = new History(() => readAfresh(backend, checksum));
    const writers = random.integer(1, 2);
    const actors = random.integer(writers + (writers === 1 ? 1 : 0), MAX_ACTORS);
    for (const name of FOREIGN_FILES)
      this.#disk.replace(
        name,
        Uint8Array.from(name, (char) => char.charCodeAt(0)),
      );
    for (let actor = 0; actor < actors; actor++) {
      const program: ActorProgram = {
        role: actor < writers ? "writer" : "reader",
        actor,
        seed: random.bits(),
        layout: this.#layout,
        locking: this.#locking,
        checksum,
        operations: random.integer(2, 6),
      };
      this.#join(cast[actor] as CastMember, program);
      // The frame is there before the others come.
      if (actor === 0) this.#createFrame();
    }
  }

  #join(member: CastMember, program: ActorProgram): void {
    const part: Part = { member, program, call: member.begin(program), inOperation: false };
    this.#parts.push(part);
    this.#listen(part);
  }

  #createFrame(): void {
    const [part] = this.#parts as [Part];
    while (!this.#history.created && part.call.kind !== "next" && this.#violation === undefined) this.#step(part);
  }

  /** Hears what an actor says until it stands at a call of the disk, before an operation, or at its end. */
  #listen(part: Part): void {
    while (isNote(part.call) && part.call.kind !== "next" && part.call.kind !== "begin") {
      const violation = this.#hear(part, part.call);
      if (violation !== undefined) this.#violation ??= `${part.program.role} ${part.program.actor}: ${violation}`;
      this.#proceed(part, { kind: "result", result: undefined });
    }
  }

  #hear(part: Part, note: Note): string | undefined {
    const { actor, role } = part.program;
    const history = this.#history;
    switch (note.kind) {
      case "end":
        part.inOperation = false;
        return undefined;
      case "attempt":
        history.noteAttempt(actor, note.state);
        return undefined;
      case "commit":
        return history.noteCommit(actor, note.state);
      case "failed":
        return history.noteFailed(actor, note.code, note.message);
      case "read-begin":
        history.noteReadBegin(actor);
        return undefined;
      case "found":
        return history.noteRead(actor, note.state, role === "reader" && !this.#locking);
      case "read-failed":
        return history.noteReadFailed(actor, note.code, note.message);
      case "violation":
        return note.message;
      default:
        return undefined;
    }
  }

  #proceed(part: Part, answer: Answer): void {
    part.call = part.member.proceed(answer);
  }

  /** Whether an actor's call may happen now. */
  #isReady(part: Part): boolean {
    const { call } = part;
    if (call.kind === "next") return false;
    if (call.kind === "acquire") return this.#disk.isFree(call.lock, call.lockKind);
    // Without locks a writer must have the frame to itself while it works; others may come between its operations.
    if (call.kind === "begin") return this.#locking || !this.#parts.some((other) => other.inOperation);
    return true;
  }

  /** Lets an actor's call happen, and hears what follows from it. */
  #step(part: Part): void {
    const { call } = part;
    if (call.kind === "begin") {
      part.inOperation = true;
      this.#proceed(part, { kind: "result", result: undefined });
    } else {
      this.#proceed(part, this.#carryOut(part, call as DiskCall));
    }
    this.#listen(part);
  }

  #carryOut(part: Part, call: DiskCall): Answer {
    try {
      return { kind: "result", result: carryOut(this.#disk, part.program.actor, call) };
    } catch (error) {
      if (!(error instanceof DiskFailure)) throw error;
      return { kind: "failure", code: error.code, message: error.message };
    }
  }

  /** Ends an actor's process at its call, of which a part may have happened; it may come back as a new process. */
  #kill(part: Part): void {
    const { call, program } = part;
    if (call.kind === "write" && this.#random.oneIn(2)) {
      // A sector is written whole or not at all.
      const end = call.position + this.#random.integer(0, call.bytes.byteLength);
      const kept = Math.max(0, end - (end % SECTOR_BYTES) - call.position);
      this.#carryOut(part, { ...call, bytes: call.bytes.subarray(0, kept) });
    }
    this.#disk.endActor(program.actor);
    this.#proceed(part, { kind: "killed" });
    part.inOperation = false;
    const violation = program.role === "writer" ? this.#history.settle(program.actor) : undefined;
    if (violation !== undefined)
      this.#violation ??= `${program.role} ${program.actor}, killed at ${call.kind}: ${violation}`;
  }

  /** What a program does that knows nothing of frames. */
  #interfere(): void {
    this.#foreignActs++;
    const path = this.#layout === "sparse" ? `${FRAME_PATH}/chunks.b2frame` : FRAME_PATH;
    const content = this.#disk.content(path);
    if (content === undefined) return;
    if (this.#foreigner === "replace") {
      this.#disk.replace(path, content);
    } else if (this.#foreigner === "truncate") {
      this.#disk.truncateAt(path, this.#random.integer(0, content.byteLength - 1));
      this.#history.noteCut(this.#parts.map(({ program }) => program.actor));
    } else {
      this.#disk.remove(path);
      this.#history.noteRemoved(this.#parts.map(({ program }) => program.actor));
    }
  }

  /** @returns what was violated first, or undefined */
  play(): string | undefined {
    for (let calls = 0; this.#violation === undefined; calls++) {
      const present = this.#parts.filter(({ call }) => call.kind !== "next");
      if (present.length === 0) break;
      if (calls > MAX_CALLS) {
        this.#violation = "the run does not end";
        break;
      }
      const idle = !this.#parts.some((part) => part.inOperation);
      if (this.#foreigner !== "none" && this.#foreignActs < 1 && idle && this.#random.oneIn(6)) this.#interfere();
      const ready = present.filter((part) => this.#isReady(part));
      if (ready.length === 0) {
        this.#refuseLock(present);
        continue;
      }
      const part = this.#pick(ready);
      if (this.#kills && part.call.kind !== "begin" && this.#random.oneIn(60)) this.#kill(part);
      else this.#step(part);
    }
    this.#violation ??= this.#history.finish() ?? this.#findTouched();
    for (const part of this.#parts) this.#endPart(part);
    return this.#violation === undefined ? undefined : `${this.#describe()}: ${this.#violation}`;
  }

  /** Who goes next: anybody, or for a while the same one again and again, so that much happens between two calls of the others. */
  #pick(ready: readonly Part[]): Part {
    const { part: favoured, calls } = this.#favoured ?? { part: undefined, calls: 0 };
    if (favoured !== undefined && calls > 0 && ready.includes(favoured)) {
      this.#favoured = { part: favoured, calls: calls - 1 };
      return favoured;
    }
    const part = this.#random.pick(ready);
    this.#favoured = this.#random.oneIn(12) ? { part, calls: this.#random.integer(20, 200) } : undefined;
    return part;
  }

  /** All wait for each other: one of them waits no longer. */
  #refuseLock(present: readonly Part[]): void {
    const part = this.#random.pick(present.filter(({ call }) => call.kind === "acquire"));
    this.#proceed(part, { kind: "failure", code: "BLOSC2_IO_LOCKED", message: "others keep the lock" });
    this.#listen(part);
  }

  #findTouched(): string | undefined {
    const touched = FOREIGN_FILES.find((name) => String.fromCharCode(...(this.#disk.content(name) ?? [])) !== name);
    return touched === undefined ? undefined : `${touched}, which is none of the frame's, was changed`;
  }

  #endPart(part: Part): void {
    while (part.call.kind !== "next") this.#proceed(part, { kind: "killed" });
  }

  #describe(): string {
    const who = this.#parts.map(({ program }) => program.role).join(", ");
    return `${this.#layout}, ${this.#locking ? "locks" : "no locks"}, others: ${this.#foreigner}, ${who}`;
  }
}

/** @returns what was violated, with the facts of the run; undefined if nothing was */
export function runSimulation(seed: number, cast: readonly CastMember[]): string | undefined {
  return new Run(seed, cast).play();
}
