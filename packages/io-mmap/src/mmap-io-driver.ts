/**
 * Mapping by the npm package `mmap-io` (or a fork under its name): a native add-on with 32-bit sizes and positions whose
 * maps go when the garbage collector says so.
 *
 * @module
 */
import { fstatSync } from "node:fs";
import { createRequire } from "node:module";
import { UnsupportedError } from "@b2frame/core";
import { systemError } from "@b2frame/file-lock/system-error";
import { canDetach, detachBuffer } from "./detach-buffer.js";
import type {
  DriverLoadResult,
  Mapping,
  MappingAdvice,
  MappingDriver,
  MappingLimits,
  MappingShare,
} from "./mapping-driver.js";

/** What this driver uses of the package. Written down here, since the package is optional and has several publishers. */
interface MmapIo {
  map(size: number, protection: number, flags: number, descriptor: number, offset: number): Buffer;
  advise(buffer: Buffer, advice: number): void;
  sync(buffer: Buffer, offset: number, size: number, blocking: boolean): void;
  readonly PROT_READ: number;
  readonly PROT_WRITE: number;
  readonly MAP_SHARED: number;
  readonly MAP_PRIVATE: number;
  readonly MADV_NORMAL: number;
  readonly MADV_RANDOM: number;
  readonly MADV_SEQUENTIAL: number;
  readonly MADV_WILLNEED: number;
  readonly PAGESIZE: number;
}

/** The add-on wraps greater sizes and positions modulo 2^32 without an error, and so maps other bytes. */
const LIMIT = 2 ** 31;

class MmapIoMapping implements Mapping {
  readonly byteLength: number;
  readonly #driver: MmapIoDriver;
  #buffer: Buffer;

  constructor(driver: MmapIoDriver, buffer: Buffer) {
    this.#driver = driver;
    this.#buffer = buffer;
    this.byteLength = buffer.byteLength;
  }

  view(): Uint8Array {
    return this.#buffer;
  }

  sync(length: number): void {
    this.#driver.sync(this.#buffer, Math.min(length, this.byteLength));
  }

  advise(advice: MappingAdvice): void {
    this.#driver.advise(this.#buffer, advice);
  }

  copyTo(offset: number, target: Uint8Array): void {
    target.set(this.#buffer.subarray(offset, offset + target.byteLength));
  }

  release(): void {
    this.#driver.release(this.#buffer);
    this.#buffer = Buffer.alloc(0);
  }
}

/** Maps by `mmap-io`. It has no unmap: a detached buffer is unmapped in the event loop's next turn. */
export class MmapIoDriver implements MappingDriver {
  readonly name = "mmap-io";
  readonly limits: MappingLimits;
  readonly #mmapIo: MmapIo;
  readonly #collected: FinalizationRegistry<undefined>;
  #liveMaps = 0;
  #released = 0;

  constructor(mmapIo: MmapIo) {
    this.#mmapIo = mmapIo;
    const pageSize = mmapIo.PAGESIZE;
    this.limits = { pageSize, maxLength: Math.min(2 ** 30, LIMIT - pageSize), maxEnd: LIMIT };
    this.#collected = new FinalizationRegistry(() => {
      this.#liveMaps--;
    });
  }

  get liveMaps(): number {
    return this.#liveMaps;
  }

  map(descriptor: number, position: number, length: number, share: MappingShare): Mapping {
    const { PROT_READ, PROT_WRITE, MAP_SHARED, MAP_PRIVATE } = this.#mmapIo;
    const flags = share === "shared" ? MAP_SHARED : MAP_PRIVATE;
    let buffer: Buffer;
    try {
      buffer = this.#mmapIo.map(length, PROT_READ | PROT_WRITE, flags, descriptor, position);
    } catch (error) {
      throw this.#failure(error, "mmap");
    }
    this.#liveMaps++;
    if (!canDetach()) this.#collected.register(buffer.buffer, undefined);
    return new MmapIoMapping(this, buffer);
  }

  fileSize(descriptor: number): number {
    return fstatSync(descriptor).size;
  }

  /** For {@link MmapIoMapping} only. */
  sync(buffer: Buffer, length: number): void {
    try {
      this.#mmapIo.sync(buffer, 0, length, true);
    } catch (error) {
      throw this.#failure(error, "msync");
    }
  }

  /** For {@link MmapIoMapping} only. */
  advise(buffer: Buffer, advice: MappingAdvice): void {
    const { MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED } = this.#mmapIo;
    const values = { normal: MADV_NORMAL, random: MADV_RANDOM, sequential: MADV_SEQUENTIAL, willneed: MADV_WILLNEED };
    try {
      this.#mmapIo.advise(buffer, values[advice]);
    } catch (error) {
      throw this.#failure(error, "madvise");
    }
  }

  /** For {@link MmapIoMapping} only. */
  release(buffer: Buffer): void {
    if (!detachBuffer(buffer.buffer as ArrayBuffer)) return;
    if (this.#released === 0) {
      setImmediate(() => {
        this.#liveMaps -= this.#released;
        this.#released = 0;
      }).unref();
    }
    this.#released++;
  }

  /** The add-on says `mmap failed, 12`: the number is the C library's. */
  #failure(error: unknown, syscall: string): Error {
    const message = error instanceof Error ? error.message : String(error);
    const errno = /(\d+)$/.exec(message)?.[1];
    if (errno !== undefined) return systemError(Number(errno), syscall);
    return new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `mmap-io can't map memory in this runtime (${message}): use the stdio backend`,
      { feature: "external ArrayBuffers", backend: "mmap" },
      error,
    );
  }
}

let loaded: DriverLoadResult | undefined;

function load(): DriverLoadResult {
  if (process.platform === "win32") {
    return { driver: undefined, reason: "mmap-io: a map that is longer than its file changes the file on Windows" };
  }
  try {
    return { driver: new MmapIoDriver(createRequire(import.meta.url)("mmap-io") as MmapIo) };
  } catch (error) {
    const message = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return { driver: undefined, reason: `mmap-io: ${message}` };
  }
}

/** The calling thread's one driver on `mmap-io`, loaded at the first call. */
export function loadMmapIoDriver(): DriverLoadResult {
  loaded ??= load();
  return loaded;
}
