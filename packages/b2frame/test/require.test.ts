/** CommonJS programs: every package comes through `require`, which a top-level `await` anywhere below it would prevent. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
}

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
const B2FRAME = join(PACKAGES, "b2frame");

const manifests = readdirSync(PACKAGES)
  .map((folder): [string, Manifest] => [
    join(PACKAGES, folder),
    JSON.parse(readFileSync(join(PACKAGES, folder, "package.json"), "utf8")),
  ])
  .filter(([, { private: isPrivate }]) => isPrivate !== true);

function runCommonJs(cwd: string, program: string): string {
  return execFileSync(process.execPath, ["--input-type=commonjs", "--no-warnings", "--eval", program], {
    cwd,
    encoding: "utf8",
  });
}

describe("require", () => {
  it.each(manifests)("of all entries in %s", (folder, { name, exports }) => {
    // The program of a worker gives nothing, but must load.
    const entries = Object.keys(exports).map((key) => `${name}${key.slice(1)}`);
    const program = `for (const entry of ${JSON.stringify(entries)}) console.log(Object.keys(require(entry)).length > 0 || entry.endsWith("-worker"))`;
    expect(runCommonJs(folder, program)).toBe("true\n".repeat(entries.length));
  });

  it("gives a package whose first call may already use zstd", () => {
    const path = join(temporaryFolder(), "a.b2nd");
    const program = `
      const { asarray, openArray } = require("b2frame");
      const values = Float32Array.from({ length: 1000 }, (_, i) => i);
      asarray(values, { urlpath: ${JSON.stringify(path)}, cparams: { codec: "zstd" } }).close();
      console.log(openArray(${JSON.stringify(path)}).getSlice([998], [1000]).data.join());
    `;
    expect(runCommonJs(B2FRAME, program)).toBe("998,999\n");
  });
});
