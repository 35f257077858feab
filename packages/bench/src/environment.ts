/** Where and with what a run was made. @module */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { arch, cpus, release, totalmem } from "node:os";
import type { Effort } from "./run-trial.js";

/** What a report says beside the results. */
export interface Environment {
  readonly date: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    /** Type of the file system under the benchmark's files. */
    readonly fileSystem: string;
    /** Processes that wanted a core in the minute before, when the run began. */
    readonly loadAverage: number;
  };
  /** Node's version. */
  readonly node: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly parameters: {
    readonly codec: string;
    readonly clevel: number;
    readonly filters: readonly string[];
    readonly mib: number;
    readonly cache: "warm";
    readonly engine: string;
  } & Effort;
  /** Peers that did not take part, and why. */
  readonly absentPeers: Readonly<Record<string, string>>;
}

/** The version of a package, by the `package.json` next above its main module. */
export function packageVersion(name: string): string {
  let folder = new URL(".", import.meta.resolve(name));
  while (!existsSync(new URL("package.json", folder))) folder = new URL("..", folder);
  const { version } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as { version: string };
  return version;
}

function loadAverage(): number {
  try {
    return Number(readFileSync("/proc/loadavg", "utf8").split(" ")[0]);
  } catch {
    return Number.NaN;
  }
}

function fileSystemType(folder: string): string {
  try {
    return execFileSync("stat", ["--file-system", "--format=%T", folder], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

/** The machine that this runs on. */
export function describeMachine(folder: string): Environment["machine"] {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${arch()}`,
    fileSystem: fileSystemType(folder),
    loadAverage: loadAverage(),
  };
}
