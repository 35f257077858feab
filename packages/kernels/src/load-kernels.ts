/** Compiling and instantiating the kernels, synchronously and from bytes inside the package. @module */
import { Arena, PAGE } from "./arena.js";
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

/** One instance of the kernels with a memory of its own. Not re-entrant; one per thread. */
export class Kernels {
  readonly exports: KernelExports;
  readonly arena: Arena;
  /** Offset in memory of the six filter ids; the six metas follow 8 bytes later. */
  readonly controlBlock: number;
  readonly #memory: WebAssembly.Memory;
  #bytes: Uint8Array;
  /** Bytes at the memory's end that are not the arena's, and what to do before they become that. */
  #above = 0;
  #taken: () => void = () => {};

  constructor() {
    const { exports } = new WebAssembly.Instance(kernelsModule());
    const memory = exports.memory as WebAssembly.Memory;
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.exports = exports as unknown as KernelExports;
    this.controlBlock = this.exports.controlBlock();
    const above = (): number => this.#above;
    this.arena = new Arena(
      {
        get byteLength(): number {
          return memory.buffer.byteLength - above();
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

  /**
   * Sets memory aside above the arena, by growing: views that there are have length 0 then. When the arena needs more memory it takes
   * this, too: nothing is above it any more then.
   *
   * @param pages of 64 KiB
   * @param taken called before the arena takes it
   * @returns its address, a multiple of 65,536
   * @throws RangeError when the platform refuses
   */
  setAside(pages: number, taken: () => void): number {
    const address = this.#memory.buffer.byteLength;
    this.#grow(pages);
    this.#above += pages * PAGE;
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
  return new Kernels();
}
