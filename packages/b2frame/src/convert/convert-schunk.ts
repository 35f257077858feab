/** Copying a super-chunk into another layout or with other parameters, chunk by chunk. @module */
import type { CParams, Durability, SChunk } from "@b2frame/core";
import { CHECKSUMS_NAME } from "@b2frame/core/backend";
import { PieceReader } from "../command-line/piece-reader.js";
import type { Progress } from "../command-line/progress.js";
import type { StopRequest } from "../command-line/stop-request.js";
import { createSChunk } from "../create.js";
import type { IoName } from "../io-choice.js";

/** How the copy is to differ, and what goes on beside the copying. */
export interface ConvertJob {
  readonly urlpath: string;
  readonly io: IoName;
  readonly sparse: boolean;
  /** What is to change; absent: the compressed chunks are copied as they are. */
  readonly cparams: Partial<CParams> | undefined;
  /** Bytes per chunk, if they are to change. */
  readonly chunksize: number | undefined;
  /** Whether to keep checksums of the chunks; absent: as in the original. */
  readonly checksum: boolean | undefined;
  readonly durability: Durability;
  /** Counts uncompressed bytes. */
  readonly progress: Progress;
  readonly stopRequest: StopRequest;
}

/** Makes the copy and commits it. @throws as `SChunk.create`, and when a chunk can't be read */
export async function convertSChunk(from: SChunk, job: ConvertJob): Promise<SChunk> {
  const { urlpath, io, sparse, durability, chunksize } = job;
  const out = createSChunk(urlpath, {
    io,
    contiguous: !sparse,
    typesize: from.typesize,
    chunksize: chunksize ?? (from.chunksize > 0 ? from.chunksize : undefined),
    chunksizeInHeader: from.nchunks === 0 && from.chunksize > 0,
    cparams: { ...from.cparams, ...job.cparams },
    meta: Object.fromEntries(from.meta),
    commit: false,
    durability,
    checksum: job.checksum ?? from.vlmeta.has(CHECKSUMS_NAME),
  });
  try {
    if (chunksize !== undefined && chunksize !== from.chunksize) await rechunk(from, out, chunksize, job);
    else await copyChunks(from, out, job);
    copyVlMetalayers(from, out);
    out.flush();
    return out;
  } catch (error) {
    out.close();
    throw error;
  }
}

/** Copies all but the checksums, which belong to compressed chunks. */
export function copyVlMetalayers(from: SChunk, to: SChunk): void {
  for (const name of from.vlmeta.keys()) if (name !== CHECKSUMS_NAME) to.vlmeta.set(name, from.vlmeta.get(name));
}

async function copyChunks(from: SChunk, to: SChunk, { cparams, progress, stopRequest }: ConvertJob): Promise<void> {
  let done = 0;
  for (let i = 0; i < from.nchunks; i++) {
    const { special, header, nbytes } = from.openChunk(i);
    if (cparams === undefined || special !== undefined) to.appendChunk(from.getChunk(i));
    else if (header.vlBlocks) to.appendVlBlocks(from.vlBlocks(i));
    else to.appendData(from.decompressChunk(i));
    done += nbytes;
    progress.update(done);
    await stopRequest.breathe();
  }
}

async function rechunk(from: SChunk, to: SChunk, chunksize: number, job: ConvertJob): Promise<void> {
  const { progress, stopRequest } = job;
  const reader = new PieceReader(uncompressed(from));
  const chunk = new Uint8Array(chunksize);
  let done = 0;
  for (let length = await reader.fill(chunk); length > 0; length = await reader.fill(chunk)) {
    to.appendData(chunk.subarray(0, length));
    done += length;
    progress.update(done);
    await stopRequest.breathe();
  }
}

async function* uncompressed(from: SChunk): AsyncGenerator<Uint8Array> {
  yield* from.iterChunks();
}
