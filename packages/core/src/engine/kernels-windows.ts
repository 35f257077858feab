/** Windows into files, above the arena in the kernels' memory. @module */
import type { Kernels } from "@b2frame/kernels";
import type { MappableFile, MappedFilePart, WindowMemory } from "../block/window-memory.js";

const PAGE = 65_536;
/** Pages of a window, and windows: 64 MiB of address space, of which only what is mapped takes memory. */
export const WINDOW_PAGES = 128;
const WINDOWS = 8;
const WINDOW_BYTES = WINDOW_PAGES * PAGE;
/** Kernels read at most so far behind the bytes that they are given. */
const READ_BEHIND = 256;
/** Fewer bytes are copied in less time than it takes to map a window; they are read where a window shows them anyway. */
const LEAST_MAPPED = 32_768;

interface FileWindow {
  readonly address: number;
  key: object | undefined;
  part: MappedFilePart | undefined;
  /** Position in the file. */
  position: number;
  end: number;
  used: number;
}

/** See {@link WindowMemory}. */
export class KernelsWindows implements WindowMemory {
  readonly #kernels: Kernels;
  #windows: FileWindow[] = [];
  #uses = 0;
  /** Somebody asked for a window, and there were none. */
  #wanted = false;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  /** Makes the windows, if somebody has asked for one: the memory grows, so that no view of it may be in use. */
  prepare(): void {
    if (this.#wanted) this.make();
  }

  /** Makes the windows, as {@link prepare} does, whether somebody has asked or not. */
  make(windows: number = WINDOWS): void {
    this.#wanted = false;
    let address: number;
    try {
      address = this.#kernels.setAside(windows * WINDOW_PAGES, () => this.#end());
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // No memory for windows: bytes are copied, as before, and the next one who asks tries again.
      return;
    }
    for (let i = 0; i < windows; i++) {
      this.#windows.push({
        address: address + i * WINDOW_BYTES,
        key: undefined,
        part: undefined,
        position: 0,
        end: 0,
        used: 0,
      });
    }
  }

  locate(key: object, file: MappableFile, position: number, length: number): Uint8Array | undefined {
    let window = this.#find(key, position, length);
    if (window === undefined && length < LEAST_MAPPED) return undefined;
    const size = file.mappableSize?.() ?? 0;
    const end = position + length + READ_BEHIND;
    if (end > size) return undefined;
    window ??= this.#map(key, file, position, end);
    if (window === undefined) return undefined;
    window.used = ++this.#uses;
    const address = window.address + position - window.position;
    return this.#kernels.bytes.subarray(address, address + length);
  }

  release(key: object): void {
    for (const window of this.#windows) if (window.key === key) empty(window);
  }

  #find(key: object, position: number, length: number): FileWindow | undefined {
    for (const window of this.#windows) {
      if (window.key === key && position >= window.position && position + length + READ_BEHIND <= window.end)
        return window;
    }
    return undefined;
  }

  #map(key: object, file: MappableFile, position: number, end: number): FileWindow | undefined {
    const start = Math.floor(position / PAGE) * PAGE;
    if (end - start > WINDOW_BYTES) return undefined;
    let oldest = this.#windows[0];
    if (oldest === undefined) {
      this.#wanted = true;
      return undefined;
    }
    for (const window of this.#windows) if (window.used < oldest.used) oldest = window;
    empty(oldest);
    const part = file.mapInto?.(start, this.#kernels.bytes.subarray(oldest.address, oldest.address + WINDOW_BYTES));
    if (part === undefined) return undefined;
    oldest.key = key;
    oldest.part = part;
    oldest.position = start;
    oldest.end = start + part.byteLength;
    // The file may have been cut since it was asked for its size.
    return end <= oldest.end ? oldest : undefined;
  }

  #end(): void {
    for (const window of this.#windows) empty(window);
    this.#windows = [];
  }
}

function empty(window: FileWindow): void {
  const { part } = window;
  window.key = undefined;
  window.part = undefined;
  window.used = 0;
  part?.release();
}
