/** A page in Chromium, as a person's browser would show it. @module */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { findChromium } from "./find-chromium.mjs";
import { installTool, PLAYWRIGHT } from "./tools.mjs";

const MEDIA_TYPES = { ".html": "text/html", ".js": "text/javascript" };
/** Far above what a page takes to read a small file. */
const TIMEOUT_MS = 20_000;

let browser;

async function launch() {
  const playwright = createRequire(join(await installTool(PLAYWRIGHT), "package.json"))("playwright-core");
  // Chromium has no sandbox for root.
  return playwright.chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 });
}

/** Ends the browser, if there is one. */
export async function closeChromium() {
  await (await browser)?.close();
}

/**
 * Serves a folder.
 *
 * @param {string} folder
 * @param {string | undefined} policy for every answer
 */
async function serve(folder, policy) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    try {
      const content = readFileSync(join(folder, path === "/" ? "index.html" : path));
      const type = MEDIA_TYPES[extname(path === "/" ? ".html" : path)] ?? "application/octet-stream";
      response.writeHead(200, {
        "content-type": path === "/" ? MEDIA_TYPES[".html"] : type,
        ...(policy === undefined ? {} : { "content-security-policy": policy }),
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/**
 * Opens the page of a folder and waits until it shows something or fails.
 *
 * @param {string} folder
 * @param {string} [policy] a Content-Security-Policy
 * @returns {Promise<{ shown: string, errors: string[] }>} what `#crop` shows, and what the page and its Workers report
 */
export async function lookAtPage(folder, policy) {
  browser ??= launch();
  const page = await (await browser).newPage();
  const server = await serve(folder, policy);
  const errors = [];
  try {
    const failed = new Promise((done) => {
      page.on("pageerror", (error) => {
        errors.push(`${error.name}: ${error.message}`);
        done();
      });
    });
    page.on("console", (message) => {
      if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico")) errors.push(message.text());
    });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    // Not by a function that is made in the page: a strict policy forbids it, and the error would be the tool's own.
    const shown = page.waitForSelector("#crop:not(:empty)", { state: "attached", timeout: TIMEOUT_MS });
    await Promise.race([shown, failed]).catch((error) => errors.push(error.message));
    return { shown: await page.textContent("#crop"), errors };
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
