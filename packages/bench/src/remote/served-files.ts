/** A server on loopback that answers late, and what its client asks of it. @module */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Node runs JavaScript only, so this is the compiled file. */
const ENTRY = fileURLToPath(new URL("../../dist/remote/latency-server.js", import.meta.url));

/** See the module. */
export class ServedFiles {
  readonly #process: ChildProcess;
  readonly #port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.#port = port;
  }

  static async start(folder: string): Promise<ServedFiles> {
    const child = fork(ENTRY, [folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve(Number(message)));
      child.once("exit", (code) => reject(new Error(`the server ended with status ${code}`)));
    });
    return new ServedFiles(child, port);
  }

  /** The URL of a file of which each answer comes some milliseconds late. */
  url(path: string, milliseconds: number): string {
    return `http://127.0.0.1:${this.#port}/${milliseconds}/${path}`;
  }

  stop(): void {
    this.#process.disconnect();
  }
}

/** Counts rounds: times that something is asked for while nothing is under way. */
export class RoundCounter {
  rounds = 0;
  requests = 0;
  #underWay = 0;

  /** `fetch`, counted. */
  readonly fetch = async (request: Request): Promise<Response> => {
    if (this.#underWay === 0) this.rounds++;
    this.requests++;
    this.#underWay++;
    try {
      return await fetch(request);
    } finally {
      this.#underWay--;
    }
  };
}
