/** Giving up a super-chunk that was made here and could not be finished. @module */
import { changingStateOf, type SChunk } from "./super-chunk.js";

/** Releases a new super-chunk and removes its frame. Nobody else may do that, so it is no method. */
export function abandonCreated(schunk: SChunk): void {
  changingStateOf(schunk).abandon();
}
