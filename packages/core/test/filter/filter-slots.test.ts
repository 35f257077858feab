import { describe, expect, it } from "vitest";
import { ArgumentError, UnsupportedError } from "../../src/errors.js";
import { FilterRegistry } from "../../src/filter/filter-registry.js";
import { type FilterSpec, resolveFilterSlots } from "../../src/filter/filter-slots.js";

function slots(specs: readonly FilterSpec[], typesize?: number): [number[], number[]] {
  const { filters, filtersMeta } = resolveFilterSlots(specs, typesize === undefined ? {} : { typesize });
  return [[...filters], [...filtersMeta]];
}

describe("resolveFilterSlots", () => {
  // What python-blosc2 4.14 puts into the chunk header for the same lists.
  it.each<[string, FilterSpec[], number[], number[]]>([
    ["nothing", [], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
    ["a name", ["shuffle"], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
    ["an id", [2], [2, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
    ["empty slots", ["nofilter", 0, "shuffle"], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0]],
    ["metas", [{ filter: "trunc_prec", meta: 10 }, { filter: 1 }], [4, 1, 0, 0, 0, 0], [10, 0, 0, 0, 0, 0]],
    ["a negative meta", [{ filter: "int_trunc", meta: -2 }], [36, 0, 0, 0, 0, 0], [254, 0, 0, 0, 0, 0]],
    ["bytedelta", ["shuffle", "bytedelta"], [1, 35, 0, 0, 0, 0], [0, 4, 0, 0, 0, 0]],
    ["bytedelta with its meta", [{ filter: "bytedelta", meta: 2 }], [35, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]],
    ["six", [1, 2, 3, 4, 35, 36], [1, 2, 3, 4, 35, 36], [0, 0, 0, 0, 4, 0]],
  ])("%s", (_, specs, filters, filtersMeta) => {
    expect(slots(specs, 4)).toEqual([filters, filtersMeta]);
  });

  it("leaves bytedelta's meta at 0 when the typesize is not known or does not fit", () => {
    expect(slots(["bytedelta"])[1]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(slots(["bytedelta"], 300)[1]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("refuses seven filters", () => {
    expect(() => resolveFilterSlots([1, 0, 0, 0, 0, 0, 0])).toThrow(ArgumentError);
  });

  it.each([-129, 256, 0.5, Number.NaN])("refuses the meta %d", (meta) => {
    expect(() => resolveFilterSlots([{ filter: "shuffle", meta }])).toThrow(ArgumentError);
  });

  it.each([99, "bytedelta_buggy", 34])("refuses %s, which it can't write", (filter) => {
    expect(() => resolveFilterSlots([filter])).toThrow(UnsupportedError);
  });

  it("refuses an unknown name", () => {
    expect(() => resolveFilterSlots(["sort"])).toThrow(ArgumentError);
  });

  it("looks in the registry that it is given", () => {
    expect(() => resolveFilterSlots(["shuffle"], { registry: new FilterRegistry() })).toThrow(ArgumentError);
  });
});
