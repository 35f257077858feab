// Embeds the WebAssembly module of @bokuweb/zstd-wasm in src/codec/zstd-module.ts, so that there is no file to find, fetch or copy at
// run time, and it can be instantiated synchronously. The names under which the module exports and imports its functions are taken from
// the library's own loader. Does nothing when neither the library nor this script changed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";

/** The functions that src/codec/zstd-library.ts calls, as the library's loader names them. */
const FUNCTIONS = [
  ...["malloc", "free", "ZSTD_isError", "ZSTD_compressBound", "ZSTD_createCCtx", "ZSTD_createDCtx"],
  ...["ZSTD_compress_usingDict", "ZSTD_decompress_usingDict"],
];

const library = dirname(createRequire(import.meta.url).resolve("@bokuweb/zstd-wasm"));
const loader = readFileSync(join(library, "zstd.js"), "utf8");
const binary = readFileSync(join(library, "zstd.wasm"));
const output = new URL("src/codec/zstd-module.ts", import.meta.url);
const hash = createHash("sha256")
  .update(readFileSync(new URL(import.meta.url)))
  .update(loader)
  .update(binary);
const stamp = `// sources ${hash.digest("hex")}`;

/**
 * What `pattern` captures in the loader.
 *
 * @param {string} what
 * @param {RegExp} pattern
 */
function find(what, pattern) {
  const found = pattern.exec(loader)?.[1];
  if (found === undefined) throw new Error(`the loader of @bokuweb/zstd-wasm no longer has ${what}`);
  return found;
}

if (!existsSync(output) || !readFileSync(output, "utf8").includes(stamp)) {
  const exportNames = {
    memory: find("its memory", /wasmMemory = wasmExports\['(\w+)'\]/),
    initialize: find("its initializer", /addOnInit\(wasmExports\['(\w+)'\]\)/),
    ...Object.fromEntries(
      FUNCTIONS.map((name) => [name, find(name, new RegExp(`Module\\['_${name}'\\] = wasmExports\\['(\\w+)'\\]`))]),
    ),
  };
  const growName = find("_emscripten_resize_heap", /(\w+): _emscripten_resize_heap,/);
  const [{ module: importsName }] = WebAssembly.Module.imports(new WebAssembly.Module(binary));
  // Deflated, because base64 hides from a server's gzip what repeats.
  const text = deflateRawSync(binary, { level: 9 }).toString("base64");
  writeFileSync(
    output,
    `${stamp}
/** The compiled zstd of @bokuweb/zstd-wasm, made by embed-zstd.mjs. @module */

/** Bytes of the module. */
export const ZSTD_BYTE_LENGTH: number = ${binary.byteLength};

/** The module, deflated, in base64. */
export const ZSTD_MODULE_BASE64: string =
  "${text}";

/** The name of each export in the module. */
export const ZSTD_EXPORT_NAMES = ${JSON.stringify(exportNames)} as const;

/** Where the module looks for what it imports. */
export const ZSTD_IMPORTS_NAME: string = ${JSON.stringify(importsName)};

/** The import that asks for more memory. */
export const ZSTD_GROW_NAME: string = ${JSON.stringify(growName)};
`,
  );
  process.stdout.write(`zstd: ${binary.byteLength} bytes of WebAssembly, ${text.length} embedded\n`);
}
