/** Trying a foreign filter out before it touches anybody's data. @module */
import { ArgumentError } from "../errors.js";
import type { Filter, FilterContext } from "./filter.js";

/** What the probe's context says. */
export interface FilterProbe {
  /** Default 4. */
  readonly typesize?: number;
  /** Default 0. */
  readonly meta?: number;
}

const PROBE_LENGTHS: readonly number[] = [1, 7, 4096];

/**
 * Runs `filter` forward and backward over buffers of 1, 7 and 4096 bytes, as block 0 and as a later block. A filter with only
 * one direction can't be tried.
 *
 * @throws ArgumentError when what comes back differs, or a direction throws.
 */
export function probeFilter(filter: Filter, probe: FilterProbe = {}): void {
  if (filter.forward === undefined || filter.backward === undefined) return;
  const typesize = probe.typesize ?? 4;
  for (const byteLength of PROBE_LENGTHS) {
    const data = Uint8Array.from({ length: byteLength }, (_, i) => (i * 167 + (i >> 3)) & 0xff);
    const reference = data.map((byte) => byte ^ 0x5a);
    for (const blockIndex of [0, 1]) {
      const context: FilterContext = {
        typesize,
        superChunkTypesize: typesize,
        meta: probe.meta ?? 0,
        blockIndex,
        reference: blockIndex === 0 ? undefined : reference,
        chunkVersion: 5,
        geometry: undefined,
      };
      const filtered = new Uint8Array(byteLength).fill(0xa5);
      const restored = new Uint8Array(byteLength).fill(0xa5);
      let cause: unknown;
      try {
        filter.forward(data.slice(), filtered, context);
        filter.backward(filtered, restored, context);
      } catch (error) {
        cause = error;
      }
      if (cause !== undefined || restored.some((byte, i) => byte !== data[i])) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `filter ${filter.name} does not give back a block of ${byteLength} bytes with typesize ${typesize}`,
          { parameter: "filter", id: filter.id, byteLength, typesize, blockIndex },
          cause,
        );
      }
    }
  }
}
