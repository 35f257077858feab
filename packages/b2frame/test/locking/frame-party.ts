/** Processes that work on one frame. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { OpenOptions } from "../../src/index.js";

const PROGRAM = fileURLToPath(new URL("../programs/frame-party.mjs", import.meta.url));

interface Answer {
  readonly result?: unknown;
  readonly code?: string;
  readonly message?: string;
}

/** A process with a frame open; see `programs/frame-party.mjs` for the steps. */
export class FrameParty implements AsyncDisposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  private constructor() {
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  static async open(path: string, options: OpenOptions, array = false): Promise<FrameParty> {
    const party = new FrameParty();
    await party.do("open", { path, options, array });
    return party;
  }

  /** Does a step and gives what it gave. */
  async do(step: string, fields: object = {}): Promise<unknown> {
    const { result, code, message } = await this.#ask(step, fields);
    if (code !== undefined || message !== undefined) throw new Error(`${step}: ${code}: ${message}`);
    return result;
  }

  /** Does a step that must fail, and gives the error. */
  async fails(step: string, fields: object = {}): Promise<Answer> {
    const answer = await this.#ask(step, fields);
    if (answer.code === undefined) throw new Error(`${step}: expected an error, got ${JSON.stringify(answer)}`);
    return answer;
  }

  async #ask(step: string, fields: object): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify({ step, ...fields })}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`${step}: the process has ended`);
    return JSON.parse(value) as Answer;
  }

  /** Ends the process as nothing else does. */
  async kill(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.stdin.end();
    await exit;
  }
}
