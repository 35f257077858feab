// Compiles assembly/ to WebAssembly and embeds the bytes in src/*-wasm.ts: the kernels, the same kernels for memory that threads share, and
// the zstd and inflate decoders as modules of their own; programs load only those that they need. Does nothing when neither the sources nor
// the compiler changed. The same sources give the same bytes on every machine.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";

const here = new URL("./", import.meta.url);
const assembly = new URL("assembly/", here);

// The fixed addresses of a module's memory map end below its memory base.
const MODULES = [
  { name: "kernels", entry: "index.ts", constant: "KERNELS_WASM_HEX", memoryBase: 393216, limit: 64 * 1024 },
  {
    name: "shared-kernels",
    entry: "index.ts",
    constant: "SHARED_KERNELS_WASM_HEX",
    memoryBase: 393216,
    limit: 64 * 1024,
    shared: true,
  },
  { name: "zstd", entry: "zstd-index.ts", constant: "ZSTD_WASM_HEX", memoryBase: 163840, limit: 16 * 1024 },
  { name: "inflate", entry: "inflate-index.ts", constant: "INFLATE_WASM_HEX", memoryBase: 23552, limit: 8 * 1024 },
];
const FLAGS = [
  ...["--runtime", "stub", "-O3", "--converge", "--noAssert"],
  ...["--enable", "simd", "--enable", "bulk-memory", "--initialMemory", "8"],
];

// Several instances in one memory: it comes from outside, and so does the address at which each one's memory map begins.
const SHARED_FLAGS = ["--enable", "threads", "--importMemory", "--sharedMemory", "--maximumMemory", "65536"];
const BASE = /const BASE: usize = 0;/;
const IMPORTED_BASE = '@external("env", "base")\ndeclare const BASE: usize;';

const sources = new Map();
for (const name of readdirSync(assembly).sort()) {
  if (!name.endsWith(".ts")) continue;
  // The compiler wants a decorator, TypeScript's tools know none on functions: a tag of the comment before it becomes one.
  const text = readFileSync(new URL(name, assembly), "utf8").replace(
    /@inline\s*\*\/(?=\n(?:export )?function )/g,
    "*/ @inline",
  );
  sources.set(name, text);
}
const hash = createHash("sha256")
  .update(asc.version)
  .update(readFileSync(new URL(import.meta.url)));
for (const [name, text] of sources) hash.update(name).update("\0").update(text).update("\0");
const stamp = `// sources ${hash.digest("hex")}`;

/** A source as a module needs it. */
function sourceFor(file, shared) {
  const text = sources.get(file) ?? null;
  return shared && file === "memory-map.ts" ? text.replace(BASE, IMPORTED_BASE) : text;
}

for (const { name, entry, constant, memoryBase, limit, shared = false } of MODULES) {
  const output = new URL(`src/${name}-wasm.ts`, here);
  if (existsSync(output) && readFileSync(output, "utf8").includes(stamp)) continue;
  let binary;
  const { error, stderr } = await asc.main(
    [entry, "--outFile", `${name}.wasm`, ...FLAGS, ...(shared ? SHARED_FLAGS : []), "--memoryBase", `${memoryBase}`],
    {
      readFile: (file) => sourceFor(file, shared),
      writeFile: (_file, contents) => {
        binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) {
    process.stderr.write(`${stderr.toString()}\n${error?.message ?? "no output"}\n`);
    process.exit(1);
  }
  if (binary.byteLength >= limit) {
    process.stderr.write(`${name}: the module takes ${binary.byteLength} bytes, the limit is ${limit}\n`);
    process.exit(1);
  }
  // Hexadecimal, because it compresses almost as well as the bytes themselves; base64 hides their repetitions from gzip.
  const hex = Buffer.from(binary).toString("hex");
  writeFileSync(
    output,
    `${stamp}\n/** A compiled module (${name}), made by build.mjs. @module */\nexport const ${constant}: string =\n  "${hex}";\n`,
  );
  process.stdout.write(
    `${name}: ${binary.byteLength} bytes of WebAssembly (${gzipSync(hex).byteLength} embedded, gzipped)\n`,
  );
}
