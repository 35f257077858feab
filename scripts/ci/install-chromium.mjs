/** Installs Debian's Chromium unless there is one. @module */
import { execFileSync } from "node:child_process";
import { findChromium } from "../release/find-chromium.mjs";

function isThere() {
  try {
    return findChromium();
  } catch {
    return undefined;
  }
}

if (isThere() === undefined) {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo"];
  for (const words of [["update"], ["install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"]]) {
    const [program = "apt-get", ...args] = [...sudo, "apt-get", ...words];
    execFileSync(program, args, { stdio: "inherit" });
  }
}
console.log(`Chromium: ${findChromium()}`);
