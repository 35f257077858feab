import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runIoBackendSuite } from "../src/index.js";
import { KeyValueBackend } from "./key-value-backend.js";

const page = readFileSync(new URL("../../../docs/adding-a-backend.md", import.meta.url), "utf8");
const source = readFileSync(new URL("key-value-backend.ts", import.meta.url), "utf8");
let count = 0;

describe("docs/adding-a-backend.md", () => {
  it("shows the backend that is tested here", () => {
    const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]);
    expect(shown).toContain(source);
  });
});

runIoBackendSuite({
  name: "the page's backend",
  backend: () => new KeyValueBackend(new Map<string, Uint8Array>()),
  makePath: () => `file-${count++}`,
  test: { describe, expect, it },
});
