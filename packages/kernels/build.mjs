// Compiles assembly/ to WebAssembly and embeds the bytes in src/kernels-wasm.ts. Does nothing when neither the sources nor the
// compiler changed. The same sources give the same bytes on every machine.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";

const LIMIT = 64 * 1024;
const here = new URL("./", import.meta.url);
const assembly = new URL("assembly/", here);
const output = new URL("src/kernels-wasm.ts", here);

// The fixed addresses of assembly/memory-map.ts end below the memory base.
const flags = [
  ...["--runtime", "stub", "-O3", "--converge", "--noAssert"],
  ...["--enable", "simd", "--enable", "bulk-memory", "--memoryBase", "393216", "--initialMemory", "8"],
];

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

if (!existsSync(output) || !readFileSync(output, "utf8").includes(stamp)) {
  let binary;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "kernels.wasm", ...flags], {
    readFile: (name) => sources.get(name) ?? null,
    writeFile: (_name, contents) => {
      binary = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || binary === undefined) {
    process.stderr.write(`${stderr.toString()}\n${error?.message ?? "no output"}\n`);
    process.exit(1);
  }
  if (binary.byteLength >= LIMIT) {
    process.stderr.write(`the kernels take ${binary.byteLength} bytes, the limit is ${LIMIT}\n`);
    process.exit(1);
  }
  // Hexadecimal, because it compresses almost as well as the bytes themselves; base64 hides their repetitions from gzip.
  const hex = Buffer.from(binary).toString("hex");
  writeFileSync(
    output,
    `${stamp}\n/** The compiled kernels, made by build.mjs. @module */\nexport const KERNELS_WASM_HEX: string =\n  "${hex}";\n`,
  );
  process.stdout.write(
    `kernels: ${binary.byteLength} bytes of WebAssembly (${gzipSync(hex).byteLength} embedded, gzipped)\n`,
  );
}
