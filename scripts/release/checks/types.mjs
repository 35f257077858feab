/** The types of all entries, under each resolution and each line of TypeScript, the declarations themselves being checked. @module */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../run-program.mjs";
import { WRONG_TYPES } from "../spoils.mjs";
import { NODE_TYPES, TYPESCRIPT_VERSIONS } from "../tools.mjs";

/** The module format that goes with each resolution. */
const RESOLUTIONS = { node16: "node16", nodenext: "nodenext", bundler: "esnext" };
/** From here on `require` of an ES module has types. */
const REQUIRE_SINCE = [5, 8];

/** A Node program. The directives make sure that types are what they are, and not `any`. */
const NODE_PROGRAM = `
import { asarray, type NDArray, openArray, rowStream, Store } from "b2frame";
import { readAll } from "b2frame/workers";

using array: NDArray = openArray("a.b2nd", { io: "mmap" });
export const shape: readonly number[] = array.getSlice([0], [1]).shape;
// @ts-expect-error a shape is no string
export const wrong: string = array.shape;
export const bytes: Promise<Uint8Array> = readAll("a.b2nd", { workers: 2 });
export const sink: NodeJS.WritableStream = rowStream(asarray([1, 2]));
export const isStore = (value: unknown): value is Store => value instanceof Store;
`;

/** A page, which has no types of Node. */
const PAGE_PROGRAM = `
import { asarray } from "@b2frame/core";
import { openArrayReader } from "@b2frame/core/read";
import { registerZstd } from "@b2frame/core/zstd";
import { registerPlugins } from "@b2frame/core/plugins";
import { CodecRegistry } from "@b2frame/core/codec";
import { checkHandle } from "@b2frame/core/backend";
import { openRemoteArray } from "@b2frame/remote";

using reader = openArrayReader(asarray([1, 2]).toCframe());
export const shape: readonly number[] = reader.getSlice().shape;
// @ts-expect-error a reader has nothing to write with
reader.append;
export const rest = [registerZstd, registerPlugins, CodecRegistry, checkHandle, openRemoteArray];
`;

const REQUIRE_PROGRAM = `
import b2frame = require("b2frame");
export const shape: readonly number[] = b2frame.zeros([1]).shape;
`;

/** @param {string} version */
function typesRequire(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > REQUIRE_SINCE[0] || (major === REQUIRE_SINCE[0] && minor >= REQUIRE_SINCE[1]);
}

/**
 * Imports every entry of every package.
 *
 * @param {import("../release.mjs").Release} release
 */
function everyEntry(release) {
  const entries = release.names.flatMap((name) =>
    Object.keys(release.manifest(name).exports)
      .filter((key) => key !== "./package.json")
      .map((key) => `${name}${key.slice(1)}`),
  );
  const imports = entries.map((entry, i) => `import * as e${i} from "${entry}";`);
  return `${imports.join("\n")}\nexport const all = [${entries.map((_, i) => `e${i}`).join()}];\n`;
}

/**
 * @param {string} version
 * @param {keyof typeof RESOLUTIONS} moduleResolution
 * @param {boolean} quick
 * @returns {import("../checks.mjs").Check}
 */
function typeCheck(version, moduleResolution, quick) {
  return {
    name: `types: TypeScript ${version}, ${moduleResolution}`,
    quick,
    async run(release) {
      const also = [NODE_TYPES, `typescript@${version}`];
      const folder = await release.app(`typescript-${version}`, { packages: release.names, also });
      const projects = {
        node: {
          lib: ["ES2022"],
          types: ["node"],
          files: { "program.ts": NODE_PROGRAM, "every.ts": everyEntry(release) },
        },
        page: { lib: ["ES2022", "DOM"], types: [], files: { "page.ts": PAGE_PROGRAM } },
      };
      if (moduleResolution === "nodenext" && typesRequire(version))
        projects.node.files["require.cts"] = REQUIRE_PROGRAM;
      for (const [project, { lib, types, files }] of Object.entries(projects)) {
        const home = join(folder, `${project}-${moduleResolution}`);
        mkdirSync(home);
        for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
        const compilerOptions = {
          ...{ lib, types, moduleResolution, module: RESOLUTIONS[moduleResolution], target: "ES2022" },
          ...{ strict: true, skipLibCheck: false, noEmit: true },
        };
        writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
        const tsc = join(folder, "node_modules/typescript/bin/tsc");
        await run(process.execPath, [tsc, "--pretty", "false", "--project", home], { cwd: folder });
      }
    },
    spoils: [WRONG_TYPES],
  };
}

/** The oldest, which notices types that it does not know yet, and the one that b2frame itself is compiled with. */
const QUICK = [TYPESCRIPT_VERSIONS[0], "6.0.3"];

/** @type {readonly import("../checks.mjs").Check[]} */
export const typeChecks = TYPESCRIPT_VERSIONS.flatMap((version) =>
  Object.keys(RESOLUTIONS).map((resolution) =>
    typeCheck(version, resolution, QUICK.includes(version) && resolution === "nodenext"),
  ),
);
