/** Which frames a store has to be checked, and how much there is of each. @module */
import { FormatError, UnsupportedError, type VerifyOptions } from "@b2frame/core";
import { FILE_HEAD_LENGTH, fileKindOf, openChecked, ProblemList } from "@b2frame/core/backend";
import type { EmbeddedMembers } from "../embedded-members.js";
import { EMBED_NAME, isMemberName, type MemberFiles } from "../member-files.js";
import { keyOfFile } from "../store-key.js";
import { bytesInMemory, checkBytes, checkFile, reportOf } from "./check-member.js";
import type { MemberReport } from "./store-report.js";

/** One check, and the stored bytes that it goes over. */
export interface Step {
  readonly byteLength: number;
  /** Gives a report for what is a member. */
  readonly check: (options: VerifyOptions) => MemberReport | undefined;
}

/** How many bytes a file has, and whether it begins as a frame does. */
interface Glance {
  readonly byteLength: number;
  readonly isFrame: boolean;
}

function glanceAt(files: MemberFiles, name: string): Glance {
  const { backend, path, offset, byteLength, close } = files.bytesOf(name);
  try {
    const handle = openChecked(backend, path, "r");
    try {
      const head = handle.read(offset, Math.min(byteLength, FILE_HEAD_LENGTH));
      return { byteLength, isFrame: fileKindOf(head) === "frame" };
    } finally {
      handle.close();
    }
  } finally {
    close();
  }
}

/**
 * The files of a store, but for the one with the map of keys.
 *
 * @param around takes what is wrong beside the members.
 */
export function planFiles(path: string, files: MemberFiles, names: readonly string[], around: ProblemList): Step[] {
  const byKey = new Map<string, string>();
  return names.flatMap((name): Step[] => {
    if (name === EMBED_NAME) return [];
    const named = isMemberName(name);
    // What keeps a member from being looked at comes up again, with its place, when it is checked.
    const glance = (named ? new ProblemList() : around).attempt("file", () => glanceAt(files, name));
    if (!named && glance === undefined) return [];
    const byteLength = glance?.byteLength ?? 0;
    if (!named && glance?.isFrame === false) {
      return [{ byteLength, check: () => void files.verify?.(name, around) }];
    }
    requireOneFile(path, byKey, name, around);
    return [{ byteLength, check: (options) => checkMemberFile(files, name, options) }];
  });
}

function checkMemberFile(files: MemberFiles, name: string, options: VerifyOptions): MemberReport {
  const problems = new ProblemList();
  const frame = checkFile(files, name, problems, options);
  return reportOf({ key: keyOfFile(name), storage: "file", problems }, frame);
}

function requireOneFile(path: string, byKey: Map<string, string>, name: string, around: ProblemList): void {
  const key = keyOfFile(name);
  const other = byKey.get(key);
  byKey.set(key, name);
  if (other === undefined) return;
  around.attempt("store", () => {
    const facts = { structure: `member "${key}"`, field: "files", expected: "one", found: `${other} and ${name}` };
    throw new FormatError("BLOSC2_FORMAT_INVALID", { path, position: 0, ...facts });
  });
}

/** The members inside the frame with the map of keys. */
export function planEmbedded(path: string, embedded: EmbeddedMembers): Step[] {
  return [...embedded.entries].map(([key, entry]): Step => {
    if ("urlbase" in entry) return { byteLength: 0, check: () => reportAddress(path, key, entry) };
    const check = (options: VerifyOptions): MemberReport => {
      const problems = new ProblemList();
      const frame = checkBytes(problems, () => bytesInMemory(embedded.bytesOf(entry), `${path}${key}`), options);
      return reportOf({ key, storage: "embedded", problems }, frame);
    };
    return { byteLength: entry.length, check };
  });
}

function reportAddress(
  path: string,
  key: string,
  address: { readonly urlbase: string; readonly path: string },
): MemberReport {
  const problems = new ProblemList();
  problems.attempt("member", () => {
    const where = `${address.urlbase}/${address.path}`;
    const message = `${path}: member "${key}" is an address, ${where}, and what is there is not looked at`;
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", message, { feature: "remote-array", path, member: key });
  });
  return reportOf({ key, storage: "address", problems }, undefined);
}
