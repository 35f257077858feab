/** Where Chromium is on this machine. @module */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const VARIABLE = "B2FRAME_CHROMIUM";
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/**
 * Where Chromium is: what the variable says, or the first on the PATH.
 *
 * @returns {string}
 */
export function findChromium() {
  const said = process.env[VARIABLE];
  if (said !== undefined) return said;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      try {
        const path = join(folder, name);
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // The next place.
      }
    }
  }
  throw new Error(`no Chromium: none of ${NAMES.join(", ")} is on the PATH; set ${VARIABLE} to its path`);
}
