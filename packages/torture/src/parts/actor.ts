/** Processes that act on parts, one call after the other, as they are told. @module */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { ActorMessage, SentJob } from "./actor-messages.js";

/** What an actor told, or that it is dead. */
export type ActorEvent = ActorMessage | "killed";

/** One process. It stands still before each call until it is told to go on. */
export class Actor {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #heard: (ActorEvent | "ready")[] = [];
  #listener: (() => void) | undefined;
  #errors = "";
  /** Why it ended by itself: it never should. */
  #failure: Error | undefined;

  constructor() {
    const script = fileURLToPath(new URL("act.js", import.meta.url));
    this.#child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stderr.on("data", (data: Buffer) => {
      this.#errors += data.toString();
    });
    this.#child.stdin.on("error", () => {
      // The process is gone; its end is told by "close".
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(JSON.parse(line)));
    this.#child.on("close", (code, signal) => {
      if (signal !== "SIGKILL") this.#failure = new Error(`actor ended (${signal ?? code}): ${this.#errors}`);
      this.#hear("killed");
    });
  }

  #hear(event: ActorEvent | "ready"): void {
    this.#heard.push(event);
    this.#listener?.();
  }

  async #next(): Promise<ActorEvent> {
    for (;;) {
      const event = this.#heard.shift();
      if (event === "ready") continue;
      if (event === "killed" && this.#failure !== undefined) throw this.#failure;
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => {
        this.#listener = resolve;
      });
    }
  }

  /** Gives it a job; answers with its first call. */
  async begin(job: SentJob): Promise<ActorEvent> {
    this.#child.stdin.write(`${JSON.stringify(job)}\n`);
    return await this.#next();
  }

  /** Answers its call; gives the next one, or the end. */
  async answer(word: string): Promise<ActorEvent> {
    this.#child.stdin.write(word);
    return await this.#next();
  }

  /** Ends it, whatever it does. */
  end(): void {
    this.#child.kill("SIGKILL");
  }
}

/** Actors that wait for jobs, and one that is starting. */
export class ActorPool {
  readonly #all = new Set<Actor>();
  readonly #free: Actor[] = [];
  #spare: Actor | undefined;

  take(): Actor {
    const actor = this.#free.pop() ?? this.#spare ?? this.#start();
    if (actor === this.#spare) this.#spare = undefined;
    if (this.#free.length === 0) this.#spare ??= this.#start();
    return actor;
  }

  /** One that is alive and has no job. */
  giveBack(actor: Actor): void {
    this.#free.push(actor);
  }

  #start(): Actor {
    const actor = new Actor();
    this.#all.add(actor);
    return actor;
  }

  /** Ends all of them, those that are in the middle of a job among them. */
  close(): void {
    for (const actor of this.#all) actor.end();
  }
}
