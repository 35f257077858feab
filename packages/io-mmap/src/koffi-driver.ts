/**
 * Mapping by calls of the C library through `koffi`. The only file that calls foreign functions: an address
 * that leaves it is gone with its mapping.
 *
 * @module
 */
import { createRequire } from "node:module";
import { UnsupportedError } from "@b2frame/core";
import { systemError } from "@b2frame/file-lock/system-error";
import { detachBuffer } from "./detach-buffer.js";
import type {
  DriverLoadResult,
  Mapping,
  MappingAdvice,
  MappingDriver,
  MappingLimits,
  MappingShare,
} from "./mapping-driver.js";

type Koffi = typeof import("koffi");

/** Values of the C library's headers that differ between systems. */
interface PlatformConstants {
  readonly mapNoReserve: number;
  readonly msSync: number;
  /** Where it is known that a file can be laid over memory of WebAssembly. */
  readonly mapAnonymous: number | undefined;
}

const PLATFORMS: Readonly<Record<string, PlatformConstants>> = {
  linux: { mapNoReserve: 0x4000, msSync: 4, mapAnonymous: 0x20 },
  darwin: { mapNoReserve: 0x40, msSync: 0x10, mapAnonymous: undefined },
};
/** 64-bit systems: `off_t` has 64 bits there, and there is address space to reserve. */
const ARCHITECTURES: readonly string[] = ["x64", "arm64", "riscv64", "loong64"];

const PROT_READ = 1;
const PROT_WRITE = 2;
const MAP_SHARED = 1;
const MAP_PRIVATE = 2;
const MAP_FIXED = 16;
const MAP_FAILED = 2n ** 64n - 1n;
const SEEK_END = 2;
const ADVICE: Readonly<Record<MappingAdvice, number>> = { normal: 0, random: 1, sequential: 2, willneed: 3 };

/** The C functions, typed. An address is a bigint where it comes from C, and a number where it is computed (below 2^53). */
interface Libc {
  mmap(
    address: null | Uint8Array,
    length: number,
    protection: number,
    flags: number,
    descriptor: number,
    position: number,
  ): bigint;
  munmap(address: bigint, length: number): number;
  msync(address: bigint, length: number, flags: number): number;
  madvise(address: bigint, length: number, advice: number): number;
  memmove(target: Uint8Array, address: number, length: number): void;
  lseek(descriptor: number, offset: number, whence: number): number;
  posixFallocate: ((descriptor: number, position: number, length: number) => number) | undefined;
  getpagesize(): number;
}

function loadLibc(koffi: Koffi): Libc {
  // null: the symbols that the running program has, the C library's among them, whatever its file is called here.
  const program = koffi.load(null);
  let posixFallocate: Libc["posixFallocate"];
  try {
    posixFallocate = program.func("int posix_fallocate(int descriptor, int64_t position, int64_t length)");
  } catch {
    // macOS has none.
  }
  return {
    mmap: program.func(
      "void *mmap(void *address, size_t length, int protection, int flags, int descriptor, int64_t position)",
    ),
    munmap: program.func("int munmap(void *address, size_t length)"),
    msync: program.func("int msync(void *address, size_t length, int flags)"),
    madvise: program.func("int madvise(void *address, size_t length, int advice)"),
    // Its result is the target; declared as void, since making a value of it would cost as much as a short copy.
    memmove: program.func("void memmove(void *target, uint64_t address, size_t length)"),
    lseek: program.func("int64_t lseek(int descriptor, int64_t offset, int whence)"),
    posixFallocate,
    getpagesize: program.func("int getpagesize()"),
  };
}

/** Whether memory of WebAssembly is pages of its own here. Of V8 in Node.js that is known. */
function hasPagesOfItsOwn(): boolean {
  return process.release?.name === "node" && process.versions.bun === undefined && process.versions.deno === undefined;
}

class KoffiMapping implements Mapping {
  readonly byteLength: number;
  readonly #driver: KoffiDriver;
  readonly #address: bigint;
  /** The address once more: user space ends far below 2^53. */
  readonly #start: number;
  #released = false;
  readonly #views: Uint8Array<ArrayBuffer>[] = [];

  constructor(driver: KoffiDriver, address: bigint, byteLength: number) {
    this.#driver = driver;
    this.#address = address;
    this.#start = Number(address);
    this.byteLength = byteLength;
  }

  view(length: number): Uint8Array {
    const newest = this.#views[this.#views.length - 1];
    if (newest !== undefined && newest.byteLength >= length) return newest;
    const view = new Uint8Array(this.#driver.viewMemory(this.#address, Math.min(length, this.byteLength)));
    this.#views.push(view);
    return view;
  }

  copyTo(offset: number, target: Uint8Array): void {
    if (this.#released || offset < 0 || offset + target.byteLength > this.byteLength) {
      throw new RangeError(`${target.byteLength} bytes at ${offset} of a map of ${this.byteLength} bytes`);
    }
    this.#driver.copyMemory(this.#start + offset, target);
  }

  sync(length: number): void {
    this.#driver.sync(this.#address, Math.min(length, this.byteLength));
  }

  advise(advice: MappingAdvice): void {
    this.#driver.advise(this.#address, this.byteLength, advice);
  }

  release(): void {
    this.#released = true;
    for (const view of this.#views) detachBuffer(view.buffer);
    this.#views.length = 0;
    this.#driver.unmap(this.#address, this.byteLength);
  }
}

/** Maps by `mmap` of the C library. */
export class KoffiDriver implements MappingDriver {
  readonly name = "koffi";
  readonly limits: MappingLimits;
  readonly allocate?: (descriptor: number, position: number, length: number) => void;
  readonly mapOver?: (descriptor: number, position: number, length: number, target: Uint8Array) => void;
  readonly unmapOver?: (target: Uint8Array) => void;
  readonly #koffi: Koffi;
  readonly #libc: Libc;
  readonly #constants: PlatformConstants;
  #liveMaps = 0;
  #makesViews = false;

  constructor(koffi: Koffi, constants: PlatformConstants) {
    this.#koffi = koffi;
    this.#constants = constants;
    const libc = loadLibc(koffi);
    this.#libc = libc;
    // 1 GiB: a view past 4 GiB aborts the process, and an ArrayBuffer has at most 4 GiB on Node 20.
    this.limits = { pageSize: libc.getpagesize(), maxLength: 2 ** 30, maxEnd: Number.MAX_SAFE_INTEGER };
    const { mapAnonymous } = constants;
    if (mapAnonymous !== undefined && hasPagesOfItsOwn()) {
      this.mapOver = (descriptor, position, length, target) =>
        this.#mapFixed(target, length, PROT_READ, 0, [descriptor, position]);
      this.unmapOver = (target) =>
        this.#mapFixed(target, target.byteLength, PROT_READ | PROT_WRITE, mapAnonymous, [-1, 0]);
    }
    const { posixFallocate } = libc;
    if (posixFallocate !== undefined) {
      this.allocate = (descriptor, position, length) => {
        let errno: number;
        do errno = posixFallocate(descriptor, position, length);
        while (errno === koffi.os.errno.EINTR);
        if (errno !== 0) throw systemError(errno, "posix_fallocate");
      };
    }
  }

  get liveMaps(): number {
    return this.#liveMaps;
  }

  /** Private: memory that grows is made writable as a whole by V8, which a shared map of a file that is open for reading refuses. */
  #mapFixed(
    target: Uint8Array,
    length: number,
    protection: number,
    flags: number,
    file: readonly [number, number],
  ): void {
    const all = MAP_PRIVATE | MAP_FIXED | this.#constants.mapNoReserve | flags;
    const address = this.#libc.mmap(target, length, protection, all, file[0], file[1]);
    if (address === MAP_FAILED) throw systemError(this.#koffi.errno(), "mmap");
  }

  map(descriptor: number, position: number, length: number, share: MappingShare): Mapping {
    const flags = share === "shared" ? MAP_SHARED : MAP_PRIVATE | this.#constants.mapNoReserve;
    const address = this.#libc.mmap(null, length, PROT_READ | PROT_WRITE, flags, descriptor, position);
    if (address === MAP_FAILED) throw systemError(this.#koffi.errno(), "mmap");
    this.#liveMaps++;
    const mapping = new KoffiMapping(this, address, length);
    if (!this.#makesViews) this.#probeView(mapping);
    return mapping;
  }

  /** A runtime that forbids views is found out at the first map, rather than by the first read that is long enough for a view. */
  #probeView(mapping: Mapping): void {
    try {
      mapping.view(1);
      this.#makesViews = true;
    } catch (error) {
      mapping.release();
      throw error;
    }
  }

  fileSize(descriptor: number): number {
    // Four times cheaper than fs.fstatSync. The descriptor's own offset, which this moves, is never used.
    const size = this.#libc.lseek(descriptor, 0, SEEK_END);
    if (size < 0) throw systemError(this.#koffi.errno(), "lseek");
    return size;
  }

  /** For {@link KoffiMapping} only. */
  viewMemory(address: bigint, length: number): ArrayBuffer {
    try {
      return this.#koffi.view(address, length);
    } catch (error) {
      throw new UnsupportedError(
        "BLOSC2_UNSUPPORTED_BACKEND",
        `this runtime forbids ArrayBuffers over mapped memory (Electron does), so files can't be mapped: use the stdio backend`,
        { feature: "external ArrayBuffers", backend: "mmap" },
        error,
      );
    }
  }

  /** For {@link KoffiMapping} only, which has checked the range. */
  copyMemory(address: number, target: Uint8Array): void {
    this.#libc.memmove(target, address, target.byteLength);
  }

  /** For {@link KoffiMapping} only. */
  sync(address: bigint, length: number): void {
    if (this.#libc.msync(address, length, this.#constants.msSync) !== 0)
      throw systemError(this.#koffi.errno(), "msync");
  }

  /** For {@link KoffiMapping} only. */
  advise(address: bigint, length: number, advice: MappingAdvice): void {
    if (this.#libc.madvise(address, length, ADVICE[advice]) !== 0) throw systemError(this.#koffi.errno(), "madvise");
  }

  /** For {@link KoffiMapping} only: the views have been detached. */
  unmap(address: bigint, length: number): void {
    if (this.#libc.munmap(address, length) !== 0) throw systemError(this.#koffi.errno(), "munmap");
    this.#liveMaps--;
  }
}

let loaded: DriverLoadResult<KoffiDriver> | undefined;

function load(): DriverLoadResult<KoffiDriver> {
  const constants = PLATFORMS[process.platform];
  if (constants === undefined || !ARCHITECTURES.includes(process.arch)) {
    return { driver: undefined, reason: `koffi: no driver for ${process.platform} on ${process.arch}` };
  }
  try {
    const koffi = createRequire(import.meta.url)("koffi") as Koffi;
    return { driver: new KoffiDriver(koffi, constants) };
  } catch (error) {
    return { driver: undefined, reason: `koffi: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The calling thread's one driver on `koffi`, loaded at the first call. */
export function loadKoffiDriver(): DriverLoadResult<KoffiDriver> {
  loaded ??= load();
  return loaded;
}
