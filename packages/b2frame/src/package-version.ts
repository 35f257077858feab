/** This package's version. @module */
import { readFileSync } from "node:fs";

/** The version that `package.json` states. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) return String(manifest.version);
  return "unknown";
}
