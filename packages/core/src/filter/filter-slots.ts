/** The filter pipeline as users write it, as the six slots of a chunk header. @module */
import { ArgumentError, UnsupportedError } from "../errors.js";
import { bytedelta } from "./bytedelta.js";
import { defaultFilters, type FilterRegistry, NO_FILTER } from "./filter-registry.js";

/** Slots of a pipeline. */
export const FILTER_SLOT_COUNT = 6;

/**
 * One filter of a pipeline: a name (`"shuffle"`), an id, or either with its `meta` byte (-128..255; negative ones for the
 * precision filters). `"nofilter"` or 0 leaves the slot empty.
 */
export type FilterSpec = string | number | { readonly filter: string | number; readonly meta?: number };

/** A pipeline as chunk and frame headers hold it. */
export interface FilterSlots {
  /** Six filter ids, 0 = empty; compression runs slot 0 first. */
  readonly filters: Uint8Array;
  /** Six `filters_meta` bytes. */
  readonly filtersMeta: Uint8Array;
}

/** Options of {@link resolveFilterSlots}. */
export interface ResolveFilterOptions {
  /** Default {@link defaultFilters}. */
  readonly registry?: FilterRegistry;
  /** The typesize; given, a bytedelta without `meta` gets it as its `meta`, which chunks outside of a super-chunk need. */
  readonly typesize?: number;
}

/**
 * The slots for a list of filters: the first filter goes to slot 0, as in python-blosc2. (A super-chunk for which no filters
 * were chosen has shuffle in slot 5: `["nofilter", "nofilter", "nofilter", "nofilter", "nofilter", "shuffle"]`.)
 *
 * @throws ArgumentError for more than six filters, an unknown name, or a `meta` out of range; UnsupportedError
 * `BLOSC2_UNSUPPORTED_FILTER` for an id that is not registered and for a filter that only reads.
 * @example
 * ```ts
 * resolveFilterSlots([{ filter: "trunc_prec", meta: 10 }, "shuffle"]);
 * // filters 4 1 0 0 0 0, filtersMeta 10 0 0 0 0 0
 * ```
 */
export function resolveFilterSlots(specs: readonly FilterSpec[], options: ResolveFilterOptions = {}): FilterSlots {
  const registry = options.registry ?? defaultFilters;
  if (specs.length > FILTER_SLOT_COUNT) {
    throw new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `a pipeline has at most ${FILTER_SLOT_COUNT} filters, not ${specs.length}`,
      { parameter: "filters", found: specs.length },
    );
  }
  const filters = new Uint8Array(FILTER_SLOT_COUNT);
  const filtersMeta = new Uint8Array(FILTER_SLOT_COUNT);
  specs.forEach((spec, slot) => {
    const { filter: name, meta = 0 } = typeof spec === "object" ? spec : { filter: spec };
    if (!Number.isInteger(meta) || meta < -128 || meta > 255) {
      throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `meta of filter ${name} must be in -128..255, not ${meta}`, {
        parameter: "filters",
        slot,
        meta,
      });
    }
    if (name === 0 || name === NO_FILTER) return;
    const filter = typeof name === "number" ? registry.byId(name) : registry.byName(name);
    if (filter.forward === undefined) {
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_FILTER", `filter ${filter.name} only reads`, {
        feature: `writing with filter ${filter.name}`,
        id: filter.id,
      });
    }
    filters[slot] = filter.id;
    filtersMeta[slot] = meta;
    const typesize = options.typesize ?? 0;
    if (filter.id === bytedelta.id && meta === 0 && typesize <= 255) filtersMeta[slot] = typesize;
  });
  return { filters, filtersMeta };
}
