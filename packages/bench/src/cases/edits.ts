/** Changing a frame in its middle. @module */
import { closeSync, copyFileSync, fsyncSync, openSync } from "node:fs";
import { SChunk } from "@b2frame/core";
import type { BenchCase } from "../bench-case.js";
import type { BenchContext } from "../bench-context.js";
import { fileContenders } from "../contenders.js";
import type { DataName } from "../datasets.js";
import { chunkCount, sharedFrame } from "../frames.js";
import type { CaseName, Trial } from "../trial.js";
import { randomIndices } from "./random-reads.js";

const DATA: readonly DataName[] = ["int32", "float64"];
const CHUNKSIZE = 64 * 2 ** 10;
const EDITS = 1000;
/** C-Blosc2 moves the rest of the file for each update; its speed does not depend on their number. */
const UPDATES_OF_C = 40;

/** How one kind of edit is done. */
interface EditKind {
  readonly name: CaseName;
  readonly title: string;
  /** Chunks in the frame that is changed. */
  readonly nchunks: number;
  readonly method: "insertData" | "updateData";
  readonly command: "insert" | "update";
  readonly editsOfC: number;
}

/** Puts a copy on the disk, so that who waits for the disk waits for the edits and not for the copy. */
function copyDurably(from: string, to: string): void {
  copyFileSync(from, to);
  const descriptor = openSync(to, "r+");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

async function editTrial(context: BenchContext, name: DataName, kind: EditKind): Promise<Trial> {
  const dataset = context.dataset(name);
  const nchunks = Math.min(context.count(kind.nchunks), chunkCount(dataset, CHUNKSIZE));
  const original = await sharedFrame(context, { dataset, chunksize: CHUNKSIZE, nchunks });
  const edits = context.count(EDITS);
  const editsOfC = Math.min(edits, kind.editsOfC);
  const indices = randomIndices(6, edits, nchunks);
  await context.shareIndices(indices);
  const chunks = chunkCount(dataset, CHUNKSIZE);
  const parameters = { chunksize: CHUNKSIZE, nchunks, edits };
  return {
    data: name,
    parameters: editsOfC === edits ? parameters : { ...parameters, editsOfC },
    unit: "op/s",
    contenders: fileContenders(context, {
      amount: edits,
      theirAmount: editsOfC,
      paths: { ours: context.newPath(), theirs: context.newPath() },
      writes: "with-sync",
      prepare: (path) => copyDurably(original, path),
      ours: (path, backend, durability) => {
        using frame = SChunk.open(path, backend, { mode: "r+", durability });
        for (let i = 0; i < edits; i++) {
          const start = (i % chunks) * CHUNKSIZE;
          frame[kind.method](indices[i] as number, dataset.bytes.subarray(start, start + CHUNKSIZE));
        }
        return frame.nchunks;
      },
      theirs: (driver, file, sync) => driver[kind.command](file, { chunksize: CHUNKSIZE, operations: editsOfC, sync }),
      warmTheirs: false,
    }),
  };
}

function editCase(kind: EditKind): BenchCase {
  return {
    name: kind.name,
    title: kind.title,
    async *trials(context: BenchContext) {
      for (const name of context.selectData(DATA).slice(0, 1)) yield await editTrial(context, name, kind);
    },
  };
}

/** Insertions at random places. */
export const insert: BenchCase = editCase({
  name: "insert",
  title: "Open a frame of 2,000 chunks of 64 KiB, insert 1,000 at random places, close",
  nchunks: 2000,
  method: "insertData",
  command: "insert",
  editsOfC: EDITS,
});

/** Replacements at random places. */
export const update: BenchCase = editCase({
  name: "update",
  title: "Open a frame of 3,000 chunks of 64 KiB, replace 1,000 of them, close",
  nchunks: 3000,
  method: "updateData",
  command: "update",
  editsOfC: UPDATES_OF_C,
});
