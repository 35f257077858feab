/** Finding out whether a store is whole. @module */
import {
  type IoBackend,
  SChunk,
  UnsupportedError,
  type VerifyOptions,
  type VerifyReport,
  verifyFrame,
} from "@b2frame/core";
import { ProblemList } from "@b2frame/core/backend";
import { DirectoryMembers } from "../directory-members.js";
import { EmbeddedMembers } from "../embedded-members.js";
import { EMBED_NAME, isMemberName, type MemberFiles } from "../member-files.js";
import { formatAt, openFiles, requireMap, typeOf } from "../open-store.js";
import type { StoreFormat, StoreType } from "../store-options.js";
import { checkFile } from "./check-member.js";
import { planEmbedded, planFiles, type Step } from "./plan-members.js";
import type { MemberReport, StoreReport, StoreVerifyOptions } from "./store-report.js";

/** What all parts of a check share. */
interface StoreCheck {
  readonly path: string;
  readonly backend: IoBackend;
  readonly format: StoreFormat;
  readonly options: StoreVerifyOptions;
  /** Absent in a `.b2e`, and where they can't be listed. */
  readonly files: MemberFiles | undefined;
  readonly problems: ProblemList;
}

/**
 * Checks a store: each member's frame as `verifyFrame` does, the frame with the map of keys and what is embedded in it; of a `.b2z` also
 * its list of members, their local headers, and the CRC-32 of all of them. Nothing is changed.
 *
 * What is wrong with the store is in the report; an error is thrown only for what kept it from being looked at.
 *
 * @throws IoError, `BLOSC2_IO_NOT_FOUND` if nothing is there; Blosc2Error `BLOSC2_ABORTED`; UnsupportedError for a ZIP file of something
 * else, and for a directory on a backend that has none; FormatError for a file of another kind.
 * @example
 * ```ts
 * const report = verifyStore("run.b2z", stdio());
 * for (const { key, problems } of report.members) for (const { message } of problems) console.error(key, message);
 * ```
 */
export function verifyStore(path: string, backend: IoBackend, options: StoreVerifyOptions = {}): StoreReport {
  const problems = new ProblemList();
  const format = formatAt(path, backend);
  const files =
    format === "b2e" ? undefined : problems.attempt("store", () => openFiles(format, path, backend, options, true));
  const check: StoreCheck = { path, backend, format, options, files, problems };
  try {
    const looked = format === "b2e" || files !== undefined ? checkAll(check) : { members: [] };
    const { unsupported } = problems;
    const ok = problems.problems.length + unsupported.length === 0 && looked.members.every((member) => member.ok);
    const leftovers =
      format === "b2d" ? (problems.attempt("store", () => new DirectoryMembers(path, backend).leftovers()) ?? []) : [];
    return { path, kind: "store", format, ...looked, leftovers, ok, problems: problems.problems, unsupported };
  } finally {
    files?.discard();
  }
}

function checkAll(check: StoreCheck): Pick<StoreReport, "type" | "members"> {
  const { path, files, problems } = check;
  const names = files === undefined ? [] : (problems.attempt("store", () => files.names()) ?? []);
  if (check.format === "b2z" && !names.some(isMemberName)) {
    const message = `${path}: is a ZIP file without Blosc2 frames in it, and so no store`;
    throw new UnsupportedError("BLOSC2_UNSUPPORTED", message, { feature: "other ZIP files", path });
  }
  const steps = files === undefined ? [] : planFiles(path, files, names, problems);
  const opening = new ProblemList();
  using schunk = opening.attempt("store", () => openMap(check));
  const type = schunk && opening.attempt("store", () => typeOfMap(check, schunk));
  const embedded = schunk && opening.attempt("store", () => new EmbeddedMembers(schunk, path));
  if (embedded !== undefined) steps.push(...planEmbedded(path, embedded));
  const hasMap = files === undefined || names.includes(EMBED_NAME);
  const map = new ProblemList();
  const mapLength = hasMap ? (schunk?.cbytes ?? 0) : 0;
  const checkMapFrame = (options: VerifyOptions): undefined => {
    if (hasMap) checkMap(check, map, options);
  };
  const members = runSteps([{ byteLength: mapLength, check: checkMapFrame }, ...steps], check.options);
  // What keeps the frame from being opened has come up with its place when it was checked, unless it is sound and says nonsense.
  const ofMap = map.problems.length > 0 ? map : opening;
  for (const problem of [...ofMap.problems, ...map.unsupported]) problems.add(problem);
  return { type, members: members.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)) };
}

function openMap({ path, backend, files, options }: StoreCheck): SChunk {
  const { engine, codecs, filters, limits } = options;
  const opening = { engine, codecs, filters, limits, mode: "r", recipes: "describe" } as const;
  if (files === undefined) return SChunk.open(path, backend, opening);
  requireMap(path, files);
  return files.open(EMBED_NAME, opening);
}

function typeOfMap({ path, format, files }: StoreCheck, schunk: SChunk): StoreType {
  return typeOf(schunk, path, files === undefined ? "frame header" : `frame header of "${EMBED_NAME}"`, format);
}

/** Checks the frame with the map of keys. */
function checkMap({ path, backend, files }: StoreCheck, map: ProblemList, options: VerifyOptions): void {
  const report =
    files === undefined
      ? map.attempt("frame", () => verifyFrame(path, backend, options))
      : checkFile(files, EMBED_NAME, map, options);
  for (const problem of problemsOf(report)) {
    map.add(files === undefined ? problem : { ...problem, structure: `${problem.structure} of "${EMBED_NAME}"` });
  }
}

function problemsOf(report: VerifyReport | undefined): VerifyReport["problems"] {
  return report === undefined ? [] : [...report.problems, ...report.unsupported];
}

function runSteps(steps: readonly Step[], { onProgress, ...options }: StoreVerifyOptions): MemberReport[] {
  const total = steps.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const members: MemberReport[] = [];
  let before = 0;
  for (const { byteLength, check } of steps) {
    const during = (done: number, of: number): void =>
      onProgress?.(before + Math.floor((byteLength * done) / of), total);
    const report = check({ ...options, onProgress: during });
    if (report !== undefined) members.push(report);
    before += byteLength;
    onProgress?.(before, total);
  }
  return members;
}
