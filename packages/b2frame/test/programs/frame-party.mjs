// One who works on a frame, in a process of its own: takes a JSON line from standard input for each step, and answers with one.
import { createInterface } from "node:readline";
import { openArray, openSChunk } from "b2frame";

const ITEMS = 64;
let frame;
let held;

const schunk = () => frame.schunk ?? frame;
const firstItem = (bytes) => new Int32Array(bytes.buffer)[0];

const STEPS = {
  open({ path, options, array }) {
    frame = array ? openArray(path, options) : openSChunk(path, options);
  },
  append({ value }) {
    return frame.appendData(new Int32Array(ITEMS).fill(value));
  },
  /** Row by row, each in a commit of its own, as fast as the others let it. */
  "append-all"({ values }) {
    for (const value of values) {
      if (frame.schunk === undefined) frame.appendData(new Int32Array(ITEMS).fill(value));
      else frame.append(new Int32Array(frame.shape[1]).fill(value));
      frame.flush();
    }
  },
  /** Adds to the first chunk's items, each time in one turn. */
  "count-up"({ times }) {
    for (let i = 0; i < times; i++) {
      const turn = frame.lock();
      frame.updateData(0, new Int32Array(ITEMS).fill(firstItem(frame.decompressChunk(0)) + 1));
      turn.release();
    }
  },
  "append-row"({ value }) {
    frame.append(new Int32Array(frame.shape[1]).fill(value));
    return frame.shape;
  },
  flush: () => frame.flush(),
  refresh: () => frame.refresh(),
  nchunks: () => schunk().nchunks,
  values: () => Array.from(schunk().iterChunks(), firstItem),
  shape: () => frame.shape,
  rows: () => frame.get([null, 0]).toNestedArray(),
  lock({ kind }) {
    held = frame.lock(kind);
  },
  release: () => held.release(),
  close: () => frame.close(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { step, ...fields } = JSON.parse(line);
  let answer;
  try {
    answer = { result: STEPS[step](fields) };
  } catch (error) {
    answer = { code: error.code, message: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
