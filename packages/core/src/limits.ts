/** Bounds on what input may make b2frame allocate. @module */
import { checkOptionNames, type OptionNames } from "./checks/option-names.js";
import { ArgumentError } from "./errors.js";

/** Configurable bounds; every length that comes from a file is held against one of them before memory is taken. */
export interface Limits {
  /**
   * Most bytes of any one allocation made for a length that input states: a decoded chunk, slice or block cache slot, a frame's header,
   * its index and trailer. Default 2^31 - 1.
   */
  readonly maxAllocation: number;
  /** Most uncompressed bytes (`nbytes`) of one chunk. Default 2^31 - 33, the format's own bound. */
  readonly maxChunkBytes: number;
}

/** See `checkOptionNames`. */
export const LIMIT_NAMES: OptionNames<Limits> = { maxAllocation: true, maxChunkBytes: true };

/** The largest buffer that the Blosc2 format allows in one chunk, in bytes: 2^31 - 1 less the longest header. */
export const MAX_CHUNK_BYTES: number = 0x7fffffff - 32;

/** The format's own bounds. Lower them where input is not trusted and memory is scarce. */
export const DEFAULT_LIMITS: Limits = {
  maxAllocation: 0x7fffffff,
  maxChunkBytes: MAX_CHUNK_BYTES,
};

/** Gives `value` back. @throws ArgumentError unless it is a safe integer of at least `least` */
export function requireWhole(parameter: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `${parameter}: expected an integer of at least ${least}, found ${String(value)}`,
    { parameter, expected: `at least ${least}`, found: String(value) },
  );
}

/** The given limits, and the defaults for the others. @throws ArgumentError for a limit that is unknown or no integer of 1 or more */
export function resolveLimits(limits: Partial<Limits> = {}): Limits {
  checkOptionNames(LIMIT_NAMES, limits);
  const { maxAllocation = DEFAULT_LIMITS.maxAllocation, maxChunkBytes = DEFAULT_LIMITS.maxChunkBytes } = limits;
  return {
    maxAllocation: requireWhole("limits.maxAllocation", maxAllocation, 1),
    maxChunkBytes: requireWhole("limits.maxChunkBytes", maxChunkBytes, 1),
  };
}
