/** The Python environment with python-blosc2 in it. @module */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../.venv", import.meta.url));
const requirements = fileURLToPath(new URL("../python/requirements.txt", import.meta.url));

/**
 * The Python that has the pinned python-blosc2: the one that `B2FRAME_PYTHON` names, else that of a virtual environment
 * which is made on first use and kept.
 */
export function pythonWithBlosc2(): string {
  if (process.env.B2FRAME_PYTHON !== undefined) return process.env.B2FRAME_PYTHON;
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const marker = join(folder, "installed-requirements.txt");
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return python;
  console.error("making a Python environment with blosc2 ...");
  execFileSync("python3", ["-m", "venv", "--clear", folder], { stdio: ["ignore", "ignore", "inherit"] });
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
  execFileSync(python, install, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(marker, wanted);
  return python;
}
