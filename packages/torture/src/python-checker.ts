/** A long-lived Python process that reads frames with C-Blosc2. @module */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pythonWithBlosc2 } from "@b2frame/interop/virtual-environment";
import type { FrameKind, FrameState } from "./frame-state.js";

interface Answer extends FrameState {
  readonly ok: boolean;
  readonly error?: string;
  readonly crc?: number;
}

/** Where in a file C-Blosc2 is to look for a frame, and whether through its map. */
export interface CheckedFrame {
  readonly offset?: number;
  readonly mapped?: boolean;
}

/** One request at a time. When the process ends, as C-Blosc2 may make it end, it is started again for the next one. */
export class PythonChecker {
  readonly #python: string = pythonWithBlosc2();
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #settle: ((answer: Answer) => void) | undefined;

  /**
   * What C-Blosc2 finds in a frame.
   *
   * @throws Error with its reason when it can't read it
   */
  async read(path: string, kind: FrameKind, how: CheckedFrame = {}): Promise<FrameState> {
    const { parts, vlmeta } = await this.#request({ operation: "read", path, kind, ...how });
    return { parts, vlmeta };
  }

  /** Lets C-Blosc2 append a chunk, and gives the CRC-32 of its content. */
  async append(path: string, seed: number, bytes: number): Promise<number> {
    const { crc } = await this.#request({ operation: "append", path, seed: seed & 0xff, bytes });
    return crc as number;
  }

  close(): void {
    this.#child?.stdin.end();
  }

  async #request(request: object): Promise<Answer> {
    const child = this.#started();
    const answer = await new Promise<Answer>((resolve) => {
      this.#settle = resolve;
      child.stdin.write(`${JSON.stringify(request)}\n`);
    });
    if (!answer.ok) throw new Error(`C-Blosc2: ${answer.error}`);
    return answer;
  }

  #started(): ChildProcessByStdio<Writable, Readable, null> {
    if (this.#child !== undefined) return this.#child;
    const script = fileURLToPath(new URL("../python/checker.py", import.meta.url));
    const child = spawn(this.#python, [script], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: child.stdout }).on("line", (line) => this.#settle?.(JSON.parse(line) as Answer));
    child.on("exit", (status, signal) => {
      this.#child = undefined;
      this.#settle?.({ ok: false, error: `the process ended (${signal ?? status})`, parts: [], vlmeta: {} });
    });
    this.#child = child;
    return child;
  }
}
