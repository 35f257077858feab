/** Writes the manual page that the package brings along: what `b2frame help --man` prints. @module */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("dist/main.js", import.meta.url));
writeFileSync(
  new URL("dist/b2frame.1", import.meta.url),
  execFileSync(process.execPath, [command, "help", "--man"], { maxBuffer: 2 ** 24 }),
);
