/** Closing, and states that refuse calls, applied to every method. @module */
import { isBlosc2Error, type OpenMode } from "@b2frame/core";
import { type CheckedHandle, openChecked } from "@b2frame/core/backend";
import { pattern, type SuiteContext, withHandle } from "../suite-context.js";

type HandleCall = readonly [name: string, call: (handle: CheckedHandle) => unknown];

const READING_CALLS: readonly HandleCall[] = [
  ["size", (handle) => handle.size()],
  ["read", (handle) => handle.read(0, 1)],
  ["read of nothing", (handle) => handle.read(0, 0)],
  ["readInto", (handle) => handle.readInto(0, new Uint8Array(1))],
  ["flush", (handle) => handle.flush()],
];

const CHANGING_CALLS: readonly HandleCall[] = [
  ["write", (handle) => handle.write(0, Uint8Array.of(1))],
  ["write of nothing", (handle) => handle.write(0, new Uint8Array(0))],
  ["truncate", (handle) => handle.truncate(1)],
  ["truncate to the size", (handle) => handle.truncate(10)],
];

/** A read of a file that another took the name of: the old bytes or a named error, never the new ones or a mix. */
function oldOrStale(context: SuiteContext, handle: CheckedHandle, position: number, expected: Uint8Array): void {
  let found: Uint8Array;
  try {
    found = handle.read(position, expected.byteLength);
  } catch (error) {
    context.same(isBlosc2Error(error, "BLOSC2_IO_STALE"), true);
    return;
  }
  context.sameBytes(found, expected);
}

export function checkLifetime(context: SuiteContext): void {
  const { capabilities } = context.options.backend();
  const modes: OpenMode[] = ["r"];
  if (capabilities.write) modes.push("r+");
  if (capabilities.copyOnWrite) modes.push("c");

  context.group("lifetime", () => {
    for (const mode of modes) {
      context.check(`${mode}: after close every call but close is refused`, (backend, path) => {
        context.put(backend, path, pattern(10, 1));
        const handle = openChecked(backend, path, mode);
        handle.close();
        handle.close();
        for (const [name, call] of [...READING_CALLS, ...CHANGING_CALLS]) {
          const error = context.fails(() => call(handle), "BLOSC2_IO_CLOSED");
          context.same([name, error.details.path].join(), [name, path].join());
        }
        handle.close();
        context.sameBytes(context.contents(backend, path), pattern(10, 1));
      });
    }

    context.check("r: every changing call is refused, and the handle reads on", (backend, path) => {
      context.put(backend, path, pattern(10, 1));
      withHandle(backend, path, "r", (handle) => {
        for (const [, call] of CHANGING_CALLS) context.fails(() => call(handle), "BLOSC2_IO_READ_ONLY");
        for (const [, call] of READING_CALLS) call(handle);
        context.sameBytes(handle.read(0, 10), pattern(10, 1));
      });
      context.sameBytes(context.contents(backend, path), pattern(10, 1));
    });

    context.check("arguments that can't be are refused and leave the handle usable", (backend, path) => {
      context.put(backend, path, pattern(10, 1));
      const mode = capabilities.write ? "r+" : "r";
      withHandle(backend, path, mode, (handle) => {
        for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "0" as unknown as number]) {
          context.fails(() => handle.read(bad, 1), "BLOSC2_ARGUMENT_INVALID");
          context.fails(() => handle.read(0, bad), "BLOSC2_ARGUMENT_INVALID");
          context.fails(() => handle.readInto(bad, new Uint8Array(1)), "BLOSC2_ARGUMENT_INVALID");
          if (mode !== "r+") continue;
          context.fails(() => handle.write(bad, Uint8Array.of(1)), "BLOSC2_ARGUMENT_INVALID");
          context.fails(() => handle.truncate(bad), "BLOSC2_ARGUMENT_INVALID");
        }
        context.fails(() => handle.read(2 ** 53 - 1, 2), "BLOSC2_ARGUMENT_INVALID");
        context.fails(() => handle.readInto(0, [1] as unknown as Uint8Array), "BLOSC2_ARGUMENT_INVALID");
        context.sameBytes(handle.read(0, 10), pattern(10, 1));
      });
    });

    context.check("many handles on one file close one by one", (backend, path) => {
      context.put(backend, path, pattern(10_000, 1));
      const handles = Array.from({ length: 40 }, () => openChecked(backend, path, "r"));
      while (handles.length > 0) {
        for (const handle of handles) context.sameBytes(handle.read(9990, 10), pattern(10_000, 1).subarray(9990));
        handles.splice(handles.length >> 1, 1)[0]?.close();
      }
    });

    if (!capabilities.write) return;
    context.check(
      "a handle on a replaced or removed file keeps the old content or says that it is stale",
      (backend, path) => {
        context.put(backend, path, pattern(100_000, 1));
        const replacement = context.options.makePath();
        context.put(backend, replacement, pattern(100_000, 2));
        withHandle(backend, path, "r", (handle) => {
          context.sameBytes(handle.read(0, 10), pattern(100_000, 1).subarray(0, 10));
          backend.rename(replacement, path);
          oldOrStale(context, handle, 50_000, pattern(100_000, 1).subarray(50_000));
          withHandle(backend, path, "r", (fresh) => {
            context.sameBytes(fresh.read(0, 100_000), pattern(100_000, 2));
            backend.remove(path);
            oldOrStale(context, fresh, 10, pattern(100_000, 2).subarray(10, 40_010));
          });
          oldOrStale(context, handle, 0, pattern(100_000, 1));
        });
        context.same(backend.exists(path), false);
      },
    );

    context.check("closing writes what is pending and flush can be repeated", (backend, path) => {
      const handle = openChecked(backend, path, "w+");
      handle.flush();
      handle.write(0, pattern(10, 1));
      handle.flush();
      handle.flush();
      handle.write(10, pattern(10, 2));
      handle.close();
      context.sameBytes(context.contents(backend, path).subarray(10), pattern(10, 2));
    });
  });
}
