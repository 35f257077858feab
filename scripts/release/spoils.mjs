/** Ways to break the packages that several checks must notice. @module */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The last line of what the compiler writes is a comment without an end.
 *
 * @param {string} folder
 * @param {string} path
 * @param {string} code
 */
function append(folder, path, code) {
  appendFileSync(join(folder, path), `\n${code}\n`);
}

/** What a check says that looked at values and found wrong ones. */
const OTHER_VALUES = /expected .*, found /s;

/** @type {import("./release.mjs").Spoil} */
export const WRONG_VALUES = {
  name: "wrong values",
  package: "@b2frame/core",
  change: (folder) =>
    whenLoaded(folder, 'Object.defineProperty(NDBuffer.prototype, "data", { get: () => Int32Array.of(1, 2, 3) });'),
  expects: OTHER_VALUES,
};

/** @type {import("./release.mjs").Spoil} */
export const TOP_LEVEL_AWAIT = {
  name: "a top-level await",
  package: "@b2frame/core",
  change: (folder) => append(folder, "dist/index.js", "await 0;"),
  expects: /ERR_REQUIRE_ASYNC_MODULE|top-level await|async module/i,
};

/** @type {import("./release.mjs").Spoil} */
export const WRONG_TYPES = {
  name: "a type that is not declared",
  package: "@b2frame/core",
  change: (folder) => {
    for (const entry of ["index", "read"]) {
      append(folder, `dist/${entry}.d.ts`, "export declare const spoiled: NotDeclared;");
    }
  },
  expects: /TS2304: Cannot find name 'NotDeclared'/,
};

/**
 * Runs code when the module is loaded that bundles of the reading entry can't leave out.
 *
 * @param {string} folder
 * @param {string} code
 */
function whenLoaded(folder, code) {
  append(folder, "dist/values/nd-buffer.js", code);
}

/** @type {import("./release.mjs").Spoil} */
export const NODE_BUILT_IN = {
  name: "a built-in module of Node",
  package: "@b2frame/core",
  change: (folder) => whenLoaded(folder, 'import { openSync } from "node:fs";\nopenSync("spoiled");'),
  expects: /node:fs|openSync/,
};

/** @type {import("./release.mjs").Spoil} */
export const CODE_FROM_STRINGS = {
  name: "code from strings",
  package: "@b2frame/core",
  change: (folder) => whenLoaded(folder, 'globalThis.spoiled = new Function("return 1")();'),
  expects: /unsafe-eval|EvalError|Content Security Policy/i,
};

/** @type {import("./release.mjs").Spoil} */
export const WASM_AT_ONCE = {
  name: "WebAssembly that is compiled at once",
  package: "@b2frame/core",
  change: (folder) =>
    whenLoaded(folder, "globalThis.spoiled = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));"),
  expects: /WebAssembly/,
};

/**
 * Changes a manifest.
 *
 * @param {string} folder
 * @param {(manifest: Record<string, any>) => Record<string, unknown>} changed
 */
export function changeManifest(folder, changed) {
  const path = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...manifest, ...changed(manifest) }));
}

/** @type {import("./release.mjs").Spoil} */
export const NO_COMMAND = {
  name: "no command",
  package: "b2frame",
  change: (folder) => changeManifest(folder, () => ({ bin: undefined })),
  expects: /b2frame/,
};
