/** Advisory locks, for backends that have them. @module */
import { type IoBackend, isBlosc2Error, type LockKind } from "@b2frame/core";
import type { IoLock, IoLockOptions } from "@b2frame/core/backend";
import type { SuiteContext } from "../suite-context.js";

const FRAME: IoLockOptions = { sparse: false, write: true };

function openLock(backend: IoBackend, path: string, options: IoLockOptions = FRAME): IoLock {
  const lock = backend.openLock?.(path, options);
  if (lock === undefined) throw new Error("openLock is gone");
  return lock;
}

/** Whether someone else had the frame for writing in between. */
function take(lock: IoLock, kind: LockKind): boolean {
  const { changed } = lock.acquire(kind, 0);
  lock.release();
  return changed;
}

/** Whether what locking needs is there, as it is not on every machine. */
function canLock(context: SuiteContext): boolean {
  try {
    openLock(context.options.backend(), context.options.makePath()).close();
    return true;
  } catch (error) {
    if (isBlosc2Error(error, "BLOSC2_UNSUPPORTED_BACKEND")) return false;
    throw error;
  }
}

export function checkLocks(context: SuiteContext): void {
  if (context.options.backend().openLock === undefined) return;
  context.group("locks", () => {
    if (!canLock(context)) {
      context.check("are refused where what they need is missing", (backend, path) => {
        context.fails(() => openLock(backend, path), "BLOSC2_UNSUPPORTED_BACKEND");
      });
      return;
    }

    context.check("are shared by readers and exclusive to a writer", (backend, path) => {
      const first = openLock(backend, path);
      const second = openLock(backend, path);
      context.same(first.held, undefined);
      first.acquire("shared", 0);
      second.acquire("shared", 0);
      context.same(first.held, "shared");
      first.release();
      context.same(first.held, undefined);
      const error = context.fails(() => first.acquire("exclusive", 0), "BLOSC2_IO_LOCKED");
      context.same(error.message.includes(path), true);
      context.same(first.held, undefined);
      second.release();
      first.acquire("exclusive", 0);
      context.same(first.held, "exclusive");
      context.fails(() => second.acquire("shared", 0), "BLOSC2_IO_LOCKED");
      context.fails(() => second.acquire("exclusive", 0), "BLOSC2_IO_LOCKED");
      first.release();
      second.acquire("exclusive", 0);
      first.close();
      second.close();
    });

    context.check("do not wait for the thread that waits", (backend, path) => {
      const first = openLock(backend, path);
      const second = openLock(backend, path);
      first.acquire("exclusive", 0);
      context.fails(() => second.acquire("shared", Number.POSITIVE_INFINITY), "BLOSC2_IO_LOCKED");
      first.release();
      first.acquire("shared", 0);
      context.fails(() => second.acquire("exclusive", Number.POSITIVE_INFINITY), "BLOSC2_IO_LOCKED");
      second.acquire("shared", Number.POSITIVE_INFINITY);
      first.close();
      second.close();
    });

    context.check("tell who has missed a writer", (backend, path) => {
      const first = openLock(backend, path);
      const second = openLock(backend, path);
      context.same(take(first, "shared"), false);
      context.same(take(first, "exclusive"), false);
      context.same(take(first, "exclusive"), false);
      context.same(take(second, "shared"), true);
      context.same(take(second, "shared"), false);
      context.same(take(first, "shared"), false);
      context.same(take(second, "exclusive"), false);
      context.same(take(first, "exclusive"), true);
      context.same(take(openLock(backend, path), "shared"), true);
      first.close();
      second.close();
    });

    context.check("of other frames are others", (backend, path) => {
      const first = openLock(backend, path);
      const second = openLock(backend, context.options.makePath());
      first.acquire("exclusive", 0);
      context.same(second.acquire("exclusive", 0).changed, false);
      first.close();
      second.close();
    });

    context.check("go back when they are closed, and are of no use afterwards", (backend, path) => {
      const first = openLock(backend, path);
      const second = openLock(backend, path);
      first.acquire("exclusive", 0);
      context.fails(() => first.acquire("exclusive", 0), "BLOSC2_ARGUMENT_INVALID");
      first.close();
      first.close();
      context.same(first.held, undefined);
      second.acquire("exclusive", 0);
      second.release();
      context.fails(() => second.release(), "BLOSC2_ARGUMENT_INVALID");
      context.fails(() => first.acquire("shared", 0), "BLOSC2_IO_CLOSED");
      context.fails(() => first.release(), "BLOSC2_IO_CLOSED");
      second.close();
    });

    if (!context.options.backend().capabilities.sparseFrames) return;
    context.check("of sparse frames lie inside, and take no part in the frame", (backend, path) => {
      backend.directories?.make(path);
      const lock = openLock(backend, path, { sparse: true, write: true });
      lock.acquire("exclusive", 0);
      context.same(
        backend.directories?.list(path).every((name) => name === ".b2lock"),
        true,
      );
      lock.close();
    });
  });
}
