/** A long-lived Python process that runs steps with python-blosc2. @module */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** A request's other fields beside `operation`. */
export type PeerRequest = Readonly<Record<string, unknown>>;

/** What python-blosc2 said when it refused a request. */
export class PeerError extends Error {}

type Waiting = { resolve(answer: Record<string, unknown>): void; reject(error: Error): void };

/** Sends one request at a time, a JSON line each way. */
export class PythonPeer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #waiting: Waiting | undefined;
  /** Why there will be no more answers. */
  #ended: Error | undefined;

  constructor(python: string) {
    const script = fileURLToPath(new URL("../python/peer.py", import.meta.url));
    this.#child = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#settle(line));
    this.#child.on("error", (error) => this.#end(error));
    this.#child.on("exit", (status, signal) => this.#end(new PeerError(`Python ended (${signal ?? status})`)));
  }

  /**
   * Runs one operation of `peer.py`. Byte arrays go as base64.
   *
   * @throws PeerError with the Python exception's text.
   */
  request(operation: string, fields: PeerRequest): Promise<Record<string, unknown>> {
    const message = JSON.stringify({ operation, ...fields }, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting = { resolve, reject };
      this.#child.stdin.write(`${message}\n`);
    });
  }

  close(): void {
    this.#child.stdin.end();
  }

  #end(reason: Error): void {
    this.#ended = reason;
    this.#waiting?.reject(reason);
  }

  #settle(line: string): void {
    const answer = JSON.parse(line) as { ok: boolean; error?: string };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (answer.ok) waiting?.resolve(answer as Record<string, unknown>);
    else waiting?.reject(new PeerError(answer.error ?? "no reason given"));
  }
}
