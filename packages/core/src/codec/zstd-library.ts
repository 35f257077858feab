/** zstd in WebAssembly, embedded: instantiated synchronously, and from no file. @module */
import { inflateSync } from "fflate";
import type { ZstdLibrary } from "./create-zstd-codec.js";
import {
  ZSTD_BYTE_LENGTH,
  ZSTD_EXPORT_NAMES,
  ZSTD_GROW_NAME,
  ZSTD_IMPORTS_NAME,
  ZSTD_MODULE_BASE64,
} from "./zstd-module.js";

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

type WasmFunction = (...parameters: readonly number[]) => number;

/** A compiled module; only the platform looks into it. */
export type WasmModule = object;

// Every runtime that we support has both; the language library that the compiler is given does not declare them.
declare const atob: (base64: string) => string;
declare const WebAssembly: {
  readonly Module: {
    new (bytes: Uint8Array): WasmModule;
    imports(module: WasmModule): readonly { readonly name: string }[];
  };
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, WasmFunction>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  compile(bytes: Uint8Array): Promise<WasmModule>;
};

/** zstd's memory grows with what it is given; it is kept far from the 4 GiB that addresses reach. */
const MAX_BYTE_LENGTH = 128 * 1024 * 1024;
const PAGE = 65_536;

function zstdBytes(): Uint8Array {
  const text = atob(ZSTD_MODULE_BASE64);
  const deflated = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return inflateSync(deflated, { out: new Uint8Array(ZSTD_BYTE_LENGTH) });
}

/** Compiles zstd without blocking. */
export function compileZstd(): Promise<WasmModule> {
  return WebAssembly.compile(zstdBytes());
}

/** Compiles zstd where it is called. */
export function compileZstdSync(): WasmModule {
  return new WebAssembly.Module(zstdBytes());
}

function requireModest(byteLength: number): void {
  if (byteLength > MAX_BYTE_LENGTH) {
    throw new RangeError(`zstd in WebAssembly takes at most ${MAX_BYTE_LENGTH} bytes a stream, found ${byteLength}`);
  }
}

/** One instance with a memory of its own. */
class ZstdInstance {
  readonly #exports: Readonly<Record<string, unknown>>;
  readonly #memory: WasmMemory;

  constructor(module: WasmModule) {
    const imports: Record<string, WasmFunction> = {};
    for (const { name } of WebAssembly.Module.imports(module)) imports[name] = () => this.#refuse(name);
    imports[ZSTD_GROW_NAME] = (byteLength) => this.#grow(byteLength >>> 0);
    this.#exports = new WebAssembly.Instance(module, { [ZSTD_IMPORTS_NAME]: imports }).exports;
    this.#memory = this.#exports[ZSTD_EXPORT_NAMES.memory] as WasmMemory;
    this.call("initialize");
  }

  /** zstd has no reason to end the process or to start a timer. */
  #refuse(name: string): never {
    throw new Error(`zstd in WebAssembly called its import ${name}`);
  }

  /** Whether there is memory for `byteLength` bytes in all, as the module wants to know it. */
  #grow(byteLength: number): number {
    const missing = byteLength - this.#memory.buffer.byteLength;
    try {
      if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
      return 1;
    } catch {
      // malloc gives a null pointer then, which `allocate` reports.
      return 0;
    }
  }

  call(name: keyof typeof ZSTD_EXPORT_NAMES, ...parameters: readonly number[]): number {
    return (this.#exports[ZSTD_EXPORT_NAMES[name]] as WasmFunction)(...parameters);
  }

  allocate(byteLength: number): number {
    const address = this.call("malloc", byteLength) >>> 0;
    if (address === 0) throw new RangeError(`zstd in WebAssembly has no memory for ${byteLength} bytes`);
    return address;
  }

  /** A view that lives until memory grows. */
  view(address: number, byteLength: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, address, byteLength);
  }
}

/** Memory of the instance that calls use again: it grows and stays. */
class Room {
  readonly #instance: ZstdInstance;
  #byteLength = 0;
  #address = 0;

  constructor(instance: ZstdInstance) {
    this.#instance = instance;
  }

  /** The address of at least `byteLength` bytes, whatever they hold. */
  reserve(byteLength: number): number {
    if (byteLength > this.#byteLength) {
      if (this.#byteLength > 0) this.#instance.call("free", this.#address);
      this.#byteLength = 0;
      this.#address = this.#instance.allocate(byteLength);
      this.#byteLength = byteLength;
    }
    return this.#address;
  }

  /** The address of a copy of `bytes`. */
  hold(bytes: Uint8Array): number {
    const address = this.reserve(bytes.byteLength);
    this.#instance.view(address, bytes.byteLength).set(bytes);
    return address;
  }
}

function requireSize(instance: ZstdInstance, size: number): number {
  if (instance.call("ZSTD_isError", size) !== 0) throw new Error(`zstd's error ${-(size | 0)}`);
  return size >>> 0;
}

/**
 * The library on an instance of its own. One compressor, one decompressor and three buffers serve all calls. What the functions return is
 * a view of the instance's memory, good until the next call.
 */
export function instantiateZstd(module: WasmModule): ZstdLibrary {
  const instance = new ZstdInstance(module);
  const compressor = instance.call("ZSTD_createCCtx");
  const decompressor = instance.call("ZSTD_createDCtx");
  const input = new Room(instance);
  const output = new Room(instance);
  const dictionaryRoom = new Room(instance);
  return {
    compress(source, level, dictionary): Uint8Array {
      requireModest(source.byteLength);
      const capacity = instance.call("ZSTD_compressBound", source.byteLength);
      const dictionaryAt = dictionary === undefined ? 0 : dictionaryRoom.hold(dictionary);
      const to = output.reserve(capacity);
      const from = input.hold(source);
      const operands = [compressor, to, capacity, from, source.byteLength, dictionaryAt, dictionary?.byteLength ?? 0];
      const written = instance.call("ZSTD_compress_usingDict", ...operands, level);
      return instance.view(to, requireSize(instance, written));
    },
    decompress(frame, contentSize, dictionary): Uint8Array {
      requireModest(Math.max(frame.byteLength, contentSize));
      const dictionaryAt = dictionary === undefined ? 0 : dictionaryRoom.hold(dictionary);
      const to = output.reserve(Math.max(1, contentSize));
      const from = input.hold(frame);
      const operands = [decompressor, to, contentSize, from, frame.byteLength, dictionaryAt];
      const written = instance.call("ZSTD_decompress_usingDict", ...operands, dictionary?.byteLength ?? 0);
      return instance.view(to, requireSize(instance, written));
    },
  };
}
