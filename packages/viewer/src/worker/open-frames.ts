/** The frames that are open in the worker. @module */
import { ArgumentError } from "@b2frame/core/read";
import { openRemote, RemoteArray, type RemoteSChunk } from "@b2frame/remote";
import type { Place, Traffic } from "./protocol.js";

const frames = new Map<number, RemoteArray | RemoteSChunk>();
let next = 1;

/** Bytes of a file that are kept, over and above its description. */
const CACHE_BYTES = 96 * 2 ** 20;

/** Opens a frame and gives it a number. @throws FormatError, IoError, UnsupportedError; the signal's reason */
export async function openFrame(place: Place, signal: AbortSignal): Promise<number> {
  const source = place.kind === "blob" ? place.blob : place.url;
  const frame = await openRemote(source, { offset: place.offset, cacheBytes: CACHE_BYTES, signal });
  frames.set(next, frame);
  return next++;
}

/** An open frame. @throws ArgumentError for a number that none has */
export function frameAt(id: number): RemoteArray | RemoteSChunk {
  const frame = frames.get(id);
  if (frame !== undefined) return frame;
  throw new ArgumentError("BLOSC2_IO_CLOSED", "the file has been closed", { parameter: "frame" });
}

/** An open frame that holds an array. @throws ArgumentError */
export function arrayAt(id: number): RemoteArray {
  const frame = frameAt(id);
  if (frame instanceof RemoteArray) return frame;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${frame.name}: holds no array`, { parameter: "frame" });
}

/** Closes a frame, if it is open. */
export function closeFrame(id: number): void {
  frames.get(id)?.close();
  frames.delete(id);
}

/** What was fetched for a frame so far. */
export function trafficOf({ stats }: RemoteArray | RemoteSChunk): Traffic {
  return { requests: stats.requests, bytes: stats.bytesFetched };
}
