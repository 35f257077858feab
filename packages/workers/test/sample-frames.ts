/** Frames to read in tests, written without workers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CParams, SChunk, type SpecialKind } from "@b2frame/core";
import { encodeSpecialChunk } from "@b2frame/core/codec";
import { stdio } from "@b2frame/io-stdio";

/** A folder that goes away after the tests; `afterAll(() => folder.remove())`. */
export class TemporaryFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), "b2frame-workers-"));
  #files = 0;

  newPath(): string {
    this.#files++;
    return join(this.path, `${this.#files}.b2frame`);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** Bytes that compress, and differ from place to place. */
export function sampleBytes(byteLength: number): Uint8Array {
  const items = new Uint32Array(Math.ceil(byteLength / 4));
  for (let i = 0; i < items.length; i++) items[i] = i * 7 + ((i * 2654435761) >>> 29);
  return new Uint8Array(items.buffer, 0, byteLength);
}

/** The pieces that make up `bytes`, the last one perhaps shorter. */
export function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

/** Writes a frame chunk by chunk, on this thread. */
export function writeFrame(
  path: string,
  chunks: readonly Uint8Array[],
  chunksize: number,
  cparams: Partial<CParams> = { codec: "lz4" },
): void {
  using out = SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize, cparams });
  for (const chunk of chunks) out.appendData(chunk);
}

/** Whether two byte arrays are the same; quicker than `toEqual` for long ones. */
export function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Writes chunks of which some only exist in the index, on this thread; gives their content. */
export function writeSpecialFrame(path: string, chunksize: number): Uint8Array {
  using out = SChunk.create({ urlpath: path, io: stdio(), typesize: 4, chunksize, cparams: { codec: "lz4" } });
  const special = (kind: SpecialKind, count: number, nbytes = chunksize): void => {
    for (let i = 0; i < count; i++) out.appendChunk(encodeSpecialChunk(kind, nbytes, 4));
  };
  special("zeros", 3);
  for (const piece of piecesOf(sampleBytes(2 * chunksize), chunksize)) out.appendData(piece);
  special("nan", 2);
  special("zeros", 5);
  out.appendData(sampleBytes(chunksize));
  special("zeros", 1);
  special("zeros", 1, 4);
  return out.getSlice();
}
