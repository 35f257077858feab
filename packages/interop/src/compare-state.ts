/** Comparing two descriptions field by field. @module */
import { createHash } from "node:crypto";

const SHOWN = 400;

/** SHA-256 as lower-case hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Which fields of `found` differ from `expected` as JSON, in words; empty if none does. */
export function stateDifference<State extends object>(expected: State, found: State): string {
  return (Object.keys(expected) as (keyof State & string)[])
    .map((field) => [field, JSON.stringify(expected[field]), JSON.stringify(found[field])])
    .filter(([, wanted, given]) => wanted !== given)
    .map(([field, wanted, given]) => `${field}: expected ${wanted?.slice(0, SHOWN)}, found ${given?.slice(0, SHOWN)}`)
    .join("; ");
}
