/** The compiled package: bundlers find its worker from there. */
export { openRemote, openRemoteArray } from "../../dist/index.js";
export { openRemoteStore } from "../../dist/stores/index.js";
export { DecodePool } from "../../dist/workers/index.js";
