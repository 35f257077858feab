/** Writes: inside, at and past the end; far into large files; seen by other handles. @module */
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

const FAR_POSITIONS: readonly number[] = [2 ** 31 - 5, 2 ** 31, 2 ** 32 - 5, 2 ** 32, 5 * 2 ** 30 + 3];

function checkFarPositions(context: SuiteContext): void {
  const { maxFileSize } = context.options.backend().capabilities;
  const reachable = FAR_POSITIONS.filter((position) => maxFileSize === undefined || position + 1000 <= maxFileSize);
  if (reachable.length > 0) {
    context.check("positions past 2 and 4 GiB in a file with holes", (backend, path) => {
      try {
        withHandle(backend, path, "w+", (handle) => {
          handle.write(0, pattern(100, 99));
          reachable.forEach((position, i) => {
            handle.write(position, pattern(1000, i));
          });
          context.same(handle.size(), Math.max(...reachable) + 1000);
          handle.flush();
        });
        withHandle(backend, path, "r", (handle) => {
          context.sameBytes(handle.read(0, 100), pattern(100, 99));
          reachable.forEach((position, i) => {
            const next = reachable[i + 1] ?? position + 1000;
            const length = Math.min(1000, next - position);
            const expected = pattern(1000, i).subarray(0, length);
            context.sameBytes(handle.read(position, length), expected);
            const target = new Uint8Array(length);
            handle.readInto(position, target);
            context.sameBytes(target, expected);
          });
          context.sameBytes(handle.read(3 * 2 ** 30, 50), new Uint8Array(50));
          context.fails(() => handle.read(handle.size() - 10, 11), "BLOSC2_IO_SHORT_READ");
        });
      } finally {
        backend.remove(path);
      }
    });
  }
  if (maxFileSize !== undefined) {
    context.check("nothing grows past the largest size, as the capabilities say", (backend, path) => {
      for (const grow of ["write", "truncate"] as const) {
        withHandle(backend, path, "w+", (handle) => {
          handle.write(0, pattern(10, 1));
          const tooLarge = () => {
            if (grow === "write") handle.write(maxFileSize, Uint8Array.of(1));
            else handle.truncate(maxFileSize + 1);
          };
          context.fails(tooLarge, "BLOSC2_LIMIT_EXCEEDED");
          context.same(handle.size(), 10);
          context.sameBytes(handle.read(0, 10), pattern(10, 1));
          context.fails(() => handle.close(), "BLOSC2_IO_HANDLE_FAILED");
        });
      }
    });
  }
}

export function checkWrites(context: SuiteContext): void {
  if (!context.options.backend().capabilities.write) return;
  context.group("writes", () => {
    context.check("inside, over the end, at the end", (backend, path) => {
      const expected = pattern(1000, 1);
      withHandle(backend, path, "w+", (handle) => {
        handle.write(0, expected.subarray(0, 600));
        handle.write(100, pattern(50, 2));
        handle.write(550, expected.subarray(550, 800));
        context.same(handle.size(), 800);
        handle.write(800, expected.subarray(800));
        context.same(handle.size(), 1000);
        expected.set(pattern(50, 2), 100);
        context.sameBytes(handle.read(0, 1000), expected);
      });
      context.sameBytes(context.contents(backend, path), expected);
    });

    context.check("a gap past the end reads as zeros", (backend, path) => {
      const expected = new Uint8Array(200_010);
      expected.set(pattern(5, 1), 0);
      expected.set(pattern(10, 2), 200_000);
      withHandle(backend, path, "w+", (handle) => {
        handle.write(0, pattern(5, 1));
        handle.write(200_000, pattern(10, 2));
        context.same(handle.size(), 200_010);
        context.sameBytes(handle.read(0, 200_010), expected);
        context.sameBytes(handle.read(3, 10), expected.subarray(3, 13));
      });
      context.sameBytes(context.contents(backend, path), expected);
    });

    context.check("a gap after a truncation reads as zeros, not as what was there", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        handle.write(0, pattern(50_000, 1));
        handle.truncate(10);
        handle.write(49_999, Uint8Array.of(7));
        const expected = new Uint8Array(50_000);
        expected.set(pattern(10, 1).subarray(0, 10));
        expected[49_999] = 7;
        context.sameBytes(handle.read(0, 50_000), expected);
      });
    });

    context.check("bytes are not kept after write returns", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        const bytes = pattern(100, 1);
        handle.write(0, bytes);
        bytes.fill(0);
        context.sameBytes(handle.read(0, 100), pattern(100, 1));
      });
      context.sameBytes(context.contents(backend, path), pattern(100, 1));
    });

    context.check("an empty write changes nothing, wherever it is", (backend, path) => {
      withHandle(backend, path, "w+", (handle) => {
        handle.write(5000, new Uint8Array(0));
        context.same(handle.size(), 0);
      });
    });

    context.check("many small writes in any order give the file that they should", (backend, path) => {
      const expected = pattern(120_000, 5);
      const order = Array.from({ length: 1200 }, (_, i) => (i * 757) % 1200);
      withHandle(backend, path, "w+", (handle) => {
        for (const i of order) handle.write(i * 100, expected.subarray(i * 100, i * 100 + 100));
        context.sameBytes(handle.read(0, 120_000), expected);
        for (let i = 0; i < 1200; i++) {
          handle.write(i * 100, expected.subarray(i * 100, i * 100 + 1));
          context.sameBytes(handle.read(i * 100, 2), expected.subarray(i * 100, i * 100 + 2));
        }
      });
      context.sameBytes(context.contents(backend, path), expected);
    });

    context.check("a second handle sees flushed bytes, also where it has read before", (backend, path) => {
      context.put(backend, path, pattern(70_000, 1));
      withHandle(backend, path, "r", (reader) =>
        withHandle(backend, path, "r+", (writer) => {
          for (let round = 0; round < 5; round++) {
            context.same(reader.size(), 70_000 + round * 50);
            reader.read(0, 80);
            const header = pattern(80, 10 + round);
            const tail = pattern(50, 20 + round);
            writer.write(0, header);
            writer.write(70_000 + round * 50, tail);
            writer.flush();
            context.sameBytes(reader.read(0, 80), header);
            context.sameBytes(reader.read(70_000 + round * 50, 50), tail);
          }
        }),
      );
    });

    context.check("a second writer sees flushed bytes and its own", (backend, path) => {
      withHandle(backend, path, "w+", (first) =>
        withHandle(backend, path, "r+", (second) => {
          first.write(0, pattern(100, 1));
          first.flush();
          second.write(100, pattern(100, 2));
          second.flush();
          context.same(first.size(), 200);
          context.sameBytes(first.read(100, 100), pattern(100, 2));
          context.sameBytes(second.read(0, 100), pattern(100, 1));
        }),
      );
    });

    checkFarPositions(context);
  });
}
