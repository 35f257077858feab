/** Checking a list of entries with a list of setups. @module */
import { checkArray } from "./check-array.js";
import { checkChunk } from "./check-chunk.js";
import { checkFilter } from "./check-filter.js";
import { checkFrame } from "./check-frame.js";
import { checkMalformed } from "./check-malformed.js";
import { CorpusFiles } from "./corpus-files.js";
import { Mismatch } from "./facts.js";
import type { Entry } from "./manifest.js";
import { type Setup, unsupportedFeature } from "./setup.js";

/** What a run gave. */
export interface Outcome {
  passed: number;
  /** One line each, in order. */
  readonly failures: string[];
  /** Entries by the feature that they need. */
  readonly unsupported: Map<string, string[]>;
}

/** Whether the entry is a directory: a sparse frame, or an array in one. */
function isSparse(entry: Entry): boolean {
  return entry.kind === "malformed-sframe" || entry.frame_type === 1;
}

/** A backend without sparse frames must say so. */
function checkRefused(entry: Entry, files: CorpusFiles, setup: Setup): void {
  try {
    checkFrame(entry, files.placeOf(entry), setup);
  } catch (error) {
    if (unsupportedFeature(error) !== undefined) return;
    throw error;
  }
  throw new Mismatch(`opened, though ${setup.backendName} claims not to support sparse frames`);
}

function check(entry: Entry, files: CorpusFiles, setup: Setup): void {
  if (isSparse(entry) && !setup.backend.capabilities.sparseFrames) {
    checkRefused(entry, files, setup);
    return;
  }
  switch (entry.kind) {
    case "chunk":
      checkChunk(entry, files.bytesOf(entry), setup.options);
      break;
    case "filter-only":
      checkFilter(entry, setup.options);
      break;
    case "cframe":
    case "sframe":
      checkFrame(entry, files.placeOf(entry), setup);
      break;
    case "b2nd":
      checkArray(entry, files.placeOf(entry), setup);
      break;
    default:
      checkMalformed(entry, files, setup);
  }
}

function wordError(error: unknown): string {
  if (error instanceof Mismatch) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Checks every entry with every setup that it applies to. */
export function runCorpus(directory: string, entries: readonly Entry[], setups: readonly Setup[]): Outcome {
  const outcome: Outcome = { passed: 0, failures: [], unsupported: new Map() };
  for (const setup of setups) {
    const files = new CorpusFiles(directory, setup.backendName, setup.backend);
    try {
      for (const entry of entries) {
        if (isSparse(entry) && !files.hasDirectories) continue;
        const label = `${entry.file ?? "(no file)"} ${entry.id} [${setup.name}]`;
        try {
          check(entry, files, setup);
          outcome.passed += 1;
        } catch (error) {
          const feature = unsupportedFeature(error);
          if (feature === undefined) outcome.failures.push(`${label}: ${wordError(error)}`);
          else outcome.unsupported.set(feature, [...(outcome.unsupported.get(feature) ?? []), label]);
        }
      }
    } finally {
      files.dispose();
    }
  }
  return outcome;
}
