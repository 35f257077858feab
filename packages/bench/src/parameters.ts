/** The compression parameters that all contenders share. @module */
import type { CParams } from "@b2frame/core";

export const CODEC = "lz4";
export const CLEVEL = 5;

/** LZ4 level 5 with shuffle; the blocksize is automatic. */
export const CPARAMS: Partial<CParams> = { codec: CODEC, clevel: CLEVEL, filters: ["shuffle"] };

/** Bytes per chunk where the case does not say otherwise. */
export const CHUNKSIZE: number = 4 * 2 ** 20;

/** For the effect of the chunk's size. */
export const SCALING_CHUNKSIZES: readonly number[] = [64 * 2 ** 10, 512 * 2 ** 10, CHUNKSIZE, 16 * 2 ** 20];

export const MIB: number = 2 ** 20;
