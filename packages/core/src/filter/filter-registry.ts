/** Which filters there are: the format's, the plugins', and the user's. @module */
import { ArgumentError, type SourceLocation, UnsupportedError } from "../errors.js";
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

/** The name of filter id 0: an empty slot of the pipeline. */
export const NO_FILTER = "nofilter";
/** Ids below are the format's own. */
const FIRST_PLUGIN_ID = 32;
/** Ids from here on are the user's; between are the registered plugins'. */
const FIRST_USER_ID = 160;
const LAST_ID = 255;

/** How {@link FilterRegistry.register} treats what it would otherwise refuse. */
export interface FilterRegistration {
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
  #version = 0;

  /** Changes with every filter that is registered: what was looked up before may be another one now. */
  get version(): number {
    return this.#version;
  }

  /** @param filters - taken as they are, untried; pass foreign ones to {@link register}. */
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
  register(filter: Filter, options: FilterRegistration = {}): void {
    const { id, name } = filter;
    if (!Number.isInteger(id) || id < 1 || id > LAST_ID) {
      throw invalid(`filter id: expected an integer from 1 to ${LAST_ID}, found ${id}`);
    }
    if (id < FIRST_USER_ID && options.allowReserved !== true) {
      throw invalid(`filter ${id} (${name}): ids below ${FIRST_USER_ID} need allowReserved`);
    }
    if (name === "" || name === NO_FILTER) {
      throw invalid(`filter ${id}: expected a name of its own, found ${JSON.stringify(name)}`);
    }
    if (filter.forward === undefined && filter.backward === undefined) {
      throw invalid(`filter ${id} (${name}): expected forward, backward or both, found neither`);
    }
    const taken = this.#byId.get(id) ?? this.#named(name);
    if (taken !== undefined && options.replace !== true) {
      throw invalid(`filter ${id} (${name}): filter ${taken.id} (${taken.name}) is registered already`);
    }
    if (options.probe !== false) probeFilter(filter, options.probe);
    const namesake = this.#named(name);
    if (namesake !== undefined) this.#byId.delete(namesake.id);
    this.#byId.set(id, filter);
    this.#version++;
  }

  /**
   * The filter with this id.
   *
   * @param location - what needs it, for the error message
   * @throws UnsupportedError `BLOSC2_UNSUPPORTED_FILTER`
   */
  byId(id: number, location?: SourceLocation): Filter {
    const filter = this.#byId.get(id);
    if (filter === undefined) {
      const path = location?.path === undefined ? "" : `${location.path}: `;
      const where = location === undefined ? "" : `${path}${location.structure} at position ${location.position}: `;
      const remedy =
        id < FIRST_PLUGIN_ID
          ? "the format has no such filter"
          : "pass the plugin's or user's filter to registerFilter()";
      throw new UnsupportedError("BLOSC2_UNSUPPORTED_FILTER", `${where}filter ${id} is not registered: ${remedy}`, {
        ...location,
        feature: `filter ${id}`,
        filter: id,
      });
    }
    return filter;
  }

  /**
   * The filter with this name, as in `"shuffle"`, `"trunc_prec"`.
   *
   * @throws ArgumentError when none has it.
   */
  byName(name: string): Filter {
    const filter = this.#named(name);
    if (filter === undefined) {
      throw invalid(`filter name: expected one of ${this.keys().join(", ")}, found ${JSON.stringify(name)}`);
    }
    return filter;
  }

  /** The names of the registered filters, by ascending id. */
  keys(): string[] {
    return [...this.#byId.values()].sort((a, b) => a.id - b.id).map((filter) => filter.name);
  }

  /** How many filters are registered. */
  get size(): number {
    return this.#byId.size;
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

function invalid(message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "filter" });
}

/** The registry used where none is given: every filter of the format and of its registered plugins. */
export const defaultFilters: FilterRegistry = /* @__PURE__ */ new FilterRegistry([
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
export function registerFilter(filter: Filter, options?: FilterRegistration): void {
  defaultFilters.register(filter, options);
}
