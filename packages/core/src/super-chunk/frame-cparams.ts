/** Compression parameters as a frame header keeps them. @module */
import type { ChunkEnvironment } from "../chunk/chunk-environment.js";
import type { CParams, ResolvedCParams, SplitMode } from "../chunk/cparams.js";
import type { FrameHeader, FrameTraits } from "../frame/frame-header.js";
import { CHUNKSIZE_UNSET } from "../frame/frame-layout.js";

/** The split modes in the order of their numbers, from 1. */
const SPLIT_MODES: readonly SplitMode[] = ["always", "never", "auto", "forward_compat"];

/** The header of a frame without chunks that is written with these parameters. */
export function headerOfCParams(cparams: ResolvedCParams): FrameHeader {
  return {
    headerLength: 0,
    frameLength: 0,
    sparse: false,
    variableChunks: false,
    vlBlocks: false,
    compcode: cparams.compcode,
    codecMeta: cparams.codecMeta,
    clevel: cparams.clevel,
    splitmode: SPLIT_MODES.indexOf(cparams.splitmode) + 1,
    useDict: cparams.useDict,
    filters: cparams.filters,
    filtersMeta: cparams.filtersMeta,
    nbytes: 0,
    cbytes: 0,
    typesize: cparams.typesize,
    blocksize: cparams.blocksize,
    chunksize: CHUNKSIZE_UNSET,
    threads: 1,
    hasVlmeta: false,
  };
}

/** The parameters that a frame header states, by number: nothing needs to be registered for that. */
export function cparamsOfHeader(header: FrameTraits): CParams {
  return {
    codec: header.compcode,
    codecMeta: header.codecMeta,
    clevel: header.clevel,
    typesize: header.typesize,
    filters: Array.from(header.filters, (filter, i) => ({ filter, meta: header.filtersMeta[i] as number })),
    blocksize: header.blocksize,
    splitmode: SPLIT_MODES[header.splitmode - 1] ?? "forward_compat",
    useDict: header.useDict,
  };
}

/** The same with the codec by its name, where it is registered. */
export function namedCParams(header: FrameTraits, environment: ChunkEnvironment): CParams {
  const cparams = cparamsOfHeader(header);
  const { codecs } = environment;
  return codecs.has(header.compcode) ? { ...cparams, codec: codecs.byId(header.compcode).name } : cparams;
}
