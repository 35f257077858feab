// A worker thread that reads all chunks of a sparse frame, several times, beginning at a place of its own.
import { parentPort, workerData } from "node:worker_threads";
import { openUdio } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";

const { path, first } = workerData;
const frame = openUdio(path, stdio());
let wrong = 0;
for (let round = 0; round < 2; round++) {
  for (let i = 0; i < frame.nchunks; i++) {
    const index = (first + i) % frame.nchunks;
    const chunk = frame.decompressChunk(index);
    const items = new Int32Array(chunk.buffer, chunk.byteOffset, chunk.byteLength / 4);
    if (!items.every((item, j) => item === index * 1000 + j)) wrong++;
  }
}
frame.close();
parentPort.postMessage({ wrong });
