/** Running a program's steps with b2frame, and describing what a frame holds. @module */
import { type IoBackend, SChunk, type SChunkCreateOptions } from "@b2frame/core";
import { digest } from "./frame-model.js";
import type { FrameProgram, FrameState, Step } from "./frame-program.js";

/** How b2frame takes part in a program: any backend and engine must give the same. */
export interface Participant {
  readonly name: string;
  readonly backend: IoBackend;
  readonly options: Pick<SChunkCreateOptions, "engine" | "codecs" | "filters">;
}

/** msgpack's bin8 header; python-blosc2 packs metalayers. */
function packBinary(hex: string): Uint8Array {
  const content = Buffer.from(hex, "hex");
  return Uint8Array.of(0xc4, content.length, ...content);
}

function applyStep(frame: SChunk, step: Step): void {
  switch (step.op) {
    case "append":
      frame.appendData(step.data);
      break;
    case "insert":
      frame.insertData(step.chunk, step.data);
      break;
    case "update":
      frame.updateData(step.chunk, step.data);
      break;
    case "delete":
      frame.deleteChunk(step.chunk);
      break;
    case "reorder":
      frame.reorderOffsets(step.order);
      break;
    case "set-slice":
      frame.setSlice(step.start, step.data);
      break;
    case "set-vlmeta":
      frame.vlmeta.set(step.name, Buffer.from(step.value, "hex"));
      break;
    case "delete-vlmeta":
      frame.vlmeta.delete(step.name);
      break;
  }
}

function create(path: string, program: FrameProgram, { backend, options }: Participant): SChunk {
  const { contiguous, chunksize, cparams, meta } = program;
  return SChunk.create({
    ...options,
    urlpath: path,
    backend,
    contiguous,
    mode: "w",
    typesize: cparams.typesize,
    chunksize,
    cparams: {
      ...cparams,
      filters: cparams.filters.map((id, slot) => ({ filter: id, meta: cparams.filtersMeta[slot] })),
    },
    meta: Object.fromEntries(Object.entries(meta).map(([name, hex]) => [name, packBinary(hex)])),
  });
}

/** Creates the frame (with the first steps) or opens it, and applies `steps`. */
export function runSteps(
  path: string,
  program: FrameProgram,
  steps: readonly Step[],
  isFirst: boolean,
  participant: Participant,
): void {
  const { backend, options } = participant;
  using frame = isFirst ? create(path, program, participant) : SChunk.open(path, backend, { ...options, mode: "r+" });
  for (const step of steps) applyStep(frame, step);
}

/** What b2frame reads. */
export function describeFrame(path: string, { backend, options }: Participant): FrameState {
  using frame = SChunk.open(path, backend, options);
  const hexOf = (layers: { names: Iterable<string>; get(name: string): Uint8Array }, skip: number) =>
    Object.fromEntries(
      [...layers.names].map((name) => [name, Buffer.from(layers.get(name).subarray(skip)).toString("hex")]),
    );
  return {
    typesize: frame.typesize,
    nbytes: frame.nbytes,
    chunks: [...frame.iterChunks()].map(digest),
    meta: hexOf(frame.meta, 2),
    vlmeta: hexOf(frame.vlmeta, 0),
  };
}
