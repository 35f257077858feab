/** Checking one member of a store. @module */
import { memoryHandle, type VerifyOptions, type VerifyReport, verifyFrame } from "@b2frame/core";
import type { ProblemList } from "@b2frame/core/backend";
import { HandleBackend } from "../handle-backend.js";
import type { MemberBytes, MemberFiles } from "../member-files.js";
import type { MemberPlace } from "../store-options.js";
import type { MemberReport } from "./store-report.js";

/** Which member, and what has been found about it so far. */
export interface MemberToCheck {
  readonly key: string;
  readonly storage: MemberPlace["storage"];
  readonly problems: ProblemList;
}

/** What there is to say of a frame that can't be looked at. */
const NOTHING: Pick<VerifyReport, "nchunks" | "nbytes" | "cbytes" | "deadBytes" | "strayBytes" | "checksums"> = {
  nchunks: 0,
  nbytes: 0,
  cbytes: 0,
  deadBytes: 0,
  strayBytes: 0,
  checksums: { verified: 0, missing: 0, failed: 0 },
};

/** The report on a member, with or without one on its frame. */
export function reportOf(
  { key, storage, problems: own }: MemberToCheck,
  frame: VerifyReport | undefined,
): MemberReport {
  const problems = [...own.problems, ...(frame?.problems ?? [])];
  const unsupported = [...own.unsupported, ...(frame?.unsupported ?? [])];
  const { nchunks, nbytes, cbytes, deadBytes, strayBytes, checksums } = frame ?? NOTHING;
  const ok = problems.length + unsupported.length === 0;
  const facts = { nchunks, nbytes, cbytes, deadBytes, strayBytes, checksums };
  return { key, storage, ok, ...facts, problems, unsupported };
}

/** Checks the frame in some bytes; what keeps it from being looked at becomes a problem. */
export function checkBytes(
  problems: ProblemList,
  open: () => MemberBytes,
  options: VerifyOptions,
): VerifyReport | undefined {
  return problems.attempt("member", () => {
    const { backend, path, offset, close } = open();
    try {
      return verifyFrame(path, backend, { ...options, offset });
    } finally {
      close();
    }
  });
}

/** Checks the frame in a file of the store. */
export function checkFile(
  files: MemberFiles,
  name: string,
  problems: ProblemList,
  options: VerifyOptions,
): VerifyReport | undefined {
  if (files.verify?.(name, problems) === false) return undefined;
  return checkBytes(problems, () => files.bytesOf(name), options);
}

/** An embedded frame as a file. */
export function bytesInMemory(bytes: Uint8Array, path: string): MemberBytes {
  const backend = new HandleBackend(memoryHandle(bytes, { mode: "r", path }), path);
  return { backend, path, offset: 0, byteLength: bytes.byteLength, close: () => backend.close() };
}
