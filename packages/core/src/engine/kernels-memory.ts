/** The kernels' memory as the engine uses it: staging, reservation, and what is copied in per chunk or per block. @module */
import { type Kernels, loadKernels, shiftApart } from "@b2frame/kernels";
import type { BlockCoding, BlockDecodeRequest } from "../block/engine.js";
import { crc32c } from "../bytes/crc32c.js";
import { Blosc2Error } from "../errors.js";
import { KernelsWindows } from "./kernels-windows.js";

/** Bytes that `crcInput` has room for. */
const CRC_INPUT_LENGTH = 32_768;
/** Fewer bytes are summed where they are. */
const LEAST_COPIED = 512;

/** The kernels and what has been put into their memory. */
export class KernelsMemory {
  readonly kernels: Kernels;
  readonly windows: KernelsWindows;
  #coding: BlockCoding | undefined;
  #hasDictionary = false;
  #view: Uint8Array = new Uint8Array(0);
  #viewAddress = -1;

  /** @param kernels by default new ones, in a memory of their own */
  constructor(kernels: Kernels = loadKernels()) {
    this.kernels = kernels;
    this.windows = new KernelsWindows(kernels);
  }

  /**
   * Staging memory for `byteLength` compressed bytes, with room for blocks of `blockByteLength` bytes beside it, so that
   * decoding these does not move it.
   *
   * @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED`
   */
  stage(byteLength: number, blockByteLength: number): Uint8Array {
    this.reserve(blockByteLength, byteLength);
    const { staging } = this.kernels.arena;
    return this.kernels.bytes.subarray(staging, staging + byteLength);
  }

  /** @throws Blosc2Error `BLOSC2_LIMIT_EXCEEDED` when the platform refuses the memory. */
  reserve(blockByteLength: number, stagingByteLength: number, boxesByteLength = 0): void {
    try {
      if (this.kernels.arena.reserve(blockByteLength, stagingByteLength, boxesByteLength)) this.#hasDictionary = false;
    } catch (cause) {
      throw new Blosc2Error(
        "BLOSC2_LIMIT_EXCEEDED",
        `no memory for a block of ${blockByteLength} bytes and ${stagingByteLength} compressed bytes`,
        { limit: "WebAssembly memory", blocksize: blockByteLength, staging: stagingByteLength },
        cause,
      );
    }
  }

  /** The CRC-32C of bytes that are in this memory, or pass through it. */
  crc32c(bytes: Uint8Array, previous: number): number {
    const { byteLength, byteOffset } = bytes;
    const { exports } = this.kernels;
    if (this.kernels.owns(bytes)) return exports.crc32c(byteOffset, byteLength, previous) >>> 0;
    if (byteLength < LEAST_COPIED) return crc32c(bytes, previous);
    const input = exports.crcInput();
    let sum = previous;
    for (let at = 0; at < byteLength; at += CRC_INPUT_LENGTH) {
      const piece = bytes.subarray(at, Math.min(byteLength, at + CRC_INPUT_LENGTH));
      this.kernels.bytes.set(piece, input);
      sum = exports.crc32c(input, piece.byteLength, sum);
    }
    return sum >>> 0;
  }

  /** Passes a chunk's filters and dictionary to the kernels, unless they have them. @returns the dictionary's length */
  load(coding: BlockCoding): number {
    const { dictionary } = coding;
    if (this.#coding !== coding) {
      this.#coding = coding;
      this.#hasDictionary = false;
      this.kernels.setFilters(coding.filters, coding.filtersMeta);
    }
    if (dictionary === undefined) return 0;
    if (!this.#hasDictionary) this.kernels.bytes.set(dictionary, this.kernels.arena.dictionary);
    this.#hasDictionary = true;
    return dictionary.byteLength;
  }

  /** The address of a raw block: where it lies in this memory, or where it is copied to now. */
  loadBlock(block: Uint8Array): number {
    if (this.kernels.owns(block)) return block.byteOffset;
    return this.#put(this.kernels.arena.source, block);
  }

  /** The address of as much of block 0 as a block of `byteLength` bytes needs, which is copied in unless it is here; 0 for none. */
  loadReference(reference: Uint8Array | undefined, byteLength: number): number {
    if (reference === undefined) return 0;
    if (this.kernels.owns(reference)) return reference.byteOffset;
    const whole = reference.byteLength === byteLength ? reference : reference.subarray(0, byteLength);
    return this.#put(this.kernels.arena.reference, whole);
  }

  /**
   * The address of a block's compressed bytes: where they are staged, or where they are copied to now.
   *
   * @param end offset in the source after the block's last byte
   */
  loadSource(request: BlockDecodeRequest, end: number): number {
    const { source, sourceStart } = request;
    if (this.kernels.owns(source)) return source.byteOffset + sourceStart;
    const part = source.subarray(sourceStart, end);
    this.reserve(0, part.byteLength + shiftApart(part, 0));
    return this.#put(this.kernels.arena.staging, part);
  }

  /** The address of a target that has room for all of the block, of which only a range is wanted, in this memory; else 0. */
  addressOf({ target, targetOffset, from, blockByteLength }: BlockDecodeRequest): number {
    const offset = targetOffset - from;
    const fits = offset >= 0 && offset + blockByteLength <= target.byteLength;
    return fits && this.kernels.owns(target) ? target.byteOffset + offset : 0;
  }

  /** Whether a view of this memory is of what is set aside for blocks. */
  isScratch({ byteOffset }: Uint8Array): boolean {
    const { boxes, staging } = this.kernels.arena;
    return byteOffset >= boxes && byteOffset < staging;
  }

  /** Where to put a result that is then copied to `targetOffset` in `target`. */
  outputFor(target: Uint8Array, targetOffset: number): number {
    return this.kernels.arena.output + shiftApart(target, targetOffset);
  }

  #put(buffer: number, bytes: Uint8Array): number {
    const address = buffer + shiftApart(bytes, 0);
    this.kernels.bytes.set(bytes, address);
    return address;
  }

  /** A view of the memory; the same object for the same place as last time, which spares making one for each block. */
  view(address: number, byteLength: number): Uint8Array {
    const last = this.#view;
    if (this.#viewAddress !== address || last.byteLength !== byteLength || !this.kernels.owns(last)) {
      this.#view = this.kernels.bytes.subarray(address, address + byteLength);
      this.#viewAddress = address;
    }
    return this.#view;
  }
}
