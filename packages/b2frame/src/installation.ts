/** What this installation runs on: `b2frame --version --verbose`. @module */
import { defaultEngine } from "@b2frame/core/codec";
import { codecLibraries } from "@b2frame/node-codecs";
import { packageVersion } from "./package-version.js";

/** The versions of this package and of Node, the engine, and where zlib and zstd come from; a line each. */
export function describeInstallation(): string {
  const rows: (readonly [string, string])[] = [
    ["b2frame", packageVersion()],
    ["node", `${process.versions.node} ${process.platform} ${process.arch}`],
    ["engine", defaultEngine().name],
  ];
  for (const { codec, library, passedOver } of codecLibraries()) {
    const others = passedOver.map(({ origin, reason }) => `${origin}: ${reason}`).join("; ");
    rows.push([codec, others === "" ? library : `${library} (not ${others})`]);
  }
  return rows.map(([name, value]) => `${name.padEnd(8)} ${value}\n`).join("");
}
