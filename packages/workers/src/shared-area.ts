/** Bytes that several threads see, as data that can be sent to them. @module */
import { attachShared, type Sharing } from "@b2frame/core/threads";

/** Bytes that threads decompress into and compress from in place; or bytes in shared memory of another kind, which they copy to and from. */
export type SharedArea = Sharing | Uint8Array;

/** Part of the area that a job was told of when it was set up. */
export interface AreaPart {
  readonly offset: number;
  readonly byteLength: number;
}

/** Bytes as a thread is told of them: part of its job's area, or the bytes themselves. */
export type Place = AreaPart | Uint8Array;

/**
 * The bytes of an area.
 *
 * @param thread number of this thread in its pool, from 1 on; 0 for the thread that has the pool
 */
export function openArea(area: SharedArea, thread: number): Uint8Array {
  return area instanceof Uint8Array ? area : attachShared(area, thread);
}

/** The bytes at a place. */
export function bytesAt(place: Place, area: Uint8Array): Uint8Array {
  return place instanceof Uint8Array ? place : area.subarray(place.offset, place.offset + place.byteLength);
}
