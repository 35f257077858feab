import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { createStore, openStore } from "../../src/index.js";
import { runCli, runGood } from "../run-cli.js";

const cwd = temporaryFolder();
const stores = fileURLToPath(new URL("../../../../fixtures/stores/", import.meta.url));

interface Expected {
  readonly members: Readonly<Record<string, { shape?: number[]; dtype?: string; hex?: string; type?: string }>>;
}
const expected = JSON.parse(readFileSync(join(stores, "expected.json"), "utf8")) as Record<string, Expected>;

describe.each(["tree.b2z", "tree.b2d", "dict.b2z", "dict.b2d", "embed.b2e"])("%s", (name) => {
  const path = join(stores, name);
  const { members } = expected[name] as Expected;
  const arrays = Object.entries(members).filter(([, { shape }]) => shape !== undefined);

  it("is listed with what its members are", () => {
    const facts = JSON.parse(runGood(["info", path, "--json"], { cwd }));
    expect(facts).toMatchObject({ kind: "store", format: name.slice(-3), type: name.slice(0, -4) });
    expect(JSON.parse(runGood(["ls", path, "--json"], { cwd }))).toEqual(facts.members);
    for (const [key, { shape, dtype }] of arrays) {
      expect(facts.members).toContainEqual(expect.objectContaining({ key, kind: "array", shape, dtype }));
    }
    expect(runGood(["ls", path], { cwd }).trimEnd().split("\n")).toHaveLength(1 + facts.members.length);
  });

  it("gives its members", () => {
    for (const [key, { hex }] of Object.entries(members)
      .filter(([, member]) => member.hex !== undefined)
      .slice(0, 2)) {
      expect(runCli(["cat", path, "--key", key], { cwd }).stdout.toString("hex")).toBe(hex);
      expect(runGood(["info", path, "--key", key], { cwd })).toContain(key);
    }
  });
});

it("asks which member, and for one that is there", () => {
  const path = join(stores, "tree.b2z");
  for (const args of [
    ["cat", path],
    ["unpack", path, "x"],
    ["cat", path, "--key", "/nope"],
    ["cat", path, "--key", "/tab"],
  ]) {
    const { status, stderr } = runCli(args, { cwd });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^b2frame: [^\n]+\n$/);
  }
});

it("opens and makes stores by path", () => {
  for (const name of ["new.b2z", "new.b2d", "new.b2e"]) {
    const path = join(cwd, name);
    using made = createStore(path);
    made.set("/numbers", Int16Array.of(1, 2, 3));
    made.close();
    using store = openStore(path);
    using array = store.openArray("/numbers");
    expect([...array.getSlice().data]).toEqual([1, 2, 3]);
  }
  expect(() => openStore(join(cwd, "new.b2d"), { io: "mmap" })).toThrow(
    expect.objectContaining({ code: "BLOSC2_UNSUPPORTED_BACKEND" }),
  );
});
