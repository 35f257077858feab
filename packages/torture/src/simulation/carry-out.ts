/** Carrying out an actor's call on the simulated disk. @module */
import { IoError } from "@b2frame/core";
import type { DiskCall } from "./messages.js";
import type { DiskCaller } from "./simulated-backend.js";
import { DiskFailure, type SimulatedDisk } from "./simulated-disk.js";

/** @throws DiskFailure */
export function carryOut(disk: SimulatedDisk, actor: number, call: DiskCall): unknown {
  switch (call.kind) {
    case "open":
      return disk.open(actor, call.path, call.mode);
    case "open-new":
      return disk.openNew(actor, call.path);
    case "inode-of":
      return disk.inodeOf(call.handle);
    case "inode-at":
      return disk.inodeAt(call.path);
    case "size":
      return disk.size(call.handle);
    case "close":
      return disk.close(call.handle);
    case "read":
      return disk.read(call.handle, call.position, call.byteLength);
    case "write":
      return disk.write(call.handle, call.position, call.bytes);
    case "truncate":
      return disk.truncate(call.handle, call.size);
    case "flush":
      return undefined;
    case "exists":
      return disk.exists(call.path);
    case "remove":
      return disk.remove(call.path);
    case "is-directory":
      return disk.isDirectory(call.path);
    case "list":
      return disk.list(call.path);
    case "make-directory":
      return disk.makeDirectory(call.path);
    case "remove-directory":
      return disk.removeDirectory(call.path);
    case "open-lock":
      return disk.openLock(actor, call.path);
    case "rename":
      return disk.rename(call.path, call.to);
    case "acquire":
      return disk.acquire(call.lock, call.lockKind);
    case "release":
      return disk.release(call.lock);
    case "close-lock":
      return disk.closeLock(call.lock);
  }
}

/** Carries calls out at once, as an actor for whom all others stand still. */
export function onlooker(disk: SimulatedDisk, actor: number): DiskCaller {
  return {
    disk: (call) => {
      try {
        return carryOut(disk, actor, call);
      } catch (error) {
        if (!(error instanceof DiskFailure)) throw error;
        throw new IoError(error.code, error.message, { operation: call.kind });
      }
    },
  };
}
