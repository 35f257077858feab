import { readFileSync, statSync } from "node:fs";
import { runIoBackendSuite } from "@b2frame/io-contract";
import { temporaryFiles } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createHandleBudget, type StdioOptions, stdio } from "../src/index.js";

const makePath = temporaryFiles().path;
const inspect = {
  bytes: (path: string) => new Uint8Array(readFileSync(path)),
  modified: (path: string) => statSync(path, { bigint: true }).mtimeNs,
};

const variants: readonly (readonly [string, StdioOptions])[] = [
  ["stdio", {}],
  ["stdio without buffers", { readBufferSize: 0, writeBufferSize: 0 }],
  ["stdio with odd buffers", { readBufferSize: 1001, writeBufferSize: 77 }],
  ["stdio past its handle budget", { handleBudget: createHandleBudget(0) }],
];

for (const [name, options] of variants) {
  runIoBackendSuite({ name, backend: () => stdio(options), makePath, test: { describe, expect, it }, inspect });
}
