/** How many files this process may have open. @module */
import { readFileSync } from "node:fs";

/** Taken where the system does not tell: no POSIX limit, as on Windows, or none that can be found out. */
export const UNKNOWN_OPEN_FILE_LIMIT = 1024;

const MAX_LIMIT = 2 ** 31 - 1;

/** The soft limit in the text of `/proc/self/limits`. */
export function parseProcLimits(text: string): number | undefined {
  const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1];
  if (soft === "unlimited") return MAX_LIMIT;
  return soft !== undefined && /^\d+$/.test(soft) ? Math.min(Number(soft), MAX_LIMIT) : undefined;
}

function limitFromProc(): number | undefined {
  try {
    return parseProcLimits(readFileSync("/proc/self/limits", "utf8"));
  } catch {
    return undefined; // Not Linux.
  }
}

/** The shape of what Node's diagnostic report says about limits. */
interface ReportedLimits {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | "unlimited" } };
}

function limitFromReport(): number | undefined {
  const report = process.report?.getReport() as ReportedLimits | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  if (soft === "unlimited") return MAX_LIMIT;
  return typeof soft === "number" ? Math.min(soft, MAX_LIMIT) : undefined;
}

/** The soft limit on open files: from `/proc`, else from Node's diagnostic report, else {@link UNKNOWN_OPEN_FILE_LIMIT}. */
export function softOpenFileLimit(): number {
  return limitFromProc() ?? limitFromReport() ?? UNKNOWN_OPEN_FILE_LIMIT;
}
