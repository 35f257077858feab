/** All cases, in the order in which they run. @module */
import type { BenchCase } from "../bench-case.js";
import { append, appendSmall } from "./append.js";
import { arrayCrop, arrayPlane, arrayRead, arrayWrite } from "./arrays.js";
import { readBuffer, writeBuffer } from "./buffers.js";
import { compressedChunks } from "./compressed-chunks.js";
import { crops } from "./crops.js";
import { insert, update } from "./edits.js";
import { engines } from "./engines.js";
import { heldHandles } from "./held-handles.js";
import { openMany } from "./open-many.js";
import { randomChunks, scattered } from "./random-reads.js";
import { readAll } from "./read-all.js";
import { remote } from "./remote.js";
import { bloscDecode, bloscEncode } from "./whole-buffers.js";
import { zarrArrays } from "./zarr-arrays.js";

export const CASES: readonly BenchCase[] = [
  arrayRead,
  arrayCrop,
  arrayPlane,
  arrayWrite,
  readAll,
  append,
  appendSmall,
  randomChunks,
  scattered,
  insert,
  update,
  crops,
  openMany,
  bloscDecode,
  bloscEncode,
  engines,
  heldHandles,
  compressedChunks,
  readBuffer,
  writeBuffer,
  zarrArrays,
  remote,
];
