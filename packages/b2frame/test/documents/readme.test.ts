import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] as string);
const folder = temporaryFolder();

/** Lets the examples import the packages by name, as an installation does. */
function linkPackages(): void {
  mkdirSync(join(folder, "node_modules/@b2frame"), { recursive: true });
  for (const name of readdirSync(join(root, "packages"))) {
    const path = join(folder, "node_modules", name === "b2frame" ? name : `@b2frame/${name}`);
    symlinkSync(join(root, "packages", name), path);
  }
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
}

/** What the comments after `console.log(...)` say is printed. */
function promised(block: string): string[] {
  return [...block.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1] as string);
}

it("holds examples", () => expect(blocks.length).toBeGreaterThanOrEqual(5));

it("holds examples whose types are right, and that print what they say", () => {
  linkPackages();
  const files = blocks.map((block, i) => {
    const path = join(folder, `example-${i}.ts`);
    writeFileSync(path, block);
    return path;
  });
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.esnext.disposable.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: ["node"],
    strict: true,
    skipLibCheck: true,
  };
  const program = ts.createProgram(files, options);
  const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  };
  expect(ts.formatDiagnostics(diagnostics, host)).toBe("");
  for (const [i, block] of blocks.entries()) {
    const printed = execFileSync(process.execPath, [`example-${i}.js`], { cwd: folder, encoding: "utf8" });
    expect(printed.trimEnd().split("\n")).toEqual(promised(block));
  }
});
