/** Random changes of a super-chunk whose chunks are 40 bytes or so, and its content as text. */
import fc from "fast-check";
import type { SChunk } from "../../src/super-chunk/super-chunk.js";

export function bytes(value: number, length = 40): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (value * 31 + i * 7) & 255);
}

/** Chunks and vlmetalayers, as text to compare. */
export function contentOf(s: SChunk): string {
  const chunks = [...s.iterChunks()].map((chunk) => chunk.join());
  const vlmeta = [...s.vlmeta].map(([name, content]) => `${name}=${content.join()}`);
  const meta = [...s.meta].map(([name, content]) => `${name}=${content.join()}`);
  return JSON.stringify({ chunks, vlmeta, meta });
}

/** One change. */
export interface Edit {
  readonly what: "append" | "insert" | "update" | "delete" | "clear" | "vlmeta" | "meta" | "compact" | "flush";
  readonly value: number;
  readonly at: number;
}

function editOf(what: Edit["what"], weight: number, at = 99): fc.WeightedArbitrary<Edit> {
  return { weight, arbitrary: fc.record({ what: fc.constant(what), value: fc.nat(255), at: fc.nat(at) }) };
}

export const edit: fc.Arbitrary<Edit> = fc.oneof(
  editOf("append", 5),
  editOf("insert", 2),
  editOf("update", 2),
  editOf("delete", 2),
  editOf("clear", 1),
  editOf("vlmeta", 2, 700),
  editOf("meta", 1, 700),
  editOf("compact", 1),
  editOf("flush", 4),
);

export function applyEdit(s: SChunk, { what, value, at }: Edit): void {
  if (what === "append") s.appendData(bytes(value));
  if (what === "insert") s.insertData(at % (s.nchunks + 1), bytes(value));
  if (what === "update" && s.nchunks > 0) s.updateData(at % s.nchunks, bytes(value));
  if (what === "delete" && s.nchunks > 0) s.deleteChunk(at % s.nchunks);
  if (what === "clear") while (s.nchunks > 0) s.deleteChunk(s.nchunks - 1);
  if (what === "vlmeta") s.vlmeta.set(`v${value % 3}`, bytes(value, at));
  if (what === "meta" && s.nchunks === 0 && s.meta.size < 3) s.meta.set(`m${s.meta.size}`, bytes(value, at));
  if (what === "compact") s.compact();
  if (what === "flush") s.flush();
}
