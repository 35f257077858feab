/** Parts of files laid under memory of WebAssembly. @module */
import type { CheckedHandle } from "@b2frame/core/backend";
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

const PAGE = 65_536;
/** Ends inside a page, as files do. */
const SIZE = 5 * PAGE + 12_345;
const CONTENT = pattern(SIZE, 11);
const MEMORY = pattern(8 * PAGE, 12);

/** Memory of WebAssembly with known content. */
function filledMemory(): Uint8Array {
  const memory = new WebAssembly.Memory({ initial: 8 });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(MEMORY);
  return bytes;
}

/** What the contract allows to refuse; then nothing has changed. */
function mapped(
  context: SuiteContext,
  handle: CheckedHandle,
  position: number,
  target: Uint8Array,
): { byteLength: number; release(): void } | undefined {
  const before = target.slice();
  const part = handle.mapInto?.(position, target);
  if (part === undefined) context.sameBytes(target, before);
  return part;
}

export function checkMapping(context: SuiteContext): void {
  context.group("mapping into memory", () => {
    context.check("handles map if the capability says so, and mode c does not", (backend, path) => {
      context.put(backend, path, CONTENT);
      const mapsInto = backend.capabilities.mapsInto === true;
      withHandle(backend, path, "r", (handle) => {
        context.same(handle.mapInto !== undefined, mapsInto);
        if (mapsInto) context.same(handle.mappableSize?.(), SIZE);
      });
      if (backend.capabilities.copyOnWrite) {
        withHandle(backend, path, "c", (handle) => context.same(handle.mapInto, undefined));
      }
    });

    // Everything else is about the capability; the check above fails for a backend that says less than it has.
    if (context.options.backend().capabilities.mapsInto !== true) return;

    context.check("the file lies where it was asked for, and nothing beside it changes", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        const memory = filledMemory();
        const part = mapped(context, handle, PAGE, memory.subarray(2 * PAGE, 4 * PAGE));
        if (part === undefined) return;
        context.same(part.byteLength, 2 * PAGE);
        context.sameBytes(memory.subarray(2 * PAGE, 4 * PAGE), CONTENT.subarray(PAGE, 3 * PAGE));
        context.sameBytes(memory.subarray(0, 2 * PAGE), MEMORY.subarray(0, 2 * PAGE));
        context.sameBytes(memory.subarray(4 * PAGE), MEMORY.subarray(4 * PAGE));
        part.release();
      });
    });

    context.check("plain memory comes back, which can be written, also after close and twice", (backend, path) => {
      context.put(backend, path, CONTENT);
      const memory = filledMemory();
      const target = memory.subarray(PAGE, 3 * PAGE);
      const part = withHandle(backend, path, "r", (handle) => mapped(context, handle, 0, target));
      if (part === undefined) return;
      context.sameBytes(target, CONTENT.subarray(0, 2 * PAGE));
      part.release();
      context.sameBytes(target, new Uint8Array(2 * PAGE));
      target.set(MEMORY.subarray(0, 2 * PAGE));
      part.release();
      context.sameBytes(target, MEMORY.subarray(0, 2 * PAGE));
      context.sameBytes(context.contents(backend, path), CONTENT);
    });

    context.check("a part ends with the file, and all of the memory can still be copied", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        const memory = filledMemory();
        const part = mapped(context, handle, 4 * PAGE, memory.subarray(0, 8 * PAGE));
        if (part === undefined) return;
        context.same(part.byteLength, SIZE - 4 * PAGE);
        context.sameBytes(memory.slice().subarray(0, part.byteLength), CONTENT.subarray(4 * PAGE));
        part.release();
        context.same(handle.mapInto?.(6 * PAGE, memory.subarray(0, PAGE)), undefined);
      });
    });

    context.check("positions and memory that are no whole pages are refused", (backend, path) => {
      context.put(backend, path, CONTENT);
      const memory = filledMemory();
      const handle = backend.open(path, "r");
      context.fails(() => handle.mapInto?.(1, memory.subarray(0, PAGE)), "BLOSC2_ARGUMENT_INVALID");
      context.fails(() => handle.mapInto?.(0, memory.subarray(1, PAGE + 1)), "BLOSC2_ARGUMENT_INVALID");
      context.fails(() => handle.mapInto?.(0, memory.subarray(0, PAGE - 1)), "BLOSC2_ARGUMENT_INVALID");
      handle.close();
      context.fails(() => handle.mapInto?.(0, memory.subarray(0, PAGE)), "BLOSC2_IO_CLOSED");
      context.fails(() => handle.mappableSize?.(), "BLOSC2_IO_CLOSED");
      context.sameBytes(memory, MEMORY);
    });

    context.check("what is written later is seen, also what was only kept back", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r+", (handle) => {
        const memory = filledMemory();
        const target = memory.subarray(0, PAGE);
        const part = mapped(context, handle, 5 * PAGE, target);
        if (part === undefined) return;
        const news = pattern(20_000, 13);
        handle.write(SIZE - 1000, news);
        context.same(handle.mappableSize?.(), SIZE + 19_000);
        context.sameBytes(target.subarray(11_345, part.byteLength), news.subarray(0, part.byteLength - 11_345));
        part.release();
        const longer = mapped(context, handle, 5 * PAGE, target);
        if (longer === undefined) return;
        context.same(longer.byteLength, 31_345);
        context.sameBytes(target.subarray(11_345, 31_345), news);
        longer.release();
      });
    });
  });
}
