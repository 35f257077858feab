/** Reads: everywhere in the file, exact or an error, both ways alike. @module */
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

/** Longer than any buffer that a backend is likely to have by default, and no multiple of anything. */
const CONTENT = pattern(300_007, 3);
const SIZE = CONTENT.byteLength;

/** Position and length: starts, ends, borders of pages and buffers, unaligned. */
const SPANS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 80],
  [0, SIZE],
  [1, 3],
  [4095, 2],
  [4096, 4096],
  [32767, 2],
  [32768, 32768],
  [32769, 65537],
  [131071, 131074],
  [SIZE - 1, 1],
  [SIZE - 4096, 4096],
  [SIZE - 100_000, 100_000],
];

/** Bytes that a backend with `zeroCopy` may copy out of a handle before `read` gives views. */
const FIRST_COPIES = 4 * 2 ** 20;

export function checkReads(context: SuiteContext): void {
  context.group("reads", () => {
    context.check("read and readInto give the same bytes everywhere", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        for (const [position, length] of [...SPANS, ...SPANS.toReversed()]) {
          const expected = CONTENT.subarray(position, position + length);
          context.sameBytes(handle.read(position, length), expected);
          const target = new Uint8Array(length + 16).fill(0xaa);
          handle.readInto(position, target.subarray(8, 8 + length));
          context.sameBytes(target.subarray(8, 8 + length), expected);
          context.sameBytes(target.subarray(0, 8), new Uint8Array(8).fill(0xaa));
          context.sameBytes(target.subarray(8 + length), new Uint8Array(8).fill(0xaa));
        }
      });
    });

    context.check("small steps forward and backward cross every border right", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        for (let position = 0; position + 997 <= SIZE; position += 997) {
          context.sameBytes(handle.read(position, 997), CONTENT.subarray(position, position + 997));
        }
        for (let position = SIZE - 1013; position >= 0; position -= 1013) {
          context.sameBytes(handle.read(position, 1013), CONTENT.subarray(position, position + 1013));
        }
      });
    });

    context.check(
      "a read that crosses the end is a short read, never zeros, and allocates no such length",
      (backend, path) => {
        context.put(backend, path, CONTENT);
        withHandle(backend, path, "r", (handle) => {
          const beyond: readonly (readonly [number, number])[] = [
            [SIZE, 1],
            [SIZE - 1, 2],
            [0, SIZE + 1],
            [SIZE - 50_000, 50_001],
            [SIZE + 1_000_000, 10],
            [10, 2 ** 45],
            [2 ** 52, 1],
          ];
          for (const [position, length] of beyond) {
            const error = context.fails(() => handle.read(position, length), "BLOSC2_IO_SHORT_READ");
            context.same(error.details.position, position);
            context.same(error.details.length, length);
            context.same(error.details.path, path);
          }
          for (const [position, length] of beyond.filter(([, length]) => length < 2 ** 20)) {
            context.fails(() => handle.readInto(position, new Uint8Array(length)), "BLOSC2_IO_SHORT_READ");
          }
          context.sameBytes(handle.read(0, SIZE), CONTENT);
        });
      },
    );

    context.check("length 0 succeeds anywhere", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        for (const position of [0, 5, SIZE, SIZE + 1000]) {
          context.same(handle.read(position, 0).byteLength, 0);
          handle.readInto(position, new Uint8Array(0));
        }
      });
    });

    context.check("readInto fills shared memory", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (handle) => {
        for (const length of [100, 200_000]) {
          const shared = new Uint8Array(new SharedArrayBuffer(length));
          handle.readInto(17, shared);
          context.sameBytes(shared.slice(), CONTENT.subarray(17, 17 + length));
        }
      });
    });

    context.check("two handles read different places in turn", (backend, path) => {
      context.put(backend, path, CONTENT);
      withHandle(backend, path, "r", (first) =>
        withHandle(backend, path, "r", (second) => {
          for (let i = 0; i < 200; i++) {
            const a = (i * 7919) % (SIZE - 100);
            const b = (i * 104_729) % (SIZE - 100);
            const viewOfFirst = first.read(a, 100);
            const viewOfSecond = second.read(b, 100);
            context.sameBytes(viewOfFirst, CONTENT.subarray(a, a + 100));
            context.sameBytes(viewOfSecond, CONTENT.subarray(b, b + 100));
          }
        }),
      );
    });

    if (context.options.backend().capabilities.zeroCopy) {
      context.check("read shares memory, as the capabilities say", (backend, path) => {
        context.put(backend, path, CONTENT);
        withHandle(backend, path, "r", (handle) => {
          // A backend may copy at first: making a view can cost more.
          for (let copied = 0; copied < FIRST_COPIES; copied += 100_000) handle.read(1000, 100_000);
          const outer = handle.read(1000, 100_000);
          const inner = handle.read(2000, 10);
          context.same(outer.buffer === inner.buffer, true);
          context.same(outer.byteOffset + 1000, inner.byteOffset);
        });
      });
    }
  });
}
