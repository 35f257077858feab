/** What verifying and repairing report. @module */
import { type Blosc2ErrorCode, isBlosc2Error } from "../errors.js";

/** One thing that is wrong with a frame. */
export interface VerifyProblem {
  /** The structure, in the format documents' words: "frame header", "index chunk", "chunk 3", `vlmetalayer "a"`. */
  readonly structure: string;
  /** The field of it, where one is to blame. */
  readonly field?: string | undefined;
  /** Absolute position in the file (in the chunk file of a sparse frame), where one is known. */
  readonly position?: number | undefined;
  /** The whole story, for people. */
  readonly message: string;
  readonly code: Blosc2ErrorCode;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * The problem that an error tells of.
 *
 * @param structure what was looked at, for errors that do not say it.
 * @throws `error` itself unless it is one of ours: a fault of the program is not one of the file.
 */
export function problemOf(error: unknown, structure: string): VerifyProblem {
  if (!isBlosc2Error(error) || error.code === "BLOSC2_ABORTED") throw error;
  const { details, message, code } = error;
  const { position } = details;
  return {
    structure: textOf(details.structure) ?? structure,
    field: textOf(details.field),
    position: typeof position === "number" ? position : undefined,
    message,
    code,
  };
}

/** Most problems of one report: an index can name any number of chunks that are none. */
const MAX_PROBLEMS = 10_000;

/** Whether it says that something can't be checked here, which is not that it is damaged. */
export function isUnsupported({ code }: Pick<VerifyProblem, "code">): boolean {
  return code.startsWith("BLOSC2_UNSUPPORTED");
}

/** Collects problems, and what can't be checked; the first 10,000 of either. */
export class ProblemList {
  /** Damage. */
  readonly problems: VerifyProblem[] = [];
  /** What needs a codec, a filter or a feature that is not there. */
  readonly unsupported: VerifyProblem[] = [];

  add(problem: VerifyProblem): void {
    const list = isUnsupported(problem) ? this.unsupported : this.problems;
    if (list.length < MAX_PROBLEMS) list.push(problem);
  }

  /** Runs `action`; an error of ours becomes a problem, and the result `undefined`. */
  attempt<T>(structure: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.add(problemOf(error, structure));
      return undefined;
    }
  }
}
