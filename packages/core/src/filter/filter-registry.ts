/** Which filters there are: the format's, the plugins', and the user's. @module */
import { ArgumentError, UnsupportedError } from "../errors.js";
import { bitshuffle } from "./bitshuffle.js";
import { bytedelta, bytedeltaBuggy } from "./bytedelta.js";
import { delta } from "./delta.js";
import type { Filter } from "./filter.js";
import { type FilterProbe, probeFilter } from "./filter-probe.js";
import { intTrunc } from "./int-trunc.js";
import { ndcell } from "./ndcell.js";
import { ndmean } from "./ndmean.js";
import { shuffle } from "./shuffle.js";
import { truncPrec } from "./trunc-prec.js";

/** Options of {@link FilterRegistry.register}. */
export interface RegisterFilterOptions {
  /** Takes the place of a filter with the same id or name instead of failing. */
  readonly replace?: boolean;
  /** Allows ids 1-159, which belong to the format and to registered plugins. */
  readonly allowReserved?: boolean;
  /**
   * How to try the filter out: a filter with both directions must give back what it was given. `false` for a filter that
   * is lossy on purpose.
   */
  readonly probe?: FilterProbe | false;
}

/** Filters by id and by name. */
export class FilterRegistry {
  readonly #byId: Map<number, Filter> = new Map();

  /** @param filters - taken as they are, untried; use {@link register} for foreign ones. */
  constructor(filters: Iterable<Filter> = []) {
    for (const filter of filters) this.#byId.set(filter.id, filter);
  }

  /**
   * Adds a filter: 160-255 are the user's ids.
   *
   * @throws ArgumentError for an id out of range or reserved, for an id or name that is taken, for a filter without any
   * direction, or for one whose `backward` does not undo its `forward` on probe data.
   * @example
   * ```ts
   * registerFilter({
   *   id: 160, name: "invert", needsReference: false,
   *   forward: (source, target) => source.forEach((byte, i) => { target[i] = ~byte; }),
   *   backward: (source, target) => source.forEach((byte, i) => { target[i] = ~byte; }),
   * });
   * ```
   */
  register(filter: Filter, options: RegisterFilterOptions = {}): void {
    const { id, name } = filter;
    if (!Number.isInteger(id) || id < 1 || id > 255) {
      throw invalid("filter.id", `filter id must be an integer in 1..255, not ${id}`, id);
    }
    if (id < 160 && options.allowReserved !== true) {
      const owner = id < 32 ? "the format" : "registered plugins";
      throw invalid("filter.id", `filter id ${id} belongs to ${owner}; use 160..255, or allowReserved`, id);
    }
    if (name === "" || name === NO_FILTER)
      throw invalid("filter.name", `filter name ${JSON.stringify(name)} is taken`, id);
    if (filter.forward === undefined && filter.backward === undefined) {
      throw invalid("filter", `filter ${name} has neither forward nor backward`, id);
    }
    const taken = this.#byId.get(id) ?? this.#named(name);
    if (taken !== undefined && options.replace !== true) {
      throw invalid(
        "filter.id",
        `filter ${taken.id} (${taken.name}) is registered already; pass replace to change it`,
        id,
      );
    }
    if (options.probe !== false) probeFilter(filter, options.probe);
    const namesake = this.#named(name);
    if (namesake !== undefined) this.#byId.delete(namesake.id);
    this.#byId.set(id, filter);
  }

  /**
   * The filter with this id.
   *
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_FILTER`
   */
  byId(id: number): Filter {
    const filter = this.#byId.get(id);
    if (filter === undefined) {
      const known =
        id < 32 ? "no such filter in the format" : "a plugin's or user's filter; register it with registerFilter";
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_FILTER", `filter ${id} is not registered: ${known}`, {
        feature: `filter ${id}`,
        id,
      });
    }
    return filter;
  }

  /**
   * The filter with this name, as in `"shuffle"`, `"trunc_prec"`.
   *
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_FILTER`
   */
  byName(name: string): Filter {
    const filter = this.#named(name);
    if (filter === undefined) {
      const names = Array.from(this.#byId.values(), (each) => each.name).join(", ");
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_FILTER", `filter ${name} is not registered; there are ${names}`, {
        feature: `filter ${name}`,
        name,
      });
    }
    return filter;
  }

  /** Whether there is a filter with this id. */
  has(id: number): boolean {
    return this.#byId.has(id);
  }

  /** A registry with the same filters, to change on its own. */
  clone(): FilterRegistry {
    return new FilterRegistry(this.#byId.values());
  }

  #named(name: string): Filter | undefined {
    for (const filter of this.#byId.values()) if (filter.name === name) return filter;
    return undefined;
  }
}

/** The name of filter id 0: an empty slot of the pipeline. */
export const NO_FILTER = "nofilter";

function invalid(parameter: string, message: string, id: number): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter, id });
}

/** The registry used where none is given: every filter of the format and of its registered plugins. */
export const defaultFilters: FilterRegistry = new FilterRegistry([
  shuffle,
  bitshuffle,
  delta,
  truncPrec,
  ndcell,
  ndmean,
  bytedeltaBuggy,
  bytedelta,
  intTrunc,
]);

/** {@link FilterRegistry.register} on {@link defaultFilters}. */
export function registerFilter(filter: Filter, options?: RegisterFilterOptions): void {
  defaultFilters.register(filter, options);
}
