// One call that decodes the streams of a block and undoes its filters, for the wanted range of bytes only where the filters
// allow it.
import { locateStream, locateStreams, openStreams, streamFailure } from "./block-streams";
import { copyExact } from "./copy-bytes";
import { STREAMS_UNEQUAL } from "./error-codes";
import { backwardFilters, isUndone, SHUFFLE, shuffleElement, undoneFilters } from "./filter-pipeline";
import { FILTER_SLOTS, filterOf, STREAMS } from "./memory-map";
import { setPlanes } from "./shuffle";
import { unshuffleStreams } from "./unshuffle-streams";

/** Element size of the shuffle if that is the only filter to undo, else 0. */
function onlyShuffle(typesize: usize): usize {
  if (undoneFilters() != 1) return 0;
  for (let slot: usize = 0; slot < FILTER_SLOTS; slot++) {
    const filter = filterOf(slot);
    if (isUndone(filter)) return filter == SHUFFLE ? shuffleElement(slot, typesize) : 0;
  }
  return 0;
}

/** Decodes the streams one after the other into `target`, as far as they touch `from..to`. */
function decodeContiguous(
  source: usize,
  sourceEnd: usize,
  blockLength: usize,
  streams: usize,
  bare: bool,
  format: u32,
  from: usize,
  to: usize,
  target: usize,
  dictionary: usize,
  dictionaryLength: usize,
): i32 {
  const length = blockLength / streams;
  if (length == 0 || length * streams != blockLength) return STREAMS_UNEQUAL;
  openStreams(source);
  for (let start: usize = 0; start < blockLength; start += length) {
    const first = min(from > start ? from - start : 0, length);
    const wanted = max(first, min(to > start ? to - start : 0, length));
    const slot = target + start;
    const at = locateStream(sourceEnd, length, first, wanted, slot, bare, format, dictionary, dictionaryLength);
    if (at == 0) return streamFailure();
    if (at != slot) copyExact(slot + first, at + first, wanted - first);
  }
  return 0;
}

/**
 * Decodes bytes `from..to` of a block of `blockLength` bytes to `target + from`. Filters and metas stand in the control block.
 *
 * `target` and `otherScratch` hold `blockLength` bytes, `scratch` holds `blockLength + streams * PLANE_GAP`; none overlap.
 * Bytes of `target` outside the range may be overwritten.
 *
 * @param source address of the block's first `csize` field, or of its stream if `bare`
 * @param sourceEnd the streams must end at or before this address
 * @param bare whether the block is one stream without a `csize` field (a variable-length block)
 * @param reference decoded block 0 of at least `blockLength` bytes, or 0 when this is block 0
 * @param dictionary `dictionaryLength` bytes, with room for a decoded stream behind them
 * @returns 0 or an error code
 */
export function decodeBlock(
  source: usize,
  sourceEnd: usize,
  blockLength: usize,
  typesize: usize,
  superChunkTypesize: usize,
  chunkVersion: u32,
  streams: usize,
  bare: bool,
  format: u32,
  from: usize,
  to: usize,
  reference: usize,
  scratch: usize,
  otherScratch: usize,
  target: usize,
  dictionary: usize,
  dictionaryLength: usize,
): i32 {
  if (undoneFilters() == 0) {
    return decodeContiguous(
      source,
      sourceEnd,
      blockLength,
      streams,
      bare,
      format,
      from,
      to,
      target,
      dictionary,
      dictionaryLength,
    );
  }
  const element = onlyShuffle(typesize);
  if (element > 0 && (streams == 1 || streams == element)) {
    const count = blockLength / element;
    const first = min(from / element, count);
    const last = min((to + element - 1) / element, count);
    const whole = count * element;
    const wantsTail = to > whole;
    // One stream holds all planes one after the other: it is needed up to the last plane's last wanted byte.
    const planeFirst: usize = streams == 1 ? 0 : first;
    const planeLast: usize = streams > 1 ? last : wantsTail || count == 0 ? blockLength : whole - count + last;
    const status = locateStreams(
      source,
      sourceEnd,
      blockLength,
      streams,
      planeFirst,
      planeLast,
      bare,
      format,
      scratch,
      dictionary,
      dictionaryLength,
    );
    if (status < 0) return status;
    if (streams == 1) {
      const stream = <usize>load<u32>(STREAMS);
      if (wantsTail) copyExact(target + whole, stream + whole, blockLength - whole);
      setPlanes(stream, element, count);
    }
    unshuffleStreams(STREAMS, element, first, last - first, target + first * element);
    return 0;
  }
  const status = decodeContiguous(
    source,
    sourceEnd,
    blockLength,
    streams,
    bare,
    format,
    0,
    blockLength,
    scratch,
    dictionary,
    dictionaryLength,
  );
  if (status < 0) return status;
  return backwardFilters(
    typesize,
    superChunkTypesize,
    chunkVersion,
    blockLength,
    scratch,
    reference,
    scratch,
    otherScratch,
    target,
  );
}
