import { describe, expect, it } from "vitest";
import { ArgumentError, UnsupportedError } from "../../src/errors.js";
import type { Filter } from "../../src/filter/filter.js";
import { defaultFilters, FilterRegistry } from "../../src/filter/filter-registry.js";

function copying(fields: Partial<Filter> = {}): Filter {
  return {
    id: 160,
    name: "copying",
    needsReference: false,
    forward: (source, target) => target.set(source),
    backward: (source, target) => target.set(source),
    ...fields,
  };
}

describe("the default registry", () => {
  it.each([
    [1, "shuffle"],
    [2, "bitshuffle"],
    [3, "delta"],
    [4, "trunc_prec"],
    [32, "ndcell"],
    [33, "ndmean"],
    [34, "bytedelta_buggy"],
    [35, "bytedelta"],
    [36, "int_trunc"],
  ])("has filter %i, %s", (id, name) => {
    expect(defaultFilters.byId(id).name).toBe(name);
    expect(defaultFilters.byName(name).id).toBe(id);
    expect(defaultFilters.has(id)).toBe(true);
  });

  it("needs the reference block for delta only", () => {
    const ids = [1, 2, 3, 4, 32, 33, 34, 35, 36];
    expect(ids.filter((id) => defaultFilters.byId(id).needsReference)).toEqual([3]);
  });

  it.each([0, 5, 31, 37, 160, 255])("has no filter %i and says so", (id) => {
    expect(defaultFilters.has(id)).toBe(false);
    expect(() => defaultFilters.byId(id)).toThrow(UnsupportedError);
    expect(() => defaultFilters.byId(id)).toThrow(
      expect.objectContaining({ code: "BLOSC2_UNSUPPORTED_FILTER", message: expect.stringContaining(String(id)) }),
    );
  });

  it("lists its filters by id", () => {
    expect(defaultFilters.keys().slice(0, 4)).toEqual(["shuffle", "bitshuffle", "delta", "trunc_prec"]);
    expect(defaultFilters.size).toBe(defaultFilters.keys().length);
  });

  it("names what needs an unknown filter", () => {
    const location = { path: "a.b2frame", structure: "chunk 3", position: 97 };
    expect(() => defaultFilters.byId(200, location)).toThrow("a.b2frame: chunk 3 at position 97: filter 200");
  });

  it("names what there is when asked for an unknown name", () => {
    expect(() => defaultFilters.byName("schuffle")).toThrow(
      /expected one of shuffle, bitshuffle, .*, found "schuffle"/,
    );
  });
});

describe("registering", () => {
  it("adds a user's filter to this registry only", () => {
    const registry = defaultFilters.clone();
    const filter = copying();
    registry.register(filter);
    expect(registry.byId(160)).toBe(filter);
    expect(registry.byName("copying")).toBe(filter);
    expect(defaultFilters.has(160)).toBe(false);
  });

  it.each([0, -1, 1.5, 256, Number.NaN])("refuses the id %d", (id) => {
    expect(() => new FilterRegistry().register(copying({ id }))).toThrow(ArgumentError);
  });

  it.each([5, 31, 37, 159])("reserves the id %i unless told otherwise", (id) => {
    const registry = defaultFilters.clone();
    expect(() => registry.register(copying({ id }))).toThrow(ArgumentError);
    registry.register(copying({ id }), { allowReserved: true });
    expect(registry.has(id)).toBe(true);
  });

  it("refuses an id or a name that is taken, unless told to replace it", () => {
    const registry = new FilterRegistry([copying()]);
    expect(() => registry.register(copying({ name: "other" }))).toThrow(/registered already/);
    expect(() => registry.register(copying({ id: 161 }))).toThrow(/registered already/);
    const moved = copying({ id: 161 });
    registry.register(moved, { replace: true });
    expect(registry.byName("copying")).toBe(moved);
    expect(registry.has(160)).toBe(false);
  });

  it.each(["", "nofilter"])("refuses the name %j", (name) => {
    expect(() => new FilterRegistry().register(copying({ name }))).toThrow(ArgumentError);
  });

  it("refuses a filter without any direction", () => {
    expect(() => new FilterRegistry().register({ id: 160, name: "none", needsReference: false })).toThrow(
      ArgumentError,
    );
  });
});

describe("the probe at registration", () => {
  it("refuses a filter that loses bytes", () => {
    const lossy = copying({ forward: (source, target) => target.set(source.subarray(0, source.byteLength & ~3)) });
    expect(() => new FilterRegistry().register(lossy)).toThrow(/does not give back a block of 1 bytes/);
  });

  it("refuses a filter that throws, with its error as the cause", () => {
    const error = new Error("no");
    const throwing = copying({
      backward: () => {
        throw error;
      },
    });
    expect(() => new FilterRegistry().register(throwing)).toThrow(expect.objectContaining({ cause: error }));
  });

  it("tries later blocks with a reference", () => {
    const careless = copying({
      needsReference: true,
      forward: (source, target, { reference }) => target.set(source.map((byte, i) => byte ^ (reference?.[i] ?? 0))),
    });
    expect(() => new FilterRegistry().register(careless)).toThrow(/does not give back/);
  });

  it("uses the typesize and meta that the caller names", () => {
    const seen: unknown[] = [];
    const picky = copying({
      forward: (source, target, { typesize, meta }) => {
        seen.push(typesize, meta);
        target.set(source);
      },
    });
    new FilterRegistry().register(picky, { probe: { typesize: 8, meta: 3 } });
    expect(new Set(seen)).toEqual(new Set([8, 3]));
  });

  it("takes a lossy filter when told not to probe, and one that has one direction", () => {
    const registry = new FilterRegistry();
    registry.register(copying({ forward: (_, target) => target.fill(0) }), { probe: false });
    registry.register({
      id: 161,
      name: "reads",
      needsReference: false,
      backward: (source, target) => target.set(source),
    });
    expect(registry.has(160) && registry.has(161)).toBe(true);
  });
});
