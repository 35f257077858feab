/** Which driver maps, and what is said when none can. @module */
import { UnsupportedError } from "@b2frame/core";
import { loadKoffiDriver } from "./koffi-driver.js";
import type { DriverLoadResult, MappingDriver, MappingDriverName } from "./mapping-driver.js";
import { loadMmapIoDriver } from "./mmap-io-driver.js";

/** Whether a mapping driver can be used here. */
export interface MappingDriverStatus {
  readonly name: MappingDriverName;
  readonly available: boolean;
  /** Why it is not there. */
  readonly reason?: string;
}

/** In order of preference. */
const LOADERS: Readonly<Record<MappingDriverName, () => DriverLoadResult>> = {
  koffi: loadKoffiDriver,
  "mmap-io": loadMmapIoDriver,
};
const NAMES = Object.keys(LOADERS) as readonly MappingDriverName[];

/**
 * Which mapping drivers can be used in this process, in order of preference, and why the others can't.
 *
 * @example
 * ```ts
 * if (!mappingDrivers().some((driver) => driver.available)) backend = stdio();
 * ```
 */
export function mappingDrivers(): MappingDriverStatus[] {
  return NAMES.map((name) => {
    const result = LOADERS[name]();
    return result.driver === undefined ? { name, available: false, reason: result.reason } : { name, available: true };
  });
}

/**
 * The drivers to map with: the one that was asked for first, after it the other if it is there.
 *
 * @throws UnsupportedError `BLOSC2_UNSUPPORTED_BACKEND` with every reason.
 */
export function selectDrivers(
  wanted: "auto" | MappingDriverName,
  loaders: Readonly<Record<MappingDriverName, () => DriverLoadResult>> = LOADERS,
): readonly [MappingDriver, ...MappingDriver[]] {
  const names = wanted === "auto" ? NAMES : [wanted, ...NAMES.filter((name) => name !== wanted)];
  const drivers: MappingDriver[] = [];
  const reasons: string[] = [];
  for (const name of names) {
    const result = loaders[name]();
    if (result.driver !== undefined) drivers.push(result.driver);
    else if (wanted === "auto" || wanted === name) reasons.push(result.reason);
  }
  const [first, ...others] = drivers;
  if (first === undefined || (wanted !== "auto" && first.name !== wanted)) {
    throw new UnsupportedError(
      "BLOSC2_UNSUPPORTED_BACKEND",
      `the mmap backend can't map memory here (${reasons.join("; ")}); the stdio backend works everywhere`,
      { feature: "memory mapping", backend: "mmap", reason: reasons.join("; ") },
    );
  }
  return [first, ...others];
}
