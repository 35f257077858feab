/**
 * Takes pictures of the viewer for people to look at: `node packages/viewer/browser/contact-sheet.mjs FOLDER SHEET` shows frames of FOLDER, one
 * picture each way, and puts them into the folder SHEET.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../../../scripts/release/find-chromium.mjs";

const [folder, sheet] = process.argv.slice(2);
if (folder === undefined || sheet === undefined) throw new Error("usage: contact-sheet.mjs FOLDER SHEET");
/** Long enough for a picture to be there. */
const WAIT_MS = 1000;
const LOOKS = [
  { colorScheme: "light", viewport: { width: 1280, height: 860 } },
  { colorScheme: "dark", viewport: { width: 400, height: 860 } },
];
const TABS = ["data", "info", "chunks", "stats"];

mkdirSync(sheet, { recursive: true });
const program = new URL("../../b2frame/dist/main.js", import.meta.url).pathname;
const server = spawn(process.execPath, [program, "view", folder, "--no-open"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const address = await new Promise((resolve, reject) => {
  let text = "";
  server.once("exit", (code) => reject(new Error(`b2frame view ended with ${code}`)));
  server.stdout.on("data", (part) => {
    text += part;
    const found = /http:\S+/.exec(text)?.[0];
    if (found !== undefined) resolve(found);
  });
});
const browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 });
for (const look of LOOKS) {
  const page = await (await browser.newContext(look)).newPage();
  await page.goto(address);
  const { files } = await page.evaluate(async () => (await fetch("session.json")).json());
  for (const [i, { path }] of files.entries()) {
    for (const tab of TABS) {
      await page.goto(`${new URL(address).origin}/?path=${encodeURIComponent(path)}&tab=${tab}`);
      await page.waitForTimeout(WAIT_MS);
      await page.screenshot({ path: join(sheet, `${i}-${tab}-${look.colorScheme}.png`) });
    }
  }
}
await browser.close();
server.removeAllListeners("exit");
server.kill("SIGINT");
