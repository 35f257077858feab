/** Shrinking and growing. @module */
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

export function checkTruncate(context: SuiteContext): void {
  if (!context.options.backend().capabilities.write) return;
  context.group("truncate", () => {
    context.check("down: the rest is gone", (backend, path) => {
      context.put(backend, path, pattern(100_000, 1));
      withHandle(backend, path, "r+", (handle) => {
        handle.read(0, 100);
        handle.truncate(50);
        context.same(handle.size(), 50);
        context.sameBytes(handle.read(0, 50), pattern(100_000, 1).subarray(0, 50));
        context.fails(() => handle.read(0, 51), "BLOSC2_IO_SHORT_READ");
        context.fails(() => handle.readInto(49, new Uint8Array(2)), "BLOSC2_IO_SHORT_READ");
      });
      context.same(context.contents(backend, path).byteLength, 50);
    });

    context.check("up: the new part is zeros, also where bytes were before", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        handle.write(0, pattern(80_000, 1));
        handle.truncate(10);
        handle.truncate(100_000);
        const expected = new Uint8Array(100_000);
        expected.set(pattern(80_000, 1).subarray(0, 10));
        context.same(handle.size(), 100_000);
        context.sameBytes(handle.read(0, 100_000), expected);
      });
    });

    context.check("to 0 and to the size that it has", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        handle.truncate(0);
        context.same(handle.size(), 0);
        handle.write(0, pattern(10, 1));
        handle.truncate(10);
        context.sameBytes(handle.read(0, 10), pattern(10, 1));
        handle.truncate(0);
        context.same(handle.size(), 0);
      });
      context.same(context.contents(backend, path).byteLength, 0);
    });

    context.check("bytes written and not yet flushed are cut as well", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        handle.write(0, pattern(20, 1));
        handle.write(20, pattern(20, 2));
        handle.truncate(25);
        handle.flush();
        context.same(handle.size(), 25);
      });
      const expected = new Uint8Array(25);
      expected.set(pattern(20, 1));
      expected.set(pattern(20, 2).subarray(0, 5), 20);
      context.sameBytes(context.contents(backend, path), expected);
    });

    context.check("a reader of the cut part gets an error, never other bytes", (backend, path) => {
      context.put(backend, path, pattern(200_000, 1));
      withHandle(backend, path, "r", (reader) => {
        context.sameBytes(reader.read(0, 100), pattern(200_000, 1).subarray(0, 100));
        withHandle(backend, path, "r+", (writer) => writer.truncate(100));
        context.fails(() => reader.read(150_000, 100), "BLOSC2_IO_SHORT_READ", "BLOSC2_IO_STALE");
        context.fails(() => reader.readInto(50, new Uint8Array(100)), "BLOSC2_IO_SHORT_READ", "BLOSC2_IO_STALE");
      });
    });
  });
}
