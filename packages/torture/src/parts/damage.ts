/** Damaging a part that is there. @module */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { SChunk } from "@b2frame/core";
import type { SeededRandom } from "@b2frame/interop/seeded-random";
import { abortParts, planParts, writePart } from "@b2frame/parts";
import { partPath } from "./parts-model.js";
import { type PlannedFrame, sourceOf } from "./planned-frame.js";

export type Damage = "removed" | "cut" | "changed" | "of another plan" | "another part";

const DAMAGES: readonly Damage[] = ["removed", "cut", "changed", "of another plan", "another part"];

/** A byte of a stored chunk, changed; without one, the file cut. */
function withChangedByte(bytes: Buffer): Uint8Array {
  using part = SChunk.fromCframe(bytes);
  for (const { position, cbytes } of part.iterChunksInfo()) {
    if (position === undefined) continue;
    const at = position + cbytes - 1;
    bytes[at] = (bytes[at] as number) ^ 0x10;
    return bytes;
  }
  return bytes.subarray(0, -1);
}

/** The bytes of a part as another plan of the same frame has them. */
async function ofAnotherPlan(frame: PlannedFrame, part: number, scratch: string): Promise<Uint8Array> {
  planParts(scratch, frame.options);
  await writePart(scratch, part, sourceOf(frame));
  const bytes = readFileSync(partPath(scratch, part));
  abortParts(scratch);
  return bytes;
}

/** Damages part `part` of `target` in some way. */
export async function damagePart(
  { target, frame, done }: { target: string; frame: PlannedFrame; done: readonly number[] },
  part: number,
  random: SeededRandom,
): Promise<Damage> {
  const path = partPath(target, part);
  const other = done.find((number) => number !== part);
  let damage = random.pick(DAMAGES);
  if (damage === "another part" && other === undefined) damage = "cut";
  if (damage === "removed") {
    rmSync(path);
    return damage;
  }
  const bytes = readFileSync(path);
  let changed: Uint8Array;
  if (damage === "cut") changed = bytes.subarray(0, random.integer(0, bytes.length - 1));
  else if (damage === "changed") changed = withChangedByte(bytes);
  else if (damage === "another part") changed = readFileSync(partPath(target, other as number));
  else changed = await ofAnotherPlan(frame, part, `${target}-other`);
  writeFileSync(`${target}-damaged`, changed);
  renameSync(`${target}-damaged`, path);
  return damage;
}
