/** Chunks that say who wrote them, and whether they are whole. @module */

/** Who wrote a chunk: the run of a writer, and its how manieth commit it is. */
export interface ChunkNumber {
  readonly run: number;
  readonly commit: number;
}

/** Bytes of a chunk. */
export const NUMBERED_CHUNK_BYTES: number = 4096;

/** Numbers that follow from the first two and fill the chunk. */
export function numberedChunk({ run, commit }: ChunkNumber): Uint8Array {
  const words = new Uint32Array(NUMBERED_CHUNK_BYTES / 4);
  words[0] = run;
  words[1] = commit;
  for (let i = 2; i < words.length; i++) words[i] = Math.imul((words[i - 1] as number) ^ i, 2654435761) + run;
  return new Uint8Array(words.buffer);
}

/** @throws Error for a chunk that nobody wrote like that */
export function numberOf(chunk: Uint8Array): ChunkNumber {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const number = { run: view.getUint32(0, true), commit: view.getUint32(4, true) };
  if (Buffer.from(numberedChunk(number)).equals(chunk)) return number;
  throw new Error(`a chunk is torn: its first words are ${number.run} and ${number.commit}`);
}
