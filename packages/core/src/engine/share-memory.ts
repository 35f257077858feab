/** Memory that several threads decode into and encode from, each with kernels of its own. @module */
import {
  type CompiledKernels,
  type LinearMemory,
  loadSharedKernels,
  MEMORY_PAGE,
  makeSharedMemory,
  type SharedPart,
  sharedKernelsModule,
} from "@b2frame/kernels/shared";
import { KernelsMemory } from "./kernels-memory.js";
import { WINDOW_PAGES } from "./kernels-windows.js";
import { keepMemoryOf } from "./target-memory.js";

/** Each thread's room for blocks, for compressed bytes that are staged, and for windows into files. Larger blocks are decoded elsewhere and copied. */
const BLOCK_BYTES = 2 ** 21;
const STAGING_BYTES = 2 ** 22;
const WINDOWS = 2;
/** Pages of a thread's part: the kernels' own tables, nine blocks, what is staged, and the windows. */
const PART_PAGES: number =
  Math.ceil((2 ** 20 + 9 * BLOCK_BYTES + STAGING_BYTES) / MEMORY_PAGE) + WINDOWS * WINDOW_PAGES;
/** Pages of the largest memory of WebAssembly; all of it can't be had everywhere. */
const MOST_PAGES = 65_535;

/** Shared bytes, as data that can be sent to other threads. */
export interface Sharing {
  readonly module: CompiledKernels;
  readonly memory: LinearMemory;
  /** What no other memory of the thread that made it has. */
  readonly id: number;
  /** Threads besides the one that made the memory. */
  readonly threads: number;
  /** Where the bytes are in the memory. */
  readonly address: number;
  readonly byteLength: number;
}

/** What is the same for all views of a memory. */
type SharedWhole = Pick<Sharing, "module" | "memory" | "id" | "threads">;

const wholes = new WeakMap<ArrayBufferLike, SharedWhole>();

let lastId = 0;

/** Memory of another thread's that is in use here. */
const attached = new Map<number, WeakRef<ArrayBufferLike>>();

/** Memory, or why there is none, for people. */
export type SharedAllocation = { readonly bytes: Uint8Array } | { readonly bytes?: undefined; readonly reason: string };

/** Memory that this thread and `threads` others can all decode into and encode from without a copy, filled with zeros; if it can be had. */
export function allocateShared(byteLength: number, threads: number): SharedAllocation {
  const address = (threads + 1) * PART_PAGES * MEMORY_PAGE;
  const pages = Math.ceil((address + byteLength) / MEMORY_PAGE);
  if (pages > MOST_PAGES) {
    return { reason: `${byteLength} bytes and the room of ${threads + 1} threads exceed a memory of WebAssembly` };
  }
  try {
    const whole = { module: sharedKernelsModule(), memory: makeSharedMemory(pages), id: ++lastId, threads };
    const bytes = new Uint8Array(whole.memory.buffer, address, byteLength);
    wholes.set(bytes.buffer, whole);
    keepMemoryOf(bytes, () => partOf(whole, 0));
    return { bytes };
  } catch (error) {
    // Whatever the platform lacks: WebAssembly, its threads, shared memory, or just room.
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** How other threads get at bytes that lie in memory of {@link allocateShared}; undefined for other bytes. */
export function sharingOf(bytes: Uint8Array): Sharing | undefined {
  const whole = wholes.get(bytes.buffer);
  return whole && { ...whole, address: bytes.byteOffset, byteLength: bytes.byteLength };
}

/**
 * The bytes that another thread shares. What is decoded into this view is decoded in place.
 *
 * @param thread number of this thread, from 1 to `threads`; no two threads may have the same number at the same time, and all that
 * this one attaches must come from the same thread
 */
export function attachShared(sharing: Sharing, thread: number): Uint8Array {
  const { id, address, byteLength } = sharing;
  // Each message brings another object for the same memory, of which this thread has one part: the kernels in it must be the same.
  let buffer = attached.get(id)?.deref();
  if (buffer === undefined) {
    for (const [known, reference] of attached) if (reference.deref() === undefined) attached.delete(known);
    buffer = sharing.memory.buffer;
    attached.set(id, new WeakRef(buffer));
    wholes.set(buffer, sharing);
    keepMemoryOf(new Uint8Array(buffer), partOf(sharing, thread));
  }
  return new Uint8Array(buffer, address, byteLength);
}

function partOf({ module, memory }: SharedWhole, thread: number): KernelsMemory {
  const start = thread * PART_PAGES * MEMORY_PAGE;
  const part: SharedPart = { memory, start, end: start + PART_PAGES * MEMORY_PAGE };
  const made = new KernelsMemory(loadSharedKernels(module, part));
  made.reserve(BLOCK_BYTES, STAGING_BYTES, BLOCK_BYTES);
  made.windows.make(WINDOWS);
  return made;
}
