/** What to do when the system has no descriptor left. @module */
import { IoError } from "@b2frame/core";

/** Something that holds a descriptor which it can do without. */
export interface RoomMaker {
  /** Closes the descriptor; {@link withRoom} asks no more. */
  giveUp(): void;
}

/** This thread's, oldest first. Who no longer has a descriptor takes itself out. */
export const roomMakers: Set<RoomMaker> = new Set<RoomMaker>();

function isOutOfDescriptors(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "EMFILE" || code === "ENFILE";
}

/**
 * Makes a call that takes a descriptor; when the system has none left, held ones are given up, oldest first, until it has.
 *
 * @throws IoError if there are none to give up; else what the call throws
 */
export function withRoom<T>(operation: string, path: string, call: () => T): T {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (!isOutOfDescriptors(error)) throw error;
      const [oldest] = roomMakers;
      if (oldest === undefined) {
        throw new IoError(
          "BLOSC2_IO_FAILED",
          `${path}: ${operation} failed: the limit on open files is reached and no held file can be given up; raise the limit`,
          { operation, path, errno: (error as NodeJS.ErrnoException).code },
          error,
        );
      }
      roomMakers.delete(oldest);
      oldest.giveUp();
    }
  }
}
