/** What was found out about a frame, for people. @module */
import type { VerifyProblem, VerifyReport } from "@b2frame/core";
import pc from "picocolors";
import { printable } from "./printable.js";
import { formatBytes, formatCount } from "./quantities.js";

/** Problems that are printed; the others are counted. */
const MAX_SHOWN = 20;

/** A line, and below it one for each problem, or for what could not be checked. */
export function renderVerdict(report: VerifyReport): string {
  const { path, ok, problems, unsupported } = report;
  const name = pc.bold(printable(path));
  if (ok) return `${pc.green("good")}  ${name}  ${pc.dim(facts(report))}\n`;
  const lines = [...listed(problems, path), ...listed(unsupported, path)].join("");
  if (problems.length === 0) return `${pc.yellow("not supported")}  ${name}  what could be checked is whole\n${lines}`;
  return `${pc.red("BAD ")}  ${name}  ${formatCount(problems.length, "problem")}\n${lines}`;
}

function listed(problems: readonly VerifyProblem[], path: string): string[] {
  const shown = problems.slice(0, MAX_SHOWN).map(({ message }) => `      ${printable(withoutPath(message, path))}\n`);
  return problems.length > MAX_SHOWN ? [...shown, `      and ${problems.length - MAX_SHOWN} more\n`] : shown;
}

/** The file's name stands above already. */
function withoutPath(message: string, path: string): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}

function facts({ kind, nchunks, nbytes, cbytes, deadBytes, strayBytes, checksums }: VerifyReport): string {
  const parts = [`${kind}, ${formatCount(nchunks, "chunk")}, ${formatBytes(nbytes)} in ${formatBytes(cbytes)}`];
  if (checksums.verified > 0) parts.push(`${formatCount(checksums.verified, "checksum")} right`);
  if (deadBytes > 0) parts.push(`${formatBytes(deadBytes)} superseded`);
  if (strayBytes > 0) parts.push(`${formatBytes(strayBytes)} after its end`);
  return parts.join(", ");
}
