/** Comparing what was decoded with what the manifest says. @module */
import { createHash } from "node:crypto";
import type { ExpectedBytes, ExpectedMetalayer } from "./manifest.js";

/** A difference between the corpus and b2frame. */
export class Mismatch extends Error {}

/** SHA-256 as lower-case hex. */
export function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** @throws Mismatch unless both have the same JSON form. */
export function requireSame(what: string, expected: unknown, found: unknown): void {
  const [wanted, given] = [JSON.stringify(expected), JSON.stringify(found)];
  if (wanted !== given) throw new Mismatch(`${what}: expected ${wanted}, found ${given}`);
}

/** @throws Mismatch unless `found` has the expected size and content. */
export function requireBytes(what: string, expected: ExpectedBytes, found: Uint8Array): void {
  requireSame(`${what}: size`, expected.nbytes, found.byteLength);
  if (expected.hex !== undefined) requireSame(`${what}: bytes`, expected.hex, Buffer.from(found).toString("hex"));
  if (expected.sha256 !== undefined) requireSame(`${what}: sha256`, expected.sha256, sha256(found));
}

/** @throws Mismatch unless the names, their order and the contents are the expected ones. */
export function requireMetalayers(
  what: string,
  expected: readonly ExpectedMetalayer[],
  names: readonly string[],
  get: (name: string) => Uint8Array,
): void {
  requireSame(
    `${what} names`,
    expected.map((layer) => layer.name),
    names,
  );
  for (const layer of expected) requireBytes(`${what} ${layer.name}`, layer, get(layer.name));
}
