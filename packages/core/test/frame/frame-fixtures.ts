/** Frames that C-Blosc2 wrote, with what they hold. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { directoryBackend } from "./directory-backend.js";

export interface NamedContent {
  readonly name: string;
  readonly nbytes: number;
  readonly hex?: string;
  readonly sha256?: string;
}

export interface FrameFixture {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
  readonly nchunks: number;
  readonly nbytes: number;
  readonly cbytes: number;
  readonly typesize: number;
  readonly chunksize: number;
  readonly header_len: number;
  readonly frame_len: number;
  readonly clevel: number;
  readonly compcode: number;
  readonly uninit?: boolean;
  readonly made: { readonly steps: string };
  readonly index: readonly string[];
  readonly chunks?: readonly { nbytes: number; cbytes: number; special: number; sha256?: string }[];
  readonly meta: readonly NamedContent[];
  readonly vlmeta: readonly NamedContent[];
  readonly slices?: readonly { start: number; stop: number; sha256: string }[];
  readonly expect?: string;
  readonly c?: Readonly<Record<string, { result: string; sha256?: string }>>;
}

const folder = new URL("../../../../fixtures/conformance/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")) as { entries: FrameFixture[] };

export function frameFixtures(kind: string): FrameFixture[] {
  return manifest.entries.filter((entry) => entry.kind === kind);
}

export function frameFixture(id: string): FrameFixture {
  const found = manifest.entries.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no fixture ${id}`);
  return found;
}

/** All of the file that a fixture lies in. */
export function fixtureFile(fixture: FrameFixture): Uint8Array {
  return new Uint8Array(readFileSync(new URL(fixture.file, folder)));
}

/** The frame alone. */
export function frameBytes(fixture: FrameFixture): Uint8Array {
  return fixtureFile(fixture).slice(fixture.offset, fixture.offset + fixture.length);
}

/** A backend that holds a sparse fixture's directory under the fixture's `file`. */
export function sparseFixture(fixture: FrameFixture): ReturnType<typeof directoryBackend> {
  const backend = directoryBackend();
  backend.directories?.make(fixture.file);
  const directory = new URL(`${fixture.file}/`, folder);
  for (const name of readdirSync(directory)) {
    const handle = backend.open(`${fixture.file}/${name}`, "w+");
    handle.write(0, new Uint8Array(readFileSync(new URL(name, directory))));
    handle.close();
  }
  return backend;
}

export function sha256(...parts: Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** A content as the manifest gives it. */
export function described(content: NamedContent, bytes: Uint8Array): string {
  return content.hex === undefined ? sha256(bytes) : Buffer.from(bytes).toString("hex");
}
