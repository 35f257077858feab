/** The command, started by `npx` in a folder in which b2frame is installed. @module */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectSame } from "../expect.mjs";
import { run } from "../run-program.mjs";
import { NO_COMMAND } from "../spoils.mjs";

/**
 * @param {import("../release.mjs").Release} release
 * @param {string} line what follows `npx b2frame`
 */
async function command(release, line) {
  const cwd = await release.everything();
  return run("npx", ["--no", "--", "b2frame", ...line.split(" ")], { cwd });
}

/** @type {readonly import("../checks.mjs").Check[]} */
export const commandChecks = [
  {
    name: "npx b2frame --version",
    quick: true,
    run: async (release) =>
      expectSame("the version", await command(release, "--version"), `${release.manifest("b2frame").version}\n`),
    spoils: [NO_COMMAND],
  },
  {
    name: "npx b2frame pack, info, verify, unpack",
    quick: true,
    async run(release) {
      const folder = await release.everything();
      const numbers = Buffer.from(Float64Array.from({ length: 100_000 }, (_, i) => Math.sin(i / 100)).buffer);
      writeFileSync(join(folder, "in.f64"), numbers);
      await command(release, "pack in.f64 numbers.b2frame --typesize 8 --codec zstd");
      const { nbytes } = JSON.parse(await command(release, "info numbers.b2frame --json"));
      expectSame("the size that info tells", nbytes, numbers.byteLength);
      await command(release, "verify numbers.b2frame");
      await command(release, "unpack numbers.b2frame out.f64");
      expectSame("the file is back", readFileSync(join(folder, "out.f64")).equals(numbers), true);
    },
    spoils: [NO_COMMAND],
  },
];
