/** Bundles the page out of what tsc made, into `page/`. @module */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Gzipped bytes that the page may have, kernels and zstd among them. */
const LIMIT = 250 * 1024;

const root = fileURLToPath(new URL(".", import.meta.url));
await build({
  root,
  base: "./",
  configFile: false,
  logLevel: "warn",
  worker: { format: "es" },
  build: { outDir: "page", emptyOutDir: true, target: "es2022", modulePreload: false, assetsInlineLimit: 0 },
});

const page = join(root, "page");
const files = readdirSync(page, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const size = files.reduce((sum, { parentPath, name }) => {
  return sum + gzipSync(readFileSync(join(parentPath, name)), { level: 9 }).byteLength;
}, 0);
console.log(`the page: ${size} bytes gzipped (at most ${LIMIT})`);
if (size > LIMIT) throw new Error(`the page has ${size} bytes gzipped; at most ${LIMIT} are allowed`);
