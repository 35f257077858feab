/**
 * The advisory lock of Blosc2 frames on disk, as C-Blosc2 and python-blosc2 (`locking=True`) take it. The backends `stdio` and `mmap`
 * lock with it; frames take the lock by themselves with the option `locking`.
 *
 * @module
 */
export { FrameLock, type FrameLockOptions } from "./frame-lock.js";
export { type LockingStatus, lockingStatus } from "./locking-status.js";
