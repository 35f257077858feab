import { describe, expect, it } from "vitest";
import { parseProcLimits, softOpenFileLimit } from "../src/open-file-limit.js";

const text = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max open files            ${soft.padEnd(21)}524288               files     
Max locked memory         8388608              8388608              bytes     
`;

describe("the soft limit on open files", () => {
  it("is read from the system's table", () => {
    expect(parseProcLimits(text("1024"))).toBe(1024);
    expect(parseProcLimits(text("unlimited"))).toBe(2 ** 31 - 1);
    expect(parseProcLimits(text("9007199254740993"))).toBe(2 ** 31 - 1);
    expect(parseProcLimits(text("?"))).toBeUndefined();
    expect(parseProcLimits("")).toBeUndefined();
  });

  it("is known on this machine", () => {
    expect(softOpenFileLimit()).toBeGreaterThan(0);
  });
});
