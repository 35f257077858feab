/** The TypeScript examples of documents: their types are right, they run, and they print what the comments behind them say. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  types: ["node"],
  strict: true,
  skipLibCheck: true,
};

/** Lets the examples import the packages by name, as an installation does. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules/@b2frame"), { recursive: true });
  for (const name of readdirSync(join(root, "packages"))) {
    const path = join(folder, "node_modules", name === "b2frame" ? name : `@b2frame/${name}`);
    symlinkSync(join(root, "packages", name), path);
  }
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  symlinkSync(join(root, "packages/zarr/node_modules/zarrita"), join(folder, "node_modules/zarrita"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
}

/** What the comments after `console.log(...)` say is printed. */
function promised(block: string): string[] {
  return [...block.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1] as string);
}

/** What is wrong with the types of some files; compiles them as well. */
function compile(files: readonly string[], folder: string): string {
  const program = ts.createProgram(files, OPTIONS);
  const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  });
}

/** The READMEs of the packages that are published. */
const packageReadmes = readdirSync(join(root, "packages"))
  .filter((name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8")).private !== true)
  .map((name): [string, number] => [`packages/${name}/README.md`, 1]);

describe.each<[string, number]>([["README.md", 5], ["docs/cookbook.md", 10], ...packageReadmes])(
  "the examples of %s",
  (document, least) => {
    const folder = temporaryFolder();
    const text = readFileSync(join(root, document), "utf8");
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] as string);

    it("are there", () => expect(blocks.length).toBeGreaterThanOrEqual(least));

    it("have the right types, run one after another in one folder, and print what they say", () => {
      linkPackages(folder);
      const files = blocks.map((block, i) => {
        const path = join(folder, `example-${i}.ts`);
        writeFileSync(path, block);
        return path;
      });
      expect(compile(files, folder)).toBe("");
      for (const [i, block] of blocks.entries()) {
        const printed = execFileSync(process.execPath, [`example-${i}.js`], { cwd: folder, encoding: "utf8" });
        expect(printed.trimEnd().split("\n")).toEqual(promised(block));
      }
    });
  },
);
