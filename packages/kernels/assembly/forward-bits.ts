// Bit streams that are read from their start, lowest bit of a byte first (RFC 1951, 3.1.1). Up to 32 bytes past a stream are read,
// whatever they hold: who takes bits asks `isPastEnd` before it trusts them.

/** Bits that were read ahead, lowest first; how many of them count; where the next byte comes from; where the stream ends. */
let word: u64 = 0;
let held: u64 = 0;
let next: usize = 0;
let streamEnd: usize = 0;

/** Begins at `source`. */
export function startBits(source: usize, end: usize): void {
  word = 0;
  held = 0;
  next = source;
  streamEnd = end;
}

/** What a loop that reads bits by itself begins with: the same three numbers, and where the stream ends. */
export function heldWord(): u64 {
  return word;
}
export function heldBits(): u64 {
  return held;
}
export function nextByte(): usize {
  return next;
}
export function endOfStream(): usize {
  return streamEnd;
}

/** Takes over the state of a loop that read bits by itself. */
export function continueBits(newWord: u64, newHeld: u64, newNext: usize): void {
  word = newWord;
  held = newHeld;
  next = newNext;
}

/** Makes at least 56 bits available, and gives them. */
export function peekBits(): u64 {
  // Bits above those that count are the next byte's already: to add them twice changes nothing.
  word |= load<u64>(next) << held;
  next += <usize>((63 - held) >> 3);
  held |= 56;
  return word;
}

/** Removes up to 56 bits that were peeked at. */
export function dropBits(count: u64): void {
  word >>= count;
  held -= count;
}

/** The next `count` (0..16) bits. */
export function takeBits(count: u64): u32 {
  const bits = <u32>(peekBits() & (((<u64>1) << count) - 1));
  dropBits(count);
  return bits;
}

/** Address of the byte after the last one of which a bit was taken. */
export function byteAfter(): usize {
  return next - <usize>(held >> 3);
}

/** Whether bits were taken that the stream does not have. */
export function isPastEnd(): bool {
  return byteAfter() > streamEnd;
}
