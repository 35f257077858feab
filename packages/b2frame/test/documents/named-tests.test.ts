/** The documents that say which test shows what: each of those tests is there, and no case is left out. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);

function documentText(name: string): string {
  return readFileSync(new URL(`docs/${name}`, ROOT), "utf8");
}

/** A test file and the titles that a document names in it: `` `core/test/a.test.ts`: "one", "two" ``. */
interface NamedTests {
  readonly file: string;
  readonly titles: readonly string[];
}

function namedTests(text: string): NamedTests[] {
  return [...text.matchAll(/`([\w./-]+\.test\.ts)`(?:: ((?:"[^"]+"(?:,\s+)?)+))?/g)].map(
    ([, file = "", titles = ""]) => ({
      file,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title.replaceAll(/\s+/g, " ")),
    }),
  );
}

/** The paths of all test files of all packages. */
function testFiles(): string[] {
  const packages = fileURLToPath(new URL("packages", ROOT));
  return readdirSync(packages).flatMap((name) => {
    const folder = join(packages, name, "test");
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return files.filter((file) => file.endsWith(".test.ts")).map((file) => join(folder, file));
  });
}

/** Whether a test or a group of tests in the source has exactly this title, as it is written there. */
function hasTitle(source: string, title: string): boolean {
  return ['"', "`"].some((quote) => {
    const literal = `${quote}${title}${quote}`.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`\\(\\s*${literal}\\s*,`).test(source);
  });
}

describe.each(["cases.md", "threats.md"])("docs/%s", (name) => {
  const named = namedTests(documentText(name));

  it("names tests, each by its file and title", () => {
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ titles }) => titles.length === 0)).toEqual([]);
  });

  it("names tests that are there", () => {
    const missing = named.flatMap(({ file, titles }) => {
      const path = fileURLToPath(new URL(`packages/${file}`, ROOT));
      if (!existsSync(path)) return [file];
      const source = readFileSync(path, "utf8");
      return titles.filter((title) => !hasTitle(source, title)).map((title) => `${file}: "${title}"`);
    });
    expect(missing).toEqual([]);
  });
});

it("docs/cases.md has each case that was found here once", () => {
  const ids = [...documentText("cases.md").matchAll(/^\| ([FMR]\d\d) \|/gm)].map(([, id = ""]) => id);
  expect(ids.length).toBeGreaterThan(0);
  expect(ids).toEqual([...new Set(ids)]);
});

it("docs/cases.md has a row for each fault that the independent test found, with its kind and tests", () => {
  const rows = [...documentText("cases.md").matchAll(/^\| (R\d\d) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)];
  const numbers = Array.from({ length: 28 }, (_, i) => `R${String(i + 1).padStart(2, "0")}`);
  expect(rows.map(([, id]) => id)).toEqual(numbers.filter((id) => id !== "R22" && id !== "R26"));
  for (const [, id, , , tests = ""] of rows) expect([id, namedTests(tests).length]).not.toEqual([id, 0]);
});

it("docs/cases.md has each case once, in order, and every case that a test is for", () => {
  const ids = [...documentText("cases.md").matchAll(/^\| (B\d\d) \|/gm)].map(([, id = ""]) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([57, "B01", "B69"]);
  const inTitles = testFiles().flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return [...source.matchAll(/\(\s*["`]([^"`\n]*)["`]\s*,/g)].flatMap(
      ([, title = ""]) => title.match(/\bB\d\d\b/g) ?? [],
    );
  });
  expect(inTitles.length).toBeGreaterThan(40);
  expect(inTitles.filter((id) => !ids.includes(id))).toEqual([]);
});
