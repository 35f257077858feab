/**
 * What a run's frame may hold at each instant, and the promises that are held against it:
 *
 * 1. A commit that was reported is what the next to open the frame finds.
 * 2. What is read is one commit, whole, and none from before the reader opened or refreshed; without another refresh it stays that commit.
 * 3. After a failed or killed commit the frame holds the last commit or that one.
 * 4. What can't be kept is an error with a code that says why.
 * 5. Files that are none of the frame's are left alone.
 *
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import type { SimulatedState } from "./messages.js";

/** What others have done to the frame. */
export type FrameFate = "kept" | "damaged" | "gone";

/** What a reader has been told since it began. */
interface OpenRead {
  /** Commits before this one are too old for it. */
  readonly floor: number;
  found: SimulatedState | undefined;
}

/** What readers may be told where nobody but writers of b2frame touches the frame: that it has changed, try again. */
const CHANGE_CODES: ReadonlySet<string> = new Set(["BLOSC2_IO_STALE", "BLOSC2_IO_CHANGED", "BLOSC2_IO_MOVED"]);

function describe({ commit, chunks }: SimulatedState): string {
  return `commit ${commit} with chunks ${chunks.join(" ") || "none"}`;
}

/** See the module. Each `note...` gives a violation, or undefined. */
export class History {
  readonly #commits: SimulatedState[] = [];
  readonly #attempts = new Map<number, SimulatedState>();
  readonly #reads = new Map<number, OpenRead>();
  readonly #lookAfresh: () => SimulatedState;
  /** The others' doing so far. */
  #fate: FrameFate = "gone";
  /** Who has been at work since the frame was damaged or went; what such an actor is told may be of then, though it is whole again. */
  readonly #witnesses = new Set<number>();

  /** @param lookAfresh what the next to open the frame would find */
  constructor(lookAfresh: () => SimulatedState) {
    this.#lookAfresh = lookAfresh;
  }

  /** The frame has been removed. */
  noteRemoved(actors: Iterable<number>): void {
    this.#setFate("gone", actors);
  }

  /** The frame's file has been cut: perhaps no further than to where the frame ends. */
  noteCut(actors: Iterable<number>): void {
    if (this.#fate !== "kept") return;
    const last = this.#commits.at(-1);
    try {
      if (isDeepStrictEqual(this.#lookAfresh(), last)) return;
    } catch {
      // It is damaged, then.
    }
    this.#setFate("damaged", actors);
  }

  #setFate(fate: FrameFate, actors: Iterable<number>): void {
    this.#fate = fate;
    for (const actor of actors) this.#witnesses.add(actor);
  }

  /** Whether the frame has been whole for as long as an actor's operation lasted. */
  #wasWhole(actor: number): boolean {
    const witness = this.#witnesses.delete(actor);
    return this.#fate === "kept" && !witness;
  }

  /** Whether anything has been committed yet. */
  get created(): boolean {
    return this.#commits.length > 0;
  }

  noteAttempt(actor: number, state: SimulatedState): void {
    this.#attempts.set(actor, state);
  }

  noteCommit(actor: number, state: SimulatedState): string | undefined {
    this.#attempts.delete(actor);
    if (this.#fate === "damaged")
      return `reported as committed to a file that another program had cut: ${describe(state)}`;
    this.#fate = "kept";
    this.#witnesses.delete(actor);
    this.#commits.push(state);
    return this.#requireOneOf([state], "after a reported commit");
  }

  /** A commit failed, or its writer was killed: whether it took place is seen by looking. */
  settle(actor: number): string | undefined {
    const attempt = this.#attempts.get(actor);
    this.#attempts.delete(actor);
    if (this.#fate === "gone" && attempt !== undefined) this.#settleNew(attempt);
    if (this.#fate !== "kept" || !this.created) return undefined;
    const last = this.#commits.at(-1) as SimulatedState;
    const possible = attempt === undefined ? [last] : [last, attempt];
    const violation = this.#requireOneOf([...possible, ...this.#attempts.values()], "after a commit that failed");
    if (violation === undefined && attempt !== undefined && isDeepStrictEqual(this.#lookAfresh(), attempt)) {
      this.#commits.push(attempt);
    }
    return violation;
  }

  /** Whoever made the frame again after it was removed may have ended before that was reported. */
  #settleNew(attempt: SimulatedState): void {
    try {
      if (!isDeepStrictEqual(this.#lookAfresh(), attempt)) return;
    } catch {
      // There is none yet.
      return;
    }
    this.#fate = "kept";
    this.#commits.push(attempt);
  }

  noteReadBegin(actor: number): void {
    if (this.#fate === "kept") this.#witnesses.delete(actor);
    else this.#witnesses.add(actor);
    this.#reads.set(actor, { floor: Math.max(0, this.#commits.length - 1), found: undefined });
  }

  /** @param pinned whether the reader stays with what it found first */
  noteRead(actor: number, state: SimulatedState, pinned: boolean): string | undefined {
    const read = this.#reads.get(actor) ?? { floor: 0, found: undefined };
    if (pinned && read.found !== undefined && !isDeepStrictEqual(read.found, state)) {
      return `read ${describe(read.found)}, then without a refresh ${describe(state)}`;
    }
    read.found = state;
    const possible = [...this.#commits.slice(read.floor), ...this.#attempts.values()];
    if (possible.some((one) => isDeepStrictEqual(one, state))) return undefined;
    const expected = possible.map(describe).join("; or ");
    return `read ${describe(state)}; expected ${expected}`;
  }

  noteReadFailed(actor: number, code: string, message: string): string | undefined {
    if (!this.#wasWhole(actor) || CHANGE_CODES.has(code)) return undefined;
    return `a reader of a healthy frame was told ${code}: ${message}`;
  }

  noteFailed(actor: number, code: string, message: string): string | undefined {
    const violation = this.settle(actor);
    if (violation !== undefined) return violation;
    if (!this.#wasWhole(actor) || CHANGE_CODES.has(code) || code === "BLOSC2_IO_LOCKED") return undefined;
    return `a writer of a healthy frame was told ${code}: ${message}`;
  }

  /** At the end of a run. */
  finish(): string | undefined {
    if (this.#fate !== "kept" || !this.created) return undefined;
    return this.#requireOneOf([this.#commits.at(-1) as SimulatedState], "at the end");
  }

  #requireOneOf(possible: readonly SimulatedState[], when: string): string | undefined {
    let found: SimulatedState;
    try {
      found = this.#lookAfresh();
    } catch (error) {
      return `${when}: the frame can't be read: ${(error as Error).message}; expected ${possible.map(describe).join("; or ")}`;
    }
    if (possible.some((state) => isDeepStrictEqual(state, found))) return undefined;
    return `${when}: found ${describe(found)}; expected ${possible.map(describe).join("; or ")}`;
  }
}
