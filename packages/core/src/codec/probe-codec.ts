/** Tries a codec before it is let in. @module */
import { ArgumentError } from "../errors.js";
import type { Codec, CodecContext } from "./codec.js";

const LENGTHS = [1, 7, 4096];
/** Bytes around the target that must survive. */
const GUARD = 16;
const GUARD_BYTE = 0xa5;

const CONTEXT: CodecContext = { clevel: 5, typesize: 1, meta: 0, dictionary: undefined, geometry: undefined };

function rejected(codec: Codec, problem: string, cause?: unknown): ArgumentError {
  return new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `codec ${codec.id} (${codec.name}): ${problem}`,
    { parameter: "codec", codec: codec.name },
    cause,
  );
}

/** Bytes that every codec can shrink but that are not all alike. */
function sample(byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  for (let at = 0; at < byteLength; at++) bytes[at] = (at >>> 5) ^ (at & 3);
  return bytes;
}

function guarded(byteLength: number): Uint8Array {
  return new Uint8Array(byteLength + 2 * GUARD).fill(GUARD_BYTE);
}

function guardsHold(memory: Uint8Array): boolean {
  const end = memory.byteLength;
  for (let at = 0; at < GUARD; at++) {
    if (memory[at] !== GUARD_BYTE || memory[end - 1 - at] !== GUARD_BYTE) return false;
  }
  return true;
}

function probeLength(codec: Codec, compress: NonNullable<Codec["compress"]>, byteLength: number): void {
  const source = sample(byteLength);
  const memory = guarded(byteLength + 64);
  const room = memory.subarray(GUARD, GUARD + byteLength + 64);
  const written = compress.call(codec, source, room, CONTEXT);
  if (!Number.isInteger(written) || written < 0 || written > room.byteLength) {
    throw rejected(codec, `compress() returned ${written} for ${byteLength} bytes and room for ${room.byteLength}`);
  }
  if (!guardsHold(memory)) throw rejected(codec, "compress() wrote outside its target");
  if (written === 0) return;
  const decoded = guarded(byteLength);
  codec.decompress(room.subarray(0, written), decoded.subarray(GUARD, GUARD + byteLength), CONTEXT);
  if (!guardsHold(decoded)) throw rejected(codec, "decompress() wrote outside its target");
  for (let at = 0; at < byteLength; at++) {
    if (decoded[GUARD + at] !== source[at]) throw rejected(codec, `a round trip of ${byteLength} bytes changed them`);
  }
}

/**
 * Sends a few inputs through the codec and back. A codec that only reads passes.
 *
 * @throws ArgumentError when the bytes come back changed, are written elsewhere, or the codec throws.
 */
export function probeCodec(codec: Codec): void {
  const { compress } = codec;
  if (compress === undefined) return;
  for (const byteLength of LENGTHS) {
    try {
      probeLength(codec, compress, byteLength);
    } catch (error) {
      if (error instanceof ArgumentError) throw error;
      throw rejected(codec, `a round trip of ${byteLength} bytes threw`, error);
    }
  }
}
