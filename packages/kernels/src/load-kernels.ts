/** Compiling and instantiating the kernels, synchronously and from bytes inside the package. @module */
import { Arena, type LinearMemory, PAGE } from "./arena.js";
import type { KernelExports } from "./kernel-exports.js";
import { KERNELS_WASM_HEX } from "./kernels-wasm.js";
import { compileHex } from "./wasm-module.js";

let compiled: WebAssembly.Module | undefined;
let supported: boolean | undefined;

/** The module, compiled at the first call. */
function kernelsModule(): WebAssembly.Module {
  compiled ??= compileHex(KERNELS_WASM_HEX);
  return compiled;
}

/** Whether this platform has WebAssembly with SIMD and bulk memory operations, which the kernels are made of. */
export function kernelsSupported(): boolean {
  if (supported === undefined) {
    try {
      kernelsModule();
      supported = true;
    } catch {
      // Neither WebAssembly nor any of its features can be asked about otherwise.
      supported = false;
    }
  }
  return supported;
}

/** One instance of the kernels, with a memory of its own or with a part of one. Not re-entrant; one per thread. */
export class Kernels {
  readonly exports: KernelExports;
  readonly arena: Arena;
  /** Offset in memory of the six filter ids; the six metas follow 8 bytes later. */
  readonly controlBlock: number;
  readonly #memory: LinearMemory;
  #bytes: Uint8Array;
  /** Bytes at the memory's end that are not the arena's, and what to do before they become that. */
  #above = 0;
  #taken: () => void = () => {};

  /** Where this instance's part of the memory ends, which then can't grow; undefined where all of the memory is its own. */
  readonly #end: number | undefined;

  constructor(exports: KernelExports, memory: LinearMemory, end?: number) {
    this.#memory = memory;
    this.#end = end;
    this.#bytes = new Uint8Array(memory.buffer);
    this.exports = exports;
    this.controlBlock = this.exports.controlBlock();
    const arenaEnd = (): number => this.#top - this.#above;
    this.arena = new Arena(
      {
        get byteLength(): number {
          return arenaEnd();
        },
        grow: (pages: number): void => this.#growArena(pages),
      },
      this.exports.heapBase(),
    );
  }

  /** All of the memory. A new view after each growth, when older ones have length 0. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Where what is this instance's ends. */
  get #top(): number {
    return this.#end ?? this.#memory.buffer.byteLength;
  }

  /**
   * Sets memory aside above the arena, by growing: views that there are have length 0 then. When the arena needs more memory it takes
   * this, too: nothing is above it any more then. A part of a memory does not grow: there it comes from what the arena has not reserved.
   *
   * @param pages of 64 KiB
   * @param taken called before the arena takes it
   * @returns its address, a multiple of 65,536
   * @throws RangeError when the platform refuses
   */
  setAside(pages: number, taken: () => void): number {
    const byteLength = pages * PAGE;
    let address = this.#top;
    if (this.#end === undefined) this.#grow(pages);
    else address -= this.#above + byteLength;
    if (address < this.arena.staging) throw new RangeError("no room in the memory");
    this.#above += byteLength;
    this.#taken = taken;
    return address;
  }

  #growArena(pages: number): void {
    const above = this.#above / PAGE;
    if (above > 0) this.#taken();
    this.#above = 0;
    if (pages > above) this.#grow(pages - above);
  }

  #grow(pages: number): void {
    if (this.#end !== undefined) throw new RangeError("a part of a memory does not grow");
    this.#memory.grow(pages);
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  /** Whether `view` is a view of this memory as it is now. */
  owns(view: Uint8Array): boolean {
    return view.buffer === this.#memory.buffer;
  }

  /** Sets what the pipeline and block functions read as the filters: six ids and six metas. */
  setFilters(filters: Uint8Array, metas: Uint8Array): void {
    this.#bytes.set(filters, this.controlBlock);
    this.#bytes.set(metas, this.controlBlock + 8);
  }
}

/**
 * A new instance of the kernels. The module is compiled once per thread.
 *
 * @throws Error (the platform's `WebAssembly.CompileError` or `RangeError`) where {@link kernelsSupported} is false or memory
 * is refused.
 */
export function loadKernels(): Kernels {
  const { exports } = new WebAssembly.Instance(kernelsModule());
  return new Kernels(exports as unknown as KernelExports, exports.memory as WebAssembly.Memory);
}
