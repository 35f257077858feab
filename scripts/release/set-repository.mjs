/**
 * `pnpm release:repository URL`: writes where the repository is into the `package.json` of every public package, which npm
 * shows, and holds provenance against.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { publicPackages } from "../packages/public-packages.mjs";

const [address = ""] = process.argv.slice(2);
if (!URL.canParse(address) || new URL(address).protocol !== "https:") {
  console.error("Usage: pnpm release:repository https://HOST/OWNER/NAME");
  process.exit(2);
}
const home = address.replace(/(\.git)?\/?$/, "");
for (const { folder } of publicPackages()) {
  const path = join(folder, "package.json");
  const {
    name,
    version,
    description,
    license,
    repository: _,
    homepage: __,
    bugs: ___,
    ...rest
  } = JSON.parse(readFileSync(path, "utf8"));
  const directory = `packages/${basename(folder)}`;
  const manifest = {
    ...{ name, version, description, license },
    homepage: `${home}#readme`,
    repository: { type: "git", url: `git+${home}.git`, directory },
    bugs: { url: `${home}/issues` },
    ...rest,
  };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
console.log(`${home}: written into ${publicPackages().length} packages; commit them`);
