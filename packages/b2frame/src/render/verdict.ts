/** What was found out about a frame or a store, for people. @module */
import type { VerifyProblem, VerifyReport } from "@b2frame/core";
import type { MemberReport, StoreReport } from "@b2frame/stores";
import pc from "picocolors";
import { printable } from "./printable.js";
import { formatBytes, formatCount } from "./quantities.js";
import { STORE_PLACES } from "./store-view.js";

/** Problems that are printed of a frame or a member; the others are counted. */
const MAX_SHOWN = 20;
/** Members that are printed. */
const MAX_MEMBERS = 100;

/** A line, and below it one for each problem, or for what could not be checked. */
export function renderVerdict(report: VerifyReport | StoreReport): string {
  const { path, ok } = report;
  const isStore = report.kind === "store";
  const left = isStore ? leftoverLines(report) : "";
  if (ok) {
    const what = pc.dim(isStore ? storeFacts(report) : facts(report));
    return `${pc.green("good")}  ${pc.bold(printable(path))}  ${what}\n${left}`;
  }
  const problems = countProblems(report);
  const lines = [...listed(report, path, "      "), ...(isStore ? memberLines(report) : [])].join("");
  const verdict = problems > 0 ? pc.red("BAD ") : pc.yellow("not supported");
  const what = problems > 0 ? formatCount(problems, "problem") : "what could be checked is whole";
  return `${verdict}  ${pc.bold(printable(path))}  ${what}${isStore ? damagedMembers(report) : ""}\n${lines}${left}`;
}

function leftoverLines({ leftovers }: StoreReport): string {
  if (leftovers.length === 0) return "";
  const shown = leftovers.slice(0, MAX_SHOWN).map(printable).join(", ");
  const more = leftovers.length > MAX_SHOWN ? ", ..." : "";
  return `      ${pc.yellow(`left by a writer that was killed, unless one is at work: ${shown}${more}`)}\n`;
}

function countProblems(report: VerifyReport | StoreReport): number {
  const inMembers = report.kind === "store" ? report.members : [];
  return [report, ...inMembers].reduce((sum, { problems }) => sum + problems.length, 0);
}

function damagedMembers({ members }: StoreReport): string {
  const damaged = members.filter(({ problems }) => problems.length > 0).length;
  return damaged === 0 ? "" : `, ${damaged} of ${formatCount(members.length, "member")} damaged`;
}

function memberLines({ path, members }: StoreReport): string[] {
  const unsound = members.filter(({ ok }) => !ok);
  const lines = unsound
    .slice(0, MAX_MEMBERS)
    .map((member) => [`      ${printable(member.key)}\n`, ...listed(member, path, "        ")].join(""));
  const rest = unsound.length - MAX_MEMBERS;
  return rest > 0 ? [...lines, `      and ${formatCount(rest, "more member")}\n`] : lines;
}

function listed(
  { problems, unsupported }: Pick<MemberReport, "problems" | "unsupported">,
  path: string,
  indent: string,
): string[] {
  return [problems, unsupported].flatMap((list) => {
    const shown = list.slice(0, MAX_SHOWN).map((problem) => `${indent}${printable(withoutPath(problem, path))}\n`);
    return list.length > MAX_SHOWN ? [...shown, `${indent}and ${list.length - MAX_SHOWN} more\n`] : shown;
  });
}

/** The file's name stands above already. */
function withoutPath({ message }: VerifyProblem, path: string): string {
  if (message.startsWith(`${path}: `)) return message.slice(path.length + 2);
  return message.startsWith(`${path}/`) ? message.slice(path.length + 1) : message;
}

function facts({ kind, nchunks, nbytes, cbytes, deadBytes, strayBytes, checksums }: VerifyReport): string {
  const parts = [`${kind}, ${formatCount(nchunks, "chunk")}, ${formatBytes(nbytes)} in ${formatBytes(cbytes)}`];
  if (checksums.verified > 0) parts.push(`${formatCount(checksums.verified, "checksum")} right`);
  if (deadBytes > 0) parts.push(`${formatBytes(deadBytes)} superseded`);
  if (strayBytes > 0) parts.push(`${formatBytes(strayBytes)} after its end`);
  return parts.join(", ");
}

function storeFacts({ format, type, members }: StoreReport): string {
  const sum = (field: "nbytes" | "cbytes" | "deadBytes"): number =>
    members.reduce((total, member) => total + member[field], 0);
  const sizes = `${formatBytes(sum("nbytes"))} in ${formatBytes(sum("cbytes"))}`;
  const parts = [`${type} store ${STORE_PLACES[format]}, ${formatCount(members.length, "frame")}, ${sizes}`];
  if (sum("deadBytes") > 0) parts.push(`${formatBytes(sum("deadBytes"))} superseded`);
  return parts.join(", ");
}
