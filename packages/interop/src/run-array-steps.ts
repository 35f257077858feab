/** Running an array program's steps with b2frame, and describing what an array holds. @module */
import {
  type ArrayCreateOptions,
  asarray,
  full,
  type NDArray,
  NDBuffer,
  openArray,
  parseDType,
  zeros,
} from "@b2frame/core";
import { type ArrayProgram, type ArrayState, type ArrayStep, boxesOf } from "./array-program.js";
import { sha256 } from "./compare-state.js";
import type { Participant } from "./participants.js";
import { cparamsOf } from "./run-frame-steps.js";

function create(path: string, program: ArrayProgram, { backend, options }: Participant): NDArray {
  const { shape, dtype, chunks: chunkShape, blocks: blockShape, contiguous, cparams, start } = program;
  const createOptions: ArrayCreateOptions = {
    ...options,
    urlpath: path,
    io: backend,
    contiguous,
    dtype,
    chunks: chunkShape,
    blocks: blockShape,
    cparams: cparamsOf(cparams),
  };
  if (start.kind === "zeros") return zeros(shape, createOptions);
  if (start.kind === "full") return full(shape, start.item, createOptions);
  return asarray(new NDBuffer(parseDType(dtype), shape, start.data), { ...createOptions, shape });
}

function applyStep(array: NDArray, step: ArrayStep): void {
  if (step.op === "resize") {
    array.resize(step.shape);
  } else if (step.op === "set-vlmeta") {
    array.schunk.vlmeta.set(step.name, Buffer.from(step.value, "hex"));
  } else {
    const { start, stop, data } = step;
    const shape = stop.map((to, dim) => to - (start[dim] as number));
    array.setSlice(start, stop, new NDBuffer(array.dtype, shape, data));
  }
}

/** Creates the array or opens it, and applies `steps`. */
export function runArraySteps(
  path: string,
  program: ArrayProgram,
  steps: readonly ArrayStep[],
  isFirst: boolean,
  participant: Participant,
): void {
  const { backend, options } = participant;
  using array = isFirst ? create(path, program, participant) : openArray(path, { io: backend, ...options, mode: "r+" });
  for (const step of steps) applyStep(array, step);
}

/** Every item, read backwards and turned round: a negative step must give the same. */
function readBackwards(array: NDArray): Uint8Array {
  const { bytes } = array.get(array.shape.map(() => ({ step: -1 })));
  const { itemsize } = array.dtype;
  const turned = new Uint8Array(bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += itemsize) {
    turned.set(bytes.subarray(at, at + itemsize), bytes.byteLength - itemsize - at);
  }
  return turned;
}

/** What b2frame reads. */
export function describeArray(path: string, program: ArrayProgram, { backend, options }: Participant): ArrayState {
  using array = openArray(path, { io: backend, ...options });
  const content = sha256(array.getSlice().bytes);
  const backwards = sha256(readBackwards(array));
  if (backwards !== content) throw new Error("reading with steps of -1 gives other items");
  const { schunk } = array;
  return {
    shape: array.shape,
    chunks: array.chunks,
    blocks: array.blocks,
    dtype: array.dtype.str,
    content,
    boxes: boxesOf(program, array.shape).map(({ start, stop }) => sha256(array.getSlice(start, stop).bytes)),
    vlmeta: Object.fromEntries(
      schunk.vlmeta.keys().map((name) => [name, Buffer.from(schunk.vlmeta.get(name)).toString("hex")]),
    ),
  };
}
