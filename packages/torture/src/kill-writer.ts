/** Starting a writer, and killing it at some instant. @module */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { FrameState } from "./frame-state.js";
import type { WriterJob, WriterMessage } from "./write-until-killed.js";

/** When a writer is killed. */
export type KillInstant =
  /** So many milliseconds after it got its job. */
  | { readonly afterMilliseconds: number }
  /** As soon as it has told of its so manyeth attempt to commit. */
  | { readonly atAttempt: number };

/** What a writer told before it was killed. */
export interface KilledWriter {
  /** What was last committed; undefined if nothing was. */
  readonly committed: FrameState | undefined;
  /** What was being committed. */
  readonly attempted: FrameState | undefined;
  /** How the process ended, if it was not by being killed. */
  readonly failure: string | undefined;
}

/** A writer that waits for its job. */
export class Writer {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ready: Promise<void>;
  readonly #ended: Promise<unknown>;
  #committed: FrameState | undefined;
  #attempted: FrameState | undefined;
  #attempts = 0;
  #errors = "";
  #onAttempt: (count: number) => void = () => {};

  constructor() {
    const script = fileURLToPath(new URL("write-until-killed.js", import.meta.url));
    this.#child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (data: Buffer) => {
      this.#errors += data.toString();
    });
    this.#child.stdin.on("error", () => {
      // The writer is gone; its end is told by "close".
    });
    this.#ended = once(this.#child, "close");
    this.#ready = new Promise((resolve) => {
      createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line, resolve));
      this.#child.on("close", () => resolve());
    });
  }

  #hear(line: string, ready: () => void): void {
    let message: WriterMessage;
    try {
      message = JSON.parse(line) as WriterMessage;
    } catch {
      // Killed in the middle of a line: nothing was told.
      return;
    }
    if (message === "ready") ready();
    else if (message === "committed") {
      this.#committed = this.#attempted;
      this.#attempted = undefined;
    } else {
      this.#attempted = message.attempt;
      this.#onAttempt(++this.#attempts);
    }
  }

  /** Gives the writer its job, and kills it. */
  async runUntilKilled(job: WriterJob, instant: KillInstant): Promise<KilledWriter> {
    await this.#ready;
    this.#committed = job.start;
    const kill = (): void => void this.#child.kill("SIGKILL");
    let timer: NodeJS.Timeout | undefined;
    if ("atAttempt" in instant) {
      this.#onAttempt = (count) => count === instant.atAttempt && kill();
    }
    this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    if ("afterMilliseconds" in instant) timer = setTimeout(kill, instant.afterMilliseconds);
    await this.#ended;
    clearTimeout(timer);
    const { exitCode, signalCode } = this.#child;
    const failure = signalCode === "SIGKILL" ? undefined : `writer ended (${signalCode ?? exitCode}): ${this.#errors}`;
    return { committed: this.#committed, attempted: this.#attempted, failure };
  }

  /** Ends a writer that got no job. */
  dismiss(): void {
    this.#child.stdin.end();
  }
}
