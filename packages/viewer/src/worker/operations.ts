/** What the worker does, by name. @module */
import { encodeNpy } from "@b2frame/core";
import { countDeadBytes, lookAtChunk, mapChunks } from "./chunk-map.js";
import { describeFrame } from "./describe.js";
import { readLine } from "./lines.js";
import { arrayAt, closeFrame, frameAt, openFrame } from "./open-frames.js";
import type { OperationName, Operations } from "./protocol.js";
import { costOf, readBytes, readPlane, readSlice, readTable } from "./read-slices.js";
import { computeStatistics } from "./statistics.js";
import { Work } from "./work.js";

/** How an operation is ended, and tells how far it is. */
export interface Progressing {
  readonly signal: AbortSignal;
  readonly tell: (done: number, total: number) => void;
}

type Table = {
  readonly [Name in OperationName]: (
    input: Operations[Name]["takes"],
    how: Progressing,
  ) => Operations[Name]["gives"] | Promise<Operations[Name]["gives"]>;
};

/** See the module. */
export const OPERATIONS: Table = {
  open: async (place, { signal }) => {
    const frame = await openFrame(place, signal);
    return describeFrame(frame, frameAt(frame));
  },
  close: ({ frame }) => {
    closeFrame(frame);
    return null;
  },
  plane: (request, { signal }) => readPlane(request, signal),
  line: (request, { signal, tell }) => readLine(request, new Work(signal, tell)),
  table: (request, { signal }) => readTable(request, signal),
  bytes: ({ frame, start, stop }, { signal }) => readBytes(frame, start, stop, signal),
  cost: ({ frame, index }) => costOf(frame, index),
  npy: async ({ frame, index }, { signal }) => encodeNpy(await readSlice(frame, index, signal)),
  chunkMap: ({ frame, cells }) => mapChunks(frameAt(frame), cells),
  chunk: ({ frame, index }, { signal }) => lookAtChunk(frameAt(frame), index, signal),
  deadBytes: ({ frame }, { signal, tell }) => countDeadBytes(frameAt(frame), new Work(signal, tell)),
  statistics: ({ frame, part }, { signal, tell }) => computeStatistics(arrayAt(frame), part, new Work(signal, tell)),
};
