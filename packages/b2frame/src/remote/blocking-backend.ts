/** A URL as the synchronous engine reads files: another thread fetches, and this one waits. @module */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type ByteRange, type IoBackend, IoError, type IoHandle, type OpenMode } from "@b2frame/core";
import { type CheckedHandle, checkHandle, shortRead } from "@b2frame/core/backend";
import type { S3Options } from "@b2frame/remote/s3";
import type { FetchOrder, FetchReport, FetchSetup } from "./fetch-protocol.js";

const THREAD = new URL("./fetch-thread.js", import.meta.url);
/** The first request: header, and all of a small file. */
const HEAD_LENGTH = 16 * 1024;
/** What is fetched at least, and at most where one read follows the other. */
const LEAST_LENGTH = 16 * 1024;
const MOST_LENGTH = 8 * 2 ** 20;
/** Fetched bytes that are kept. */
const KEPT_BYTES = 64 * 2 ** 20;

interface Piece {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** See the module. Reads one file, whatever it is. */
export class BlockingBackend implements IoBackend {
  readonly name = "http";
  readonly capabilities: IoBackend["capabilities"] = {
    write: false,
    zeroCopy: false,
    copyOnWrite: false,
    sparseFrames: false,
  };
  requests = 0;
  bytesFetched = 0;
  readonly #url: string;
  readonly #answered: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4));
  readonly #port: MessagePort;
  readonly #worker: Worker;
  /** Those that were used last come last. */
  #pieces: Piece[] = [];
  #size: number | undefined;
  /** Where the last fetch ended, and how long it was: reads that follow each other fetch more and more at a time. */
  #end = 0;
  #length = LEAST_LENGTH;

  constructor(url: string, s3?: S3Options) {
    this.#url = url;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const setup: FetchSetup & { readonly port: MessagePort } = { url, s3, answered: this.#answered, port: port2 };
    this.#worker = new Worker(THREAD, { name: "b2frame fetch", workerData: setup, transferList: [port2] });
    this.#worker.unref();
    this.#port.unref();
  }

  open(path: string, mode: OpenMode): CheckedHandle {
    if (path !== this.#url) throw this.#missing(path);
    if (mode !== "r") throw this.#readOnly("open");
    const handle: IoHandle = {
      size: () => this.#sizeOf(),
      read: (position, length) => {
        const bytes = new Uint8Array(length);
        this.#readInto(position, bytes);
        return bytes;
      },
      readInto: (position, target) => this.#readInto(position, target),
      write: () => this.#refuse("write"),
      truncate: () => this.#refuse("truncate"),
      flush: () => {},
      close: () => {},
    };
    return checkHandle(handle, { path, mode });
  }

  exists(path: string): boolean {
    return path === this.#url;
  }

  remove(): never {
    throw this.#readOnly("remove");
  }

  rename(): never {
    throw this.#readOnly("rename");
  }

  /** Fetches ranges at the same time, for reads that follow. @throws IoError */
  fetch(ranges: readonly ByteRange[]): void {
    const missing = ranges.filter(({ position, byteLength }) => this.#find(position, byteLength) === undefined);
    if (missing.length === 0) return;
    const { parts } = this.#order({ ranges: missing, clamp: false, size: false });
    for (const [i, { position }] of missing.entries()) this.#keep(position, parts[i] as Uint8Array);
  }

  /** Ends the thread. */
  close(): void {
    this.#pieces = [];
    this.#port.close();
    void this.#worker.terminate();
  }

  #sizeOf(): number {
    if (this.#size === undefined) {
      const head = { position: 0, byteLength: HEAD_LENGTH };
      const { parts, size } = this.#order({ ranges: [head], clamp: true, size: true });
      this.#size = size as number;
      this.#keep(0, parts[0] as Uint8Array);
    }
    return this.#size;
  }

  #readInto(position: number, target: Uint8Array): void {
    const length = target.byteLength;
    const size = this.#sizeOf();
    if (position + length > size) {
      throw shortRead({ operation: "read", path: this.#url, position, length }, Math.max(0, size - position));
    }
    const piece = this.#find(position, length) ?? this.#fetchAround(position, length, size);
    target.set(piece.bytes.subarray(position - piece.position, position - piece.position + length));
  }

  #find(position: number, length: number): Piece | undefined {
    const index = this.#pieces.findLastIndex(
      (piece) => piece.position <= position && position + length <= piece.position + piece.bytes.byteLength,
    );
    const piece = this.#pieces[index];
    if (piece === undefined) return undefined;
    this.#pieces.splice(index, 1);
    this.#pieces.push(piece);
    return piece;
  }

  #fetchAround(position: number, length: number, size: number): Piece {
    const follows = position <= this.#end && position + length > this.#end;
    this.#length = follows ? Math.min(MOST_LENGTH, this.#length * 4) : LEAST_LENGTH;
    const byteLength = Math.min(size - position, Math.max(length, this.#length));
    const { parts } = this.#order({ ranges: [{ position, byteLength }], clamp: false, size: false });
    this.#end = position + byteLength;
    return this.#keep(position, parts[0] as Uint8Array);
  }

  #keep(position: number, bytes: Uint8Array): Piece {
    const piece = { position, bytes };
    this.#pieces.push(piece);
    let kept = this.#pieces.reduce((sum, { bytes: { byteLength } }) => sum + byteLength, 0);
    while (kept > KEPT_BYTES && this.#pieces.length > 1) kept -= this.#pieces.shift()?.bytes.byteLength ?? 0;
    return piece;
  }

  #order(order: FetchOrder): Extract<FetchReport, { ok: true }> {
    const before = Atomics.load(this.#answered, 0);
    this.#port.postMessage(order);
    Atomics.wait(this.#answered, 0, before);
    const report = receiveMessageOnPort(this.#port)?.message as FetchReport;
    this.requests += order.ranges.length;
    if (!report.ok) {
      if (report.code === undefined) throw new Error(report.message);
      throw new IoError(report.code, report.message, report.details);
    }
    for (const { byteLength } of report.parts) this.bytesFetched += byteLength;
    return report;
  }

  #missing(path: string): IoError {
    return new IoError("BLOSC2_IO_NOT_FOUND", `${path}: there is no such file`, { operation: "open", path });
  }

  #refuse(operation: string): never {
    throw this.#readOnly(operation);
  }

  #readOnly(operation: string): IoError {
    const path = this.#url;
    return new IoError("BLOSC2_IO_READ_ONLY", `${path}: ${operation}: URLs are read only`, { operation, path });
  }
}
