/** The JSON report. @module */
import { writeFileSync } from "node:fs";
import type { Environment } from "../environment.js";
import type { Result } from "../result.js";

/** What the JSON and HTML reports hold. */
export interface Report {
  readonly environment: Environment;
  readonly results: readonly Result[];
}

export function writeJson(path: string, report: Report): void {
  writeFileSync(path, `${JSON.stringify(report, undefined, 2)}\n`);
}
