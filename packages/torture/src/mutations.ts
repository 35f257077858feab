/**
 * What is taken out of the commits, one at a time, to see whether something notices. Five checks that no command here comes to are held by tests:
 * what others do between a change and its commit, between its flushes, or as the index of a sparse frame gets its name, a header of two sectors,
 * and a commit that another writer has made since the frame was opened (`within-a-commit.test.ts` and `several-actors.test.ts` of `core/test/super-chunk`).
 *
 * @module
 */

/** One change to the built code: text that is there once, and what takes its place. */
export interface Edit {
  /** Below the core's `dist/frame`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A fault to put in. */
export interface Mutation {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** What is asked first whether it notices. */
  readonly by: "cut" | "simulate" | "fail";
}

/** Takes text out. */
function without(name: string, by: Mutation["by"], file: string, from: string, to = ""): Mutation {
  return { name, by, edits: [{ file, from, to }] };
}

const CONTIGUOUS = "contiguous-frame.js";
const COMMITTED = "committed-file.js";
const SPARSE = "sparse-frame.js";
const FILES = "sparse-files.js";
const TAIL_WRITE = "        this.#file.write(tailStart, tail);\n";
const HEADER_WRITE = "        this.#file.writeHeader(this.encodedHeader.subarray(0, changed), frameLength);\n";
const CHUNKS_FLUSH = `${TAIL_WRITE}        this.#file.flush();\n`;
const INDEX_COMMIT = "        this.#files.replaceIndex(bytes);\n";
const SUPERSEDED = "        for (const number of this.#superseded)\n            this.#removeFile(number);\n";

/** Faults that an independent test found and that must be found again if they come back. */
const FOUND_BEFORE: readonly Mutation[] = [
  {
    name: "R01: chunk files are read without a look at the index file",
    by: "simulate",
    edits: [
      {
        file: FILES,
        from: "            if (this.seen?.unchanged() === false)\n                throw this.#changed();\n",
        to: "",
      },
    ],
  },
  {
    name: "R02: a sparse frame does not look for other writers",
    by: "simulate",
    edits: [{ file: FILES, from: "if (seen === undefined || seen.unchanged())", to: "if (true)" }],
  },
  {
    name: "R03: nobody looks where the name leads",
    by: "simulate",
    edits: [{ file: "same-file.js", from: "if (backend.identify === undefined)", to: "if (true)" }],
  },
  {
    name: "R04: nobody looks whether the file was cut",
    by: "simulate",
    edits: [{ file: COMMITTED, from: "if (size < committed.end) {", to: "if (false) {" }],
  },
];

/** Flushes, order and checks of each kind of commit. */
const COMMITS: readonly Mutation[] = [
  without(
    "contiguous: chunks, index and trailer are not flushed before the header",
    "cut",
    CONTIGUOUS,
    CHUNKS_FLUSH,
    TAIL_WRITE,
  ),
  without(
    "contiguous: the header is not flushed",
    "cut",
    CONTIGUOUS,
    `${HEADER_WRITE}        this.#file.flush();\n`,
    HEADER_WRITE,
  ),
  {
    name: "contiguous: the header goes before index and trailer",
    by: "cut",
    edits: [
      { file: CONTIGUOUS, from: CHUNKS_FLUSH, to: "" },
      { file: CONTIGUOUS, from: HEADER_WRITE, to: `${HEADER_WRITE}        this.#file.flush();\n${TAIL_WRITE}` },
    ],
  },
  without(
    "contiguous: the first change does not look for others",
    "simulate",
    COMMITTED,
    "    requireCommittedFile(file, origin, committed);\n    giveUpStrays",
    "    giveUpStrays",
  ),
  without(
    "contiguous: the last chunk is taken away in place",
    "cut",
    CONTIGUOUS,
    "return !committed.empty || !this.#fitsSector(headerLength + trailerLength);",
    "return false;",
  ),
  without(
    "contiguous: a frame without chunks is not flushed",
    "cut",
    CONTIGUOUS,
    "        this.#file.writeHeader(bytes, frameLength);\n        this.#file.flush();\n",
    "        this.#file.writeHeader(bytes, frameLength);\n",
  ),
  without(
    "contiguous: chunks behind an empty frame are written over its trailer at once",
    "cut",
    CONTIGUOUS,
    "this.#file.hold(headerLength, committed.end);",
    ";",
  ),
  without(
    "contiguous: refresh reads while a writer writes, and does not look again",
    "simulate",
    CONTIGUOUS,
    "parts = readSteadily(file.handle, this.position, () => readFrameParts(file, request));",
    "parts = readFrameParts(file, request);",
  ),
  without(
    "contiguous: refresh stays with the file that it has open",
    "simulate",
    CONTIGUOUS,
    'path !== undefined && mode !== "c";\n        // A new',
    "path === undefined;\n        // A new",
  ),
  without(
    "contiguous: a commit does not look where the name leads",
    "simulate",
    COMMITTED,
    "    requireNamed(file, origin);\n    const stale",
    "    const stale",
  ),
  without(
    "sparse: names of chunk files are not kept before the index names them",
    "cut",
    FILES,
    "        this.settleNames();\n        const replacement",
    "        const replacement",
  ),
  without(
    "sparse: the index file is not flushed before it gets its name",
    "cut",
    FILES,
    "            settle(handle, this.durability);\n            this.requireOurs();",
    "            this.requireOurs();",
  ),
  without(
    "sparse: the commit does not look for others",
    "simulate",
    FILES,
    "            this.requireOurs();\n            replacement.finish();",
    "            replacement.finish();",
  ),
  without(
    "sparse: chunk files are not flushed",
    "cut",
    FILES,
    "            handle.write(0, chunk);\n            settle(handle, this.durability);\n",
    "            handle.write(0, chunk);\n",
  ),
  without(
    "sparse: files of other writers' chunks are written over",
    "simulate",
    FILES,
    'if (!replace || !isBlosc2Error(error, "BLOSC2_IO_EXISTS"))',
    'if (!isBlosc2Error(error, "BLOSC2_IO_EXISTS"))',
  ),
  {
    name: "sparse: superseded files go before the index is replaced",
    by: "cut",
    edits: [
      { file: SPARSE, from: SUPERSEDED, to: "" },
      { file: SPARSE, from: INDEX_COMMIT, to: SUPERSEDED + INDEX_COMMIT },
    ],
  },
  without(
    "sparse: superseded files go when they are superseded",
    "cut",
    SPARSE,
    "if (this.#pending.delete(entry))",
    "this.#pending.delete(entry);\n            if (true)",
  ),
  without(
    "sparse: the first change does not look for others",
    "simulate",
    SPARSE,
    "        this.#files.requireOurs();\n        this.#begun = true;",
    "        this.#begun = true;",
  ),
  without("sparse: after a failed write changes go on", "fail", SPARSE, "            this.#failure ??= error;\n", ""),
  without(
    "sparse: refresh keeps chunk files open",
    "simulate",
    SPARSE,
    "            this.#files.forgetAll();\n",
    "            ;\n",
  ),
  {
    name: "a name that changed is not kept",
    by: "cut",
    edits: [
      { file: "durability.js", from: '{ durable: durability === "disk" }', to: "{ durable: false }" },
      { file: "durability.js", from: "directories?.flush(path);", to: ";" },
    ],
  },
  without("nothing is flushed", "cut", "durability.js", "        handle.flush();\n", "        ;\n"),
  without(
    "opening does not look again while a writer writes",
    "simulate",
    "open-steadily.js",
    "if (attempt === READ_ATTEMPTS) {",
    "if (true) {",
  ),
];

/** All of them. */
export const MUTATIONS: readonly Mutation[] = [...FOUND_BEFORE, ...COMMITS];

/** The text with an edit made. @throws Error unless it can be made at exactly one place */
export function edited(text: string, { file, from, to }: Edit): string {
  const places = text.split(from).length - 1;
  if (places !== 1) throw new Error(`${file}: ${places} places instead of one for: ${from.trim()}`);
  return text.replace(from, () => to);
}
