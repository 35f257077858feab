/** The kinds of input by the names of the command line. @module */
import { arrayTarget } from "./array-target.js";
import { chunkTarget } from "./chunk-target.js";
import { frameTarget } from "./frame-target.js";
import { npyTarget } from "./npy-target.js";
import { sparseFrameTarget } from "./sparse-frame-target.js";
import { storeTarget } from "./store-target.js";
import type { FuzzTarget } from "./target.js";

export const TARGET_NAMES = ["chunk", "frame", "sframe", "b2nd", "npy", "store"] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

export const TARGETS: Readonly<Record<TargetName, FuzzTarget>> = {
  chunk: chunkTarget,
  frame: frameTarget,
  sframe: sparseFrameTarget,
  b2nd: arrayTarget,
  npy: npyTarget,
  store: storeTarget,
};
