/** What each entry of the package exports at run time: a name that comes or goes is a change that users notice. */
import { expect, it } from "vitest";
import * as backend from "../src/backend.js";
import * as codec from "../src/codec.js";
import * as core from "../src/index.js";
import * as plugins from "../src/plugins.js";
import * as read from "../src/read.js";
import * as stats from "../src/stats.js";
import * as text from "../src/text.js";
import * as threads from "../src/threads.js";
import * as zstd from "../src/zstd.js";

const MAX_CORE_VALUES = 50;

function valuesOf(module: object): string[] {
  return Object.keys(module).sort();
}

it.each([
  ["@b2frame/core", core],
  ["@b2frame/core/backend", backend],
  ["@b2frame/core/codec", codec],
  ["@b2frame/core/plugins", plugins],
  ["@b2frame/core/read", read],
  ["@b2frame/core/stats", stats],
  ["@b2frame/core/text", text],
  ["@b2frame/core/threads", threads],
  ["@b2frame/core/zstd", zstd],
])("%s exports what the committed list says", async (name, module) => {
  await expect(`${valuesOf(module).join("\n")}\n`).toMatchFileSnapshot(
    `public-names/${name.replace("@b2frame/", "").replace("/", "-")}.txt`,
  );
});

it("keeps the main entry small", () => {
  expect(valuesOf(core).length).toBeLessThanOrEqual(MAX_CORE_VALUES);
});

it("is the same object wherever a name stands in two entries", () => {
  const ofCore = new Map(Object.entries(core));
  for (const other of [backend, codec, read]) {
    for (const [name, value] of Object.entries(other)) expect(ofCore.get(name) ?? value).toBe(value);
  }
});
