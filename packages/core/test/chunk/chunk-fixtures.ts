/** The chunks in fixtures/chunks: written by C-Blosc2, with what each must decode to. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface ChunkFixture {
  readonly id: string;
  readonly kind: "chunk" | "malformed-chunk" | "chunk-c-unreadable";
  readonly offset: number;
  readonly length: number;
  readonly nbytes?: number;
  readonly typesize?: number;
  /** Of the decoded bytes; of a malformed chunk, what C decodes it to. */
  readonly sha256?: string;
  readonly uninit?: boolean;
  readonly undefined_tail?: number;
  readonly getitem?: readonly { start: number; nitems: number; sha256: string }[];
  readonly vlblocks?: readonly { nbytes: number; sha256: string }[];
  readonly has_dict?: boolean;
  readonly expect?: "accept" | "reject" | "same-bytes-or-reject" | "reject-preferred" | "reject-or-input";
}

const folder = new URL("../../../../fixtures/chunks/", import.meta.url);
const pack = new Uint8Array(readFileSync(new URL("chunks.pack", folder)));

export const CHUNK_FIXTURES: readonly ChunkFixture[] = JSON.parse(
  readFileSync(new URL("chunks.json", folder), "utf8"),
) as ChunkFixture[];

/** A copy of the chunk's bytes. */
export function fixtureBytes(fixture: ChunkFixture): Uint8Array {
  return pack.slice(fixture.offset, fixture.offset + fixture.length);
}

/** The fixture with this id. */
export function fixture(id: string): ChunkFixture {
  const found = CHUNK_FIXTURES.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no fixture ${id}`);
  return found;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
