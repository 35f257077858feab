/** Whether the decoders of the kernels read streams as the codec's own library does. @module */
import { type Codec, isBlosc2Error } from "@b2frame/core";
import { SeededRandom } from "@b2frame/interop/seeded-random";
import type { JudgedStream } from "./zlib-streams.js";

/** What came of a run. */
export interface StreamsResult {
  readonly read: number;
  readonly refused: number;
  /** One line for each fault, with the stream; at most {@link MAX_SHOWN}. */
  readonly problems: readonly string[];
  readonly faults: number;
}

const MAX_SHOWN = 10;
const SHOWN_BYTES = 4000;
const GUARD = 64;
const GUARD_BYTE = 0xa5;
/** The target of streams that must be refused. */
const SOME_LENGTH = 4096;

const CONTEXT = { clevel: 5, typesize: 1, meta: 0, dictionary: undefined, geometry: undefined };

/** The content that the codec reads; `undefined` when it refuses the stream as it should. @throws what it should not */
function reading(codec: Codec, stream: Uint8Array, byteLength: number): Uint8Array | undefined {
  const memory = new Uint8Array(byteLength + 2 * GUARD).fill(GUARD_BYTE);
  const target = memory.subarray(GUARD, GUARD + byteLength);
  let content: Uint8Array | undefined = target;
  try {
    codec.decompress(stream, target, CONTEXT);
  } catch (error) {
    if (!isBlosc2Error(error, "BLOSC2_CODEC_DECOMPRESS")) throw error;
    content = undefined;
  }
  const guards = [memory.subarray(0, GUARD), memory.subarray(GUARD + byteLength)];
  if (guards.some((guard) => guard.some((byte) => byte !== GUARD_BYTE)))
    throw new Error("bytes beside the target were written");
  return content;
}

function problemOf(codec: Codec, { stream, content }: JudgedStream): string | undefined {
  try {
    if (content === undefined) {
      return reading(codec, stream, SOME_LENGTH) === undefined ? undefined : "reads what the library refuses";
    }
    const found = reading(codec, stream, content.byteLength);
    if (found === undefined) return "refuses what the library reads";
    if (Buffer.compare(found, content) !== 0) return "reads something else than the library";
    for (const byteLength of [content.byteLength - 1, content.byteLength + 1]) {
      if (byteLength >= 0 && reading(codec, stream, byteLength) !== undefined)
        return "reads a stream of another length";
    }
    return undefined;
  } catch (error) {
    return `throws ${error instanceof Error ? error.stack : String(error)}`;
  }
}

/** Makes `count` streams, and holds what the codec reads against what the library has read. */
export function checkStreams(
  codec: Codec,
  make: (random: SeededRandom) => JudgedStream,
  count: number,
  seed: number,
): StreamsResult {
  const random = new SeededRandom(seed);
  const problems: string[] = [];
  let read = 0;
  let faults = 0;
  for (let left = count; left > 0; left--) {
    const judged = make(random);
    if (judged.content !== undefined) read += 1;
    const problem = problemOf(codec, judged);
    if (problem === undefined) continue;
    faults += 1;
    const hex = Buffer.from(judged.stream.subarray(0, SHOWN_BYTES)).toString("hex");
    if (problems.length < MAX_SHOWN) problems.push(`${problem}: ${judged.stream.byteLength} bytes, ${hex}`);
  }
  return { read, refused: count - read, problems, faults };
}
