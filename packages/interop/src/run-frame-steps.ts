/** Running a program's steps with b2frame, and describing what a frame holds. @module */
import { type CParams, SChunk } from "@b2frame/core";
import { digest } from "./frame-model.js";
import type { FrameProgram, FrameState, ProgramCParams, Step } from "./frame-program.js";
import type { Participant } from "./participants.js";

/** msgpack's bin8 header; python-blosc2 packs metalayers. */
function packBinary(hex: string): Uint8Array {
  const content = Buffer.from(hex, "hex");
  return Uint8Array.of(0xc4, content.length, ...content);
}

/** A program's parameters as b2frame takes them: the six slots with their metas. */
export function cparamsOf({ filters, filtersMeta, ...rest }: ProgramCParams): Partial<CParams> {
  return { ...rest, filters: filters.map((filter, slot) => ({ filter, meta: filtersMeta[slot] as number })) };
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
    io: backend,
    contiguous,
    mode: "w",
    typesize: cparams.typesize,
    chunksize,
    cparams: cparamsOf(cparams),
    meta: Object.fromEntries(Object.entries(meta).map(([name, hex]) => [name, packBinary(hex)])),
  });
}

/** Creates the frame (with the first steps) or opens it, and applies `steps`. */
export function runFrameSteps(
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
  const hexOf = (layers: { keys(): string[]; get(name: string): Uint8Array }, skip: number) =>
    Object.fromEntries(
      layers.keys().map((name) => [name, Buffer.from(layers.get(name).subarray(skip)).toString("hex")]),
    );
  return {
    typesize: frame.typesize,
    nbytes: frame.nbytes,
    chunks: [...frame.iterChunks()].map(digest),
    meta: hexOf(frame.meta, 2),
    vlmeta: hexOf(frame.vlmeta, 0),
  };
}
