/** One change of a frame that several have open, and the state that it leads to. @module */
import { NDArray, type SChunk } from "@b2frame/core";
import type { SeededRandom } from "./seeded-random.js";

/** Items of a chunk, and of an array's row. */
export const ITEMS = 64;

/** A change, with `data` as bytes. */
export type LockedStep =
  | { readonly op: "append"; readonly data: Uint8Array }
  | { readonly op: "insert"; readonly chunk: number; readonly data: Uint8Array }
  | { readonly op: "update"; readonly chunk: number; readonly data: Uint8Array }
  | { readonly op: "delete"; readonly chunk: number }
  | { readonly op: "set-vlmeta"; readonly name: string; readonly value: number }
  | { readonly op: "append-rows"; readonly data: Uint8Array }
  | { readonly op: "cut-rows"; readonly rows: number };

/** What a frame must hold: its chunks, or an array's rows, and its vlmetalayers. */
export interface LockedState {
  readonly pieces: Uint8Array[];
  readonly vlmeta: Map<string, number>;
}

/** One chunk or row: all of a value, so that many have one size, or values that compress worse. */
export function piece(value: number, smooth: boolean): Uint8Array {
  const items = Int32Array.from({ length: ITEMS }, (_, i) => (smooth ? value : Math.imul(value + i, 0x9e3779b1)));
  return new Uint8Array(items.buffer);
}

/** A change that is possible in that state. */
export function randomStep(random: SeededRandom, state: LockedState, isArray: boolean): LockedStep {
  const data = (): Uint8Array => piece(random.integer(0, 999), !random.oneIn(3));
  const { length } = state.pieces;
  if (isArray) {
    if (length > 3 && random.oneIn(4)) return { op: "cut-rows", rows: random.integer(1, length) };
    const rows = Array.from({ length: random.integer(1, 4) }, data);
    return { op: "append-rows", data: new Uint8Array(Buffer.concat(rows)) };
  }
  if (random.oneIn(5)) return { op: "set-vlmeta", name: random.pick(["a", "b"]), value: random.integer(0, 99) };
  if (length < 2 || random.oneIn(3)) return { op: "append", data: data() };
  const chunk = random.integer(0, length - 1);
  return random.pick<LockedStep>([
    { op: "insert", chunk, data: data() },
    { op: "update", chunk, data: data() },
    { op: "delete", chunk },
  ]);
}

/** Takes the step in the oracle. */
export function applyToState({ pieces, vlmeta }: LockedState, step: LockedStep): void {
  if (step.op === "set-vlmeta") vlmeta.set(step.name, step.value);
  else if (step.op === "delete") pieces.splice(step.chunk, 1);
  else if (step.op === "cut-rows") pieces.length = step.rows;
  else if (step.op === "insert") pieces.splice(step.chunk, 0, step.data);
  else if (step.op === "update") pieces[step.chunk] = step.data;
  else for (let at = 0; at < step.data.byteLength; at += 4 * ITEMS) pieces.push(step.data.slice(at, at + 4 * ITEMS));
}

/** Takes the step with b2frame, in one commit. */
export function applyToFrame(frame: SChunk | NDArray, step: LockedStep): void {
  const schunk = frame instanceof NDArray ? frame.schunk : frame;
  if (step.op === "set-vlmeta") schunk.vlmeta.setValue(step.name, step.value);
  else if (step.op === "delete") schunk.deleteChunk(step.chunk);
  else if (step.op === "insert") schunk.insertData(step.chunk, step.data);
  else if (step.op === "update") schunk.updateData(step.chunk, step.data);
  else if (step.op === "append") schunk.appendData(step.data);
  else if (step.op === "cut-rows") (frame as NDArray).resize([step.rows, ITEMS]);
  else (frame as NDArray).append(new Int32Array(step.data.slice().buffer));
  frame.flush();
}
