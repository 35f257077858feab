/**
 * Builds the documentation site into `site/`: README, documents and API reference by TypeDoc, the viewer's page, and the demo's scan as its live
 * example. Everything but the viewer can be read from the disk (`file://`); the viewer needs a web server, any that serves files.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readNifti } from "../../packages/b2frame/demo/read-nifti.mjs";
import { asarray } from "../../packages/b2frame/dist/index.js";
import { deadLinks } from "./dead-links.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const site = join(root, "site");
/** Stands for the way from a page to the live example, which differs from folder to folder. */
const LIVE = "b2frame-live:";
const LIVE_PAGE = "live/index.html?url=./scan.b2nd&slice=0,12,y0,x0";

/** TypeDoc's own command; its warnings, dead links among them, are errors. */
function generate() {
  const typedoc = join(root, "node_modules/typedoc/bin/typedoc");
  const options = ["--options", "scripts/site/typedoc.config.mjs"];
  const { status } = spawnSync(process.execPath, [typedoc, ...options], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error("TypeDoc failed");
}

/** The viewer's page, and a frame for it. */
function addViewer() {
  const page = join(root, "packages/viewer/page");
  if (!existsSync(join(page, "index.html"))) throw new Error("there is no viewer yet: pnpm run build:page");
  cpSync(page, join(site, "live"), { recursive: true });
  const { shape, data } = readNifti(join(root, "packages/b2frame/demo-data/example4d.nii.gz"));
  asarray(data, {
    shape,
    urlpath: join(site, "live/scan.b2nd"),
    chunks: [1, 24, 96, 128],
    blocks: [1, 6, 32, 32],
    cparams: { codec: "zstd", clevel: 7, filters: ["shuffle", "bytedelta"] },
  }).close();
}

/** @returns {string[]} all pages */
function pages() {
  return readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function linkViewer() {
  for (const page of pages()) {
    const text = readFileSync(page, "utf8");
    if (!text.includes(LIVE)) continue;
    const up = "../".repeat(relative(site, page).split(sep).length - 1);
    // TypeDoc opens what it takes for another site in a new window.
    const live = `href="${up}${LIVE_PAGE.replaceAll("&", "&amp;")}"`;
    writeFileSync(page, text.replaceAll(`href="${LIVE}"`, live));
  }
}

rmSync(site, { recursive: true, force: true });
generate();
addViewer();
linkViewer();
const all = pages();
const dead = deadLinks(site, all);
for (const link of dead) console.error(link);
console.log(`the site: ${all.length} pages in ${pathToFileURL(site)}`);
console.log(`${all.length - new Set(dead.map((link) => link.split(": ")[0])).size} passed, ${dead.length} failed`);
process.exitCode = dead.length === 0 ? 0 : 1;
