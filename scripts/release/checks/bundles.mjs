/** Bundles of the reading entry, in a page and in a Web Worker, with and without a strict policy. @module */
import { copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lookAtPage } from "../chromium.mjs";
import { expectSame } from "../expect.mjs";
import { run } from "../run-program.mjs";
import { section, strictPolicy, writeFiles } from "../snippets.mjs";
import { CODE_FROM_STRINGS, NODE_BUILT_IN, WASM_AT_ONCE, WRONG_VALUES } from "../spoils.mjs";
import { BUNDLERS } from "../tools.mjs";

/** Row 10, columns 0 to 2, of numbers from 0 on in rows of 100. */
const CROP = "1000,1001,1002";

/** As the page says: Vite and webpack find the Worker, the others are told of it. */
function withWorker({ files, commands }) {
  const config = files.get("rollup.config.mjs")?.replace('input: "main.js"', 'input: ["main.js", "reader.js"]');
  return {
    files: new Map(config === undefined ? files : [...files, ["rollup.config.mjs", config]]),
    commands: commands.map((line) => line.replace("esbuild main.js", "esbuild main.js reader.js")),
  };
}

/**
 * Builds the page, or the one with a Worker, and gives the folder to serve.
 *
 * @param {import("../release.mjs").Release} release
 * @param {keyof typeof BUNDLERS} bundler
 * @param {"A page" | "Web Workers"} kind
 * @param {string} codec of the file that the page reads
 */
async function build(release, bundler, kind, codec) {
  const packages = ["@b2frame/core"];
  const folder = await release.app(bundler, { packages, also: BUNDLERS[bundler] });
  const target = join(folder, `${kind}-${codec}`);
  if (existsSync(target)) return target;
  const own = section(bundler);
  writeFiles(section("A page"), folder);
  writeFiles(section(kind), folder);
  const { files, commands } = kind === "Web Workers" ? withWorker(own) : own;
  writeFiles({ files, commands }, folder);
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  for (const line of commands) await run("sh", ["-c", line], { cwd: folder });
  copyFileSync(await scan(release, codec), join(folder, "dist/scan.b2nd"));
  renameSync(join(folder, "dist"), target);
  return target;
}

/**
 * The file that the pages read.
 *
 * @param {import("../release.mjs").Release} release
 * @param {string} codec
 */
async function scan(release, codec) {
  const folder = await release.everything();
  const path = join(folder, `scan-${codec}.b2nd`);
  if (existsSync(path)) return path;
  const program = `
    import { asarray } from "b2frame";
    const values = Int32Array.from({ length: 10_000 }, (_, i) => i);
    asarray(values, { shape: [100, 100], urlpath: ${JSON.stringify(path)}, cparams: { codec: "${codec}" } }).close();
  `;
  writeFileSync(join(folder, "make-scan.mjs"), program);
  await run(process.execPath, ["make-scan.mjs"], { cwd: folder });
  return path;
}

/**
 * @param {string} folder
 * @param {string} [policy]
 */
async function expectCrop(folder, policy) {
  const { shown, errors } = await lookAtPage(folder, policy);
  expectSame("what the page shows", { shown, errors }, { shown: CROP, errors: [] });
}

/**
 * @param {keyof typeof BUNDLERS} bundler
 * @returns {import("../checks.mjs").Check[]}
 */
function bundleChecks(bundler) {
  const withoutWasm = strictPolicy().replace(" 'wasm-unsafe-eval'", "");
  return [
    {
      name: `${bundler}: a page`,
      run: async (release) => expectCrop(await build(release, bundler, "A page", "zstd")),
      spoils: [WRONG_VALUES, NODE_BUILT_IN],
    },
    {
      name: `${bundler}: a Web Worker`,
      run: async (release) => expectCrop(await build(release, bundler, "Web Workers", "zstd")),
      spoils: [WRONG_VALUES],
    },
    {
      name: `${bundler}: a page and a Web Worker under the strict policy`,
      async run(release) {
        await expectCrop(await build(release, bundler, "A page", "zstd"), strictPolicy());
        await expectCrop(await build(release, bundler, "Web Workers", "zstd"), strictPolicy());
      },
      spoils: [CODE_FROM_STRINGS],
    },
    {
      name: `${bundler}: without WebAssembly LZ4 is read, and zstd refused by name`,
      async run(release) {
        await expectCrop(await build(release, bundler, "A page", "lz4"), withoutWasm);
        await expectCrop(await build(release, bundler, "Web Workers", "lz4"), withoutWasm);
        for (const kind of ["A page", "Web Workers"]) {
          const { shown, errors } = await lookAtPage(await build(release, bundler, kind, "zstd"), withoutWasm);
          expectSame("what the page shows of a zstd file", shown, "");
          const named = errors.some((text) => /zstd/.test(text) && /WebAssembly/.test(text));
          if (!named) throw new Error(`no error names zstd and WebAssembly: ${JSON.stringify(errors)}`);
        }
      },
      spoils: [WASM_AT_ONCE],
    },
  ];
}

/** @type {readonly import("../checks.mjs").Check[]} */
export const allBundleChecks = Object.keys(BUNDLERS).flatMap(bundleChecks);
