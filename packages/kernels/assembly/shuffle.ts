// The shuffle filter on one contiguous block: planes one after the other, the bytes that are no full item copied behind them.
import { copyExact } from "./copy-bytes";
import { STREAMS } from "./memory-map";
import { shuffleStreams } from "./shuffle-streams";
import { unshuffleStreams } from "./unshuffle-streams";

/** Fills the stream table with `typesize` planes that lie `stride` bytes apart. */
export function setPlanes(first: usize, typesize: usize, stride: usize): void {
  for (let j: usize = 0; j < typesize; j++) {
    store<u32>(STREAMS + (j << 2), <u32>(first + j * stride));
  }
}

/** Forward shuffle of `length` bytes as elements of 1..255 bytes. */
export function shuffle(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = length / typesize;
  const whole = count * typesize;
  setPlanes(target, typesize, count);
  shuffleStreams(source, typesize, count, STREAMS);
  copyExact(target + whole, source + whole, length - whole);
}

/** Backward shuffle of `length` bytes as elements of 1..255 bytes. */
export function unshuffle(typesize: usize, length: usize, source: usize, target: usize): void {
  const count = length / typesize;
  const whole = count * typesize;
  setPlanes(source, typesize, count);
  unshuffleStreams(STREAMS, typesize, 0, count, target);
  copyExact(target + whole, source + whole, length - whole);
}
