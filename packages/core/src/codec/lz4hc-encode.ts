/** An LZ4 encoder that trades time for ratio, with or without a dictionary. @module */
import { literalRunLength, MATCH_START_MARGIN, MIN_MATCH, writeExtraLength, writeLastLiterals } from "./lz4-block.js";
import type { Lz4MatchFinder } from "./lz4-match-finder.js";

/** How hard to look for matches. */
export interface Lz4Effort {
  /** Candidates that are compared at each position. */
  readonly searches: number;
  /** Whether a longer match that starts one byte later is preferred. */
  readonly lazy: boolean;
}

/** Bytes of an offset, and of the shortest last run of literals with its token. */
const OFFSET_LENGTH = 2;

/**
 * Compresses `source` into the front of `target` as one LZ4 block that obeys the format's end-of-block conditions.
 *
 * @returns the block's length; 0 when it does not fit, or when nothing matched.
 */
export function lz4hcEncode(
  source: Uint8Array,
  target: Uint8Array,
  finder: Lz4MatchFinder,
  effort: Lz4Effort,
  dictionary: Uint8Array | undefined,
): number {
  if (source.byteLength <= MATCH_START_MARGIN) return 0;
  finder.begin(source, dictionary);
  const { data, start, end } = finder;
  const { searches, lazy } = effort;
  const lastMatchStart = end - MATCH_START_MARGIN;
  const room = target.byteLength;
  let anchor = start;
  let position = start;
  let out = 0;
  while (position <= lastMatchStart) {
    if (!finder.find(position, MIN_MATCH, searches)) {
      position++;
      continue;
    }
    let length = finder.matchLength;
    let from = finder.matchPosition;
    while (lazy && position < lastMatchStart && finder.find(position + 1, length + 1, searches)) {
      position++;
      length = finder.matchLength;
      from = finder.matchPosition;
    }
    while (position > anchor && from > 0 && data[position - 1] === data[from - 1]) {
      position--;
      from--;
      length++;
    }
    const literals = position - anchor;
    const extra = length - MIN_MATCH;
    const needed = literalRunLength(literals) + OFFSET_LENGTH + (extra < 15 ? 0 : 1 + Math.floor((extra - 15) / 255));
    if (out + needed > room) return 0;
    target[out++] = (Math.min(literals, 15) << 4) | Math.min(extra, 15);
    if (literals >= 15) out = writeExtraLength(target, out, literals);
    for (let at = anchor; at < position; at++) target[out++] = data[at];
    const offset = position - from;
    target[out++] = offset & 0xff;
    target[out++] = offset >>> 8;
    if (extra >= 15) out = writeExtraLength(target, out, extra);
    position += length;
    anchor = position;
  }
  return anchor === start ? 0 : writeLastLiterals(target, out, source, anchor - start);
}
