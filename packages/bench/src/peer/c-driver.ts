/** C-Blosc2, run in a process of its own that does what it is told and times it. @module */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pythonWithBlosc2 } from "@b2frame/interop/virtual-environment";
import type { FrameContent } from "../frame-content.js";
import { CLEVEL, CODEC } from "../parameters.js";
import type { Sample } from "../trial.js";

/** Changes of a frame. */
export interface CEdits {
  readonly chunksize: number;
  readonly operations: number;
  /** Whether the file is made durable at the end. */
  readonly sync: boolean;
}

/** An array of float32, and how it is compressed. */
export interface CArray {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly blocks: readonly number[];
  readonly codec: string;
  readonly clevel: number;
  /** The filter's id. */
  readonly filter: number;
}

/** A frame's file, and how C-Blosc2 is to open it. */
export interface CFile {
  readonly path: string;
  readonly io: "stdio" | "mmap";
  /** Set on the frame's contexts after opening, for that makes them with one thread. */
  readonly threads: number;
}

const SOURCE = fileURLToPath(new URL("../../peer/driver.c", import.meta.url));

/** Prints the folder of the package, without importing it. */
const FIND_PACKAGE = "import importlib.util as u, os; print(os.path.dirname(u.find_spec('blosc2').origin))";

type Waiting = { resolve(fields: readonly string[]): void; reject(error: Error): void };

/** Compiles the driver against the headers and the library in python-blosc2's wheel; gives the program's path. */
function compileDriver(folder: string): string {
  const wheel = execFileSync(pythonWithBlosc2(), ["-c", FIND_PACKAGE], { encoding: "utf8" }).trim();
  const library = join(wheel, "lib");
  const program = join(folder, "driver");
  const args = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCE];
  const found = [`-I${join(wheel, "include")}`, `-L${library}`, `-Wl,-rpath,${library}`, "-lblosc2"];
  execFileSync(process.env.CC ?? "cc", [...args, ...found], { stdio: ["ignore", "inherit", "pipe"], encoding: "utf8" });
  return program;
}

/** One command at a time, a line of tab-separated fields each way. */
export class CDriver {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #waiting: Waiting | undefined;
  #ended: Error | undefined;

  private constructor(program: string) {
    this.#child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#settle(line.split("\t")));
    this.#child.on("error", (error) => this.#end(error));
    this.#child.stdin.on("error", (error) => this.#end(error));
    this.#child.on("exit", (status, signal) => this.#end(new Error(`the C driver ended (${signal ?? status})`)));
  }

  /**
   * Compiles the driver into `folder` and starts it.
   *
   * @throws Error when Python, python-blosc2 or a C compiler can't be had.
   */
  static start(folder: string): CDriver {
    return new CDriver(compileDriver(folder));
  }

  /** The version of the library that runs. */
  async version(): Promise<string> {
    const [version = ""] = await this.#ask(["version"]);
    return version;
  }

  /** Reads a file into memory, as the data that is written or the positions of operations. */
  async load(slot: "data" | "indices", path: string): Promise<void> {
    await this.#ask(["load", slot, path]);
  }

  /** Creates a frame, appends the first chunks of the data, frees it; and makes the file durable if asked. */
  append(file: CFile, content: FrameContent & { readonly sync: boolean }): Promise<Sample> {
    const { dataset, chunksize, nchunks, sync } = content;
    return this.#time("append", file, dataset.typesize, chunksize, nchunks, sync ? 1 : 0, CODEC, CLEVEL);
  }

  /** Opens a frame, decompresses every chunk, frees it. */
  readAll(file: CFile): Promise<Sample> {
    return this.#time("read-all", file);
  }

  /** Decompresses the chunks that the indices name. */
  readChunks(file: CFile): Promise<Sample> {
    return this.#time("read-chunks", file);
  }

  /** Reads `itemCount` items at each of the indices. */
  readItems(file: CFile, itemCount: number): Promise<Sample> {
    return this.#time("read-items", file, itemCount);
  }

  /** Compresses chunks of the data and inserts them at the indices. */
  insert(file: CFile, edits: CEdits): Promise<Sample> {
    return this.#time("insert", file, edits.chunksize, edits.operations, edits.sync ? 1 : 0);
  }

  /** Compresses chunks of the data and replaces those that the indices name. */
  update(file: CFile, edits: CEdits): Promise<Sample> {
    return this.#time("update", file, edits.chunksize, edits.operations, edits.sync ? 1 : 0);
  }

  /** Reads a cube of `edge` items from a three-dimensional array at each triple of the indices. */
  crops(file: CFile, edge: number): Promise<Sample> {
    return this.#time("crops", file, edge);
  }

  /** Writes the first items of the data as an array. */
  writeArray(file: CFile, { shape, chunks, blocks, codec, clevel, filter }: CArray): Promise<Sample> {
    const shapes = [shape, chunks, blocks].map((lengths) => lengths.join(","));
    return this.#time("array-write", file, 4, codec, clevel, filter, ...shapes);
  }

  /** Opens an array and reads slices into memory that is there: the indices hold starts and stops of each. */
  readSlices(file: CFile): Promise<Sample> {
    return this.#time("array-slices", file);
  }

  /** Opens the frame, reads one item and frees the frame, once for each of the indices. */
  openMany(file: CFile): Promise<Sample> {
    return this.#time("open-many", file);
  }

  /** Lets the driver end. */
  close(): void {
    this.#child.stdin.end();
  }

  async #time(command: string, file: CFile, ...more: readonly (string | number)[]): Promise<Sample> {
    const { path, io, threads } = file;
    const [seconds, digest] = await this.#ask([command, path, io, String(threads), ...more.map(String)]);
    return { seconds: Number(seconds), digest: Number(digest) };
  }

  #ask(fields: readonly string[]): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting = { resolve, reject };
      this.#child.stdin.write(`${fields.join("\t")}\n`);
    });
  }

  #end(reason: Error): void {
    this.#ended = reason;
    this.#waiting?.reject(reason);
    this.#waiting = undefined;
  }

  #settle([status, ...fields]: readonly string[]): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (status === "ok") waiting?.resolve(fields);
    else waiting?.reject(new Error(`C-Blosc2: ${fields.join(" ")}`));
  }
}
