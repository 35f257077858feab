/** One open file's maps: page-aligned windows, mapped when they are first read. @module */
import { isBlosc2Error } from "@b2frame/core";
import type { Mapping, MappingAdvice, MappingDriver, MappingShare } from "./mapping-driver.js";
import type { MmapDiagnostic } from "./mmap-diagnostic.js";

/** How a file is mapped. */
export interface WindowPlan {
  readonly path: string;
  readonly descriptor: number;
  /** The driver that was asked for comes first; the others serve what it can't map. */
  readonly drivers: readonly MappingDriver[];
  /** A multiple of the page size. */
  readonly windowSize: number;
  readonly share: MappingShare;
  readonly advice: MappingAdvice | undefined;
  readonly maxMaps: number;
  /** The windows hold changes that are nowhere else: none may be given up or mapped again. */
  readonly pinned: boolean;
  readonly report: (diagnostic: MmapDiagnostic) => void;
}

interface MappedWindow {
  readonly start: number;
  readonly mapping: Mapping;
  /** The part of the mapping that JavaScript sees, from the first {@link MappedWindows.locate} on. */
  view: Uint8Array | undefined;
}

/** Views count as external memory of V8, so one starts small and doubles as the file grows into its window. */
const SMALLEST_VIEW = 2 ** 20;

function doubledUpTo(length: number, smallest: number): number {
  let doubled = smallest;
  while (doubled < length) doubled *= 2;
  return doubled;
}

function adviseOrRelease(mapping: Mapping, advice: MappingAdvice | undefined): Mapping {
  try {
    if (advice !== undefined) mapping.advise(advice);
  } catch (error) {
    mapping.release();
    throw error;
  }
  return mapping;
}

/** Maps windows on demand and finds bytes in them. Whoever calls makes sure that the bytes are inside the file. */
export class MappedWindows {
  readonly #plan: WindowPlan;
  readonly #windows = new Map<number, MappedWindow>();
  #newest: MappedWindow | undefined;

  constructor(plan: WindowPlan) {
    this.#plan = plan;
  }

  /** How many windows are mapped. */
  get count(): number {
    return this.#windows.size;
  }

  /** Bytes of address space in use. */
  get mappedBytes(): number {
    let total = 0;
    for (const window of this.#windows.values()) total += window.mapping.byteLength;
    return total;
  }

  /**
   * The bytes as a view of the map. Undefined if no single window holds them: they straddle two, or can't be mapped.
   * `fileSize`: bytes that may be touched. `extent`: how far the file is to be mapped, at least `fileSize`.
   *
   * @throws UnsupportedError where the runtime forbids ArrayBuffers over foreign memory.
   */
  locate(position: number, length: number, fileSize: number, extent: number): Uint8Array | undefined {
    const window = this.#windowFor(position, length, extent);
    if (window === undefined) return undefined;
    const { start } = window;
    const needed = position + length - start;
    let { view } = window;
    if (view === undefined || view.byteLength < needed) {
      view = this.#viewOf(window, needed, fileSize);
      window.view = view;
    }
    return new Uint8Array(view.buffer, view.byteOffset + position - start, length);
  }

  /**
   * Copies bytes out of the map. False if no single window holds them. A first view of a large map costs V8 a garbage
   * collection; this makes none.
   */
  copy(position: number, target: Uint8Array, extent: number): boolean {
    const window = this.#windowFor(position, target.byteLength, extent);
    if (window === undefined) return false;
    window.mapping.copyTo(position - window.start, target);
    return true;
  }

  /** Whether {@link locate} would find the bytes in a view that there is. */
  hasView(position: number, length: number): boolean {
    const window = this.#windows.get(Math.floor(position / this.#plan.windowSize));
    return window?.view !== undefined && position + length <= window.start + window.view.byteLength;
  }

  /** Writes the changes of shared windows to the file, up to `fileSize`; durable on return. */
  sync(fileSize: number): void {
    for (const { start, mapping } of this.#windows.values()) {
      const length = Math.min(mapping.byteLength, fileSize - start);
      if (length > 0) mapping.sync(length);
    }
  }

  /** Unmaps everything. Goes on after a failure; the first one is thrown at the end. */
  release(): void {
    const windows = [...this.#windows.values()];
    this.#windows.clear();
    this.#newest = undefined;
    const failures: unknown[] = [];
    for (const { mapping } of windows) {
      try {
        mapping.release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** The window that holds the bytes, mapped if it was not. */
  #windowFor(position: number, length: number, extent: number): MappedWindow | undefined {
    const newest = this.#newest;
    if (
      newest !== undefined &&
      position >= newest.start &&
      position + length <= newest.start + newest.mapping.byteLength
    ) {
      return newest;
    }
    const { windowSize, pinned } = this.#plan;
    const index = Math.floor(position / windowSize);
    const start = index * windowSize;
    const needed = position + length - start;
    if (needed > windowSize) return undefined;
    let window = this.#windows.get(index);
    if (window === undefined || window.mapping.byteLength < needed) {
      // What was mapped before stays until its successor is there, and if that fails.
      const mapping =
        window !== undefined && pinned ? undefined : this.#map(start, Math.min(windowSize, extent - start));
      if (mapping === undefined) return undefined;
      this.#give(index);
      window = { start, mapping, view: undefined };
    } else {
      this.#windows.delete(index);
    }
    // Last in the map: used most recently.
    this.#windows.set(index, window);
    this.#newest = window;
    return window;
  }

  #viewOf({ mapping, start }: MappedWindow, needed: number, fileSize: number): Uint8Array {
    const length = doubledUpTo(Math.max(needed, Math.min(fileSize - start, mapping.byteLength)), SMALLEST_VIEW);
    try {
      return mapping.view(Math.min(length, mapping.byteLength));
    } catch (error) {
      this.#give(Math.floor(start / this.#plan.windowSize));
      throw error;
    }
  }

  #map(start: number, length: number): Mapping | undefined {
    const { drivers, descriptor, share, advice, path, report } = this.#plan;
    const reasons: string[] = [];
    for (const driver of drivers) {
      const { pageSize, maxLength, maxEnd } = driver.limits;
      const rounded = Math.ceil(length / pageSize) * pageSize;
      if (rounded > maxLength || start + rounded > maxEnd) {
        reasons.push(`${driver.name} can't map ${rounded} bytes at position ${start}`);
        continue;
      }
      if (!this.#makeRoom(driver)) {
        reasons.push(`${driver.name} has the ${driver.liveMaps} maps that maxMaps allows`);
        continue;
      }
      try {
        const mapping = adviseOrRelease(driver.map(descriptor, start, rounded, share), advice);
        if (reasons.length > 0) {
          report({
            kind: "other-driver",
            path,
            position: start,
            reason: `${reasons.join("; ")}: mapped by ${driver.name}`,
          });
        }
        return mapping;
      } catch (error) {
        if (isBlosc2Error(error)) throw error;
        reasons.push(`${driver.name} failed to map ${rounded} bytes at position ${start}: ${(error as Error).message}`);
      }
    }
    report({ kind: "positioned-io", path, position: start, reason: `${reasons.join("; ")}: read without a map` });
    return undefined;
  }

  /** Whether the driver may map once more, if need be after this file has given up the windows that it used least recently. */
  #makeRoom(driver: MappingDriver): boolean {
    const { maxMaps, pinned } = this.#plan;
    if (driver.liveMaps < maxMaps) return true;
    if (!pinned) {
      for (const index of this.#windows.keys()) {
        this.#give(index);
        if (driver.liveMaps < maxMaps) return true;
      }
    }
    return false;
  }

  #give(index: number): void {
    const window = this.#windows.get(index);
    if (window === undefined) return;
    this.#windows.delete(index);
    if (this.#newest === window) this.#newest = undefined;
    window.mapping.release();
  }
}
