/** The compression parameters that all contenders share. @module */
import type { CParams } from "@b2frame/core";
import type { CaseName } from "./trial.js";

export const CODEC = "lz4";
export const CLEVEL = 5;

/** LZ4 level 5 with shuffle; the blocksize is automatic. */
export const CPARAMS: Partial<CParams> = { codec: CODEC, clevel: CLEVEL, filters: ["shuffle"] };

/** Bytes per chunk where the case does not say otherwise. */
export const CHUNKSIZE: number = 4 * 2 ** 20;

/** The cases that show the effect of the chunks' size, and the sizes that they use. */
export const CASES_BY_CHUNKSIZE: readonly CaseName[] = ["read-all", "append"];
export const SCALING_CHUNKSIZES: readonly number[] = [64 * 2 ** 10, 512 * 2 ** 10, CHUNKSIZE, 16 * 2 ** 20];

export const MIB: number = 2 ** 20;
