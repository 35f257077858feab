/** Laying a part of a file under memory that somebody else owns. @module */
import type { MappedPart } from "@b2frame/core/backend";
import type { WindowPlan } from "./mapped-windows.js";
import type { MappingDriver } from "./mapping-driver.js";

class PartOver implements MappedPart {
  readonly byteLength: number;
  readonly #driver: MappingDriver;
  /** Holding the view holds the memory. Undefined once plain memory is there again. */
  #mapped: Uint8Array | undefined;

  constructor(driver: MappingDriver, byteLength: number, mapped: Uint8Array) {
    this.#driver = driver;
    this.byteLength = byteLength;
    this.#mapped = mapped;
  }

  release(): void {
    const mapped = this.#mapped;
    this.#mapped = undefined;
    // Memory that has grown all the same has left the view without an address.
    if (mapped !== undefined && mapped.byteLength > 0) this.#driver.unmapOver?.(mapped);
  }
}

/**
 * Lays the file under `target` from `position` on, but not past the page in which the file ends: to touch what lies there would be the
 * end of the process, and whoever copies all of the memory does.
 *
 * @returns undefined where it can't be, which is reported.
 */
export function mapOver(
  plan: WindowPlan,
  position: number,
  target: Uint8Array,
  fileSize: number,
): MappedPart | undefined {
  const { drivers, descriptor, path, report } = plan;
  const driver = drivers[0] as MappingDriver;
  const byteLength = Math.min(target.byteLength, fileSize - position);
  if (byteLength <= 0) return undefined;
  const { pageSize, maxEnd } = driver.limits;
  const length = Math.min(target.byteLength, Math.ceil(byteLength / pageSize) * pageSize);
  let reason = `${driver.name} can't map ${length} bytes at position ${position} into memory`;
  if (position % pageSize === 0 && position + length <= maxEnd) {
    const mapped = target.subarray(0, length);
    try {
      driver.mapOver?.(descriptor, position, length, mapped);
      return new PartOver(driver, byteLength, mapped);
    } catch (error) {
      // A map that fails halfway has taken the memory away that was there.
      driver.unmapOver?.(mapped);
      reason = `${driver.name} failed to map ${length} bytes at position ${position}: ${(error as Error).message}`;
    }
  }
  report({ kind: "copied", path, position, reason: `${reason}: compressed bytes are copied` });
  return undefined;
}
