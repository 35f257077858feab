import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { edited, MUTATIONS } from "../src/mutations.js";

const BUILT = new URL("../../core/dist/frame/", import.meta.url);

it.each(MUTATIONS)("the built code has exactly one place for: $name", ({ edits }) => {
  const texts = new Map<string, string>();
  for (const edit of edits) {
    const text = texts.get(edit.file) ?? readFileSync(new URL(edit.file, BUILT), "utf8");
    texts.set(edit.file, edited(text, edit));
  }
  expect(texts.size).toBeGreaterThan(0);
});

it("each has a name of its own", () => {
  expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
});
