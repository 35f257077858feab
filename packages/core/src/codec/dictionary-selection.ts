/**
 * Picks the parts of sample data that make the best dictionary: runs of bytes whose short substrings occur often elsewhere
 * (the idea of the COVER algorithm, Liao et al. 2016). The result is raw content, which LZ4 and zstd both take.
 *
 * @module
 */

const SEGMENT = 128;
const SUBSTRING = 8;
const COUNTER_BITS = 17;
/** The format's writers give no chunk a smaller dictionary. */
const MIN_DICTIONARY = 256;
/** More than a quarter of the samples would cost more than it saves. */
const SHARE = 4;

function hashAt(data: Uint8Array, at: number): number {
  const low = data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
  const high = data[at + 4] | (data[at + 5] << 8) | (data[at + 6] << 16) | (data[at + 7] << 24);
  return (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77)) >>> (32 - COUNTER_BITS);
}

function join(samples: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(samples.reduce((sum, sample) => sum + sample.byteLength, 0));
  let at = 0;
  for (const sample of samples) {
    joined.set(sample, at);
    at += sample.byteLength;
  }
  return joined;
}

/** Substring counts over all samples, and over the window that is being looked at. */
interface Counters {
  readonly hashes: Uint32Array;
  readonly total: Uint32Array;
  readonly window: Uint16Array;
}

/** The segment start in `from..to` whose distinct substrings are the most frequent; -1 when none occurs twice. */
function bestSegment(counters: Counters, from: number, to: number): number {
  const { hashes, total, window } = counters;
  const width = SEGMENT - SUBSTRING + 1;
  let score = 0;
  let best = 0;
  let bestStart = -1;
  let left = from;
  for (let right = from; right < to; right++) {
    const entering = hashes[right];
    if (window[entering]++ === 0) score += total[entering];
    if (right - left + 1 > width) {
      const leaving = hashes[left++];
      if (--window[leaving] === 0) score -= total[leaving];
    }
    if (right - left + 1 === width && score > best) {
      best = score;
      bestStart = left;
    }
  }
  for (; left < to; left++) window[hashes[left]] = 0;
  return bestStart;
}

/**
 * Makes a dictionary of at most `maxByteLength` bytes; `undefined` if it would be too small to be worth its place.
 *
 * @param samples - the filtered blocks that will be compressed with it
 */
export function selectDictionary(samples: readonly Uint8Array[], maxByteLength: number): Uint8Array | undefined {
  const data = join(samples);
  const room = Math.min(maxByteLength, Math.floor(data.byteLength / SHARE));
  if (room < MIN_DICTIONARY) return undefined;
  const positions = data.byteLength - SUBSTRING + 1;
  const hashes = new Uint32Array(positions);
  const total = new Uint32Array(1 << COUNTER_BITS);
  const counters: Counters = { hashes, total, window: new Uint16Array(1 << COUNTER_BITS) };
  for (let at = 0; at < positions; at++) {
    const hash = hashAt(data, at);
    hashes[at] = hash;
    total[hash]++;
  }
  // Only repetitions count.
  for (let hash = 0; hash < total.length; hash++) if (total[hash] > 0) total[hash]--;
  const dictionary = new Uint8Array(room);
  const epochs = Math.floor(room / SEGMENT);
  const epochLength = Math.floor(positions / epochs);
  // The end of a dictionary is what short offsets reach, so it is filled from there.
  let free = room;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const from = epoch * epochLength;
    const start = bestSegment(counters, from, from + epochLength);
    if (start < 0) continue;
    for (let at = start; at <= start + SEGMENT - SUBSTRING; at++) total[hashes[at]] = 0;
    free -= SEGMENT;
    dictionary.set(data.subarray(start, start + SEGMENT), free);
  }
  return room - free < MIN_DICTIONARY ? undefined : dictionary.subarray(free);
}
