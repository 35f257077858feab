/** Writing and reading frames by ES modules and CommonJS, in every runtime. @module */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectSame } from "../expect.mjs";
import { run } from "../run-program.mjs";
import { section, writeFiles } from "../snippets.mjs";
import { TOP_LEVEL_AWAIT, WRONG_VALUES } from "../spoils.mjs";
import { BUN, DENO, NODE_VERSIONS, nodeFolder, toolFolder } from "../tools.mjs";

/** What the program prints reads of row 7, columns 2 to 4, of quarters of numbers from 0 on, in rows of 300. */
const EXPECTED = "525.5,525.75,526";
const CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
const BACKENDS = ["stdio", "mmap"];

const PROGRAM = `
const values = Float64Array.from({ length: 6000 }, (_, i) => i / 4);
for (const codec of ${JSON.stringify(CODECS)}) {
  asarray(values, { shape: [20, 300], urlpath: file, cparams: { codec } }).close();
  for (const io of ${JSON.stringify(BACKENDS)}) {
    const array = openArray(file, { io });
    console.log(codec, io, array.getSlice([7, 2], [8, 5]).data.join());
    array.close();
  }
}
`;
const PRINTED = CODECS.flatMap((codec) => BACKENDS.map((io) => `${codec} ${io} ${EXPECTED}\n`)).join("");

const KINDS = {
  import: { file: "import.mjs", code: 'import { asarray, openArray } from "b2frame";\nconst file = "import.b2nd";' },
  require: {
    file: "require.cjs",
    code: 'const { asarray, openArray } = require("b2frame");\nconst file = "require.b2nd";',
  },
};

/**
 * @param {string} runtime
 * @param {keyof typeof KINDS} kind
 * @param {() => Promise<[file: string, ...args: string[]]>} command
 * @param {boolean} [quick]
 * @returns {import("../checks.mjs").Check}
 */
function programCheck(runtime, kind, command, quick = false) {
  return {
    name: `${runtime}: ${kind}`,
    quick,
    async run(release) {
      const folder = await release.everything();
      const { file, code } = KINDS[kind];
      writeFileSync(join(folder, file), `${code}\n${PROGRAM}`);
      const [program, ...args] = await command();
      expectSame("the program's output", await run(program, [...args, file], { cwd: folder }), PRINTED);
    },
    spoils: kind === "require" && runtime.startsWith("Node") ? [WRONG_VALUES, TOP_LEVEL_AWAIT] : [WRONG_VALUES],
  };
}

/**
 * The page's own program and command for Deno or Bun.
 *
 * @param {"Deno" | "Bun"} runtime
 * @param {string} tool
 * @returns {import("../checks.mjs").Check}
 */
function pageCheck(runtime, tool) {
  return {
    name: `${runtime}: the command of docs/bundlers.md`,
    async run(release) {
      const folder = await release.everything();
      writeFiles(section("Node"), folder);
      const path = await toolFolder(tool);
      const printed = [];
      for (const line of section(runtime).commands) {
        printed.push(await run("sh", ["-c", line], { cwd: folder, path }));
      }
      expectSame("the program's output", printed, ["1000,1001,1002\n"]);
    },
    spoils: [WRONG_VALUES],
  };
}

/** What the comments after `console.log(...)` say is printed. */
function promised(code) {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
}

/** The examples of a document, as plain JavaScript: they have no types. */
async function runExamples(document, name, release) {
  const folder = join(await release.app("examples", { packages: release.names, also: ["zarrita@0.7.5"] }), name);
  mkdirSync(folder);
  const path = await nodeFolder(NODE_VERSIONS.find((version) => version.startsWith("24.")));
  const blocks = [...readFileSync(document, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  for (const [i, code] of blocks.entries()) {
    writeFileSync(join(folder, `example-${i}.mjs`), code);
    const printed = await run("node", [`example-${i}.mjs`], { cwd: folder, path });
    expectSame(`example ${i + 1} of ${document}`, printed.trimEnd().split("\n"), promised(code));
  }
}

/** @type {import("../checks.mjs").Check} */
const examples = {
  name: "Node 24: the examples of the READMEs, as they stand there",
  async run(release) {
    await runExamples("README.md", "README", release);
    for (const name of release.names) {
      const folder = name.replace("@b2frame/", "");
      await runExamples(`packages/${folder}/README.md`, folder, release);
    }
  },
  spoils: [WRONG_VALUES],
};

/** @type {readonly import("../checks.mjs").Check[]} */
export const runtimeChecks = [
  ...["import", "require"].map((kind) =>
    programCheck(`Node ${process.versions.node}, which runs this`, kind, async () => [process.execPath], true),
  ),
  ...NODE_VERSIONS.flatMap((version) =>
    ["import", "require"].map((kind) =>
      programCheck(`Node ${version}`, kind, async () => [join(await nodeFolder(version), "node")]),
    ),
  ),
  ...["import", "require"].flatMap((kind) => [
    programCheck(BUN, kind, async () => [join(await toolFolder(BUN), "bun")]),
    programCheck(DENO, kind, async () => [join(await toolFolder(DENO), "deno"), "run", "--allow-all"]),
  ]),
  pageCheck("Deno", DENO),
  pageCheck("Bun", BUN),
  examples,
];
