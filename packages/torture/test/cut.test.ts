import { SeededRandom } from "@b2frame/interop/seeded-random";
import { randomPowerCut } from "@b2frame/io-contract";
import { temporaryFolder } from "@b2frame/test-kit";
import { describe, expect, it } from "vitest";
import { checkCut } from "../src/cut.js";
import { type RecordedWorkload, recordWorkload } from "../src/recorded-workload.js";

const folder = temporaryFolder();

function record(kind: "contiguous" | "array" | "sparse"): RecordedWorkload {
  return recordWorkload({ kind, seed: 5, steps: 40, folder });
}

/** How many of 200 random cuts leave something that is no commit. */
function bad(recorded: RecordedWorkload): number {
  const random = new SeededRandom(3);
  let count = 0;
  for (let i = 0; i < 200; i++) {
    try {
      checkCut(recorded, randomPowerCut(recorded.log, { random: () => random.bits() / 2 ** 32, sectorBytes: 512 }));
    } catch {
      count++;
    }
  }
  return count;
}

describe("power cuts", () => {
  it.each(["contiguous", "array", "sparse"] as const)("leave commits of a %s frame", (kind) => {
    const recorded = record(kind);
    for (let after = 0; after <= recorded.log.length; after++) checkCut(recorded, { after });
    expect(bad(recorded)).toBe(0);
  });

  it("would not, if the writer flushed nothing: the model finds that out", () => {
    const recorded = record("contiguous");
    // Without barriers, counting is off as well, so each instant allows what it allowed in the whole log.
    const kept = recorded.log.flatMap((operation, i) => (operation.kind === "flush" ? [] : [i]));
    const log = kept.map((i) => recorded.log[i] as (typeof recorded.log)[number]);
    const allowed = (after: number): ReturnType<RecordedWorkload["allowed"]> =>
      recorded.allowed(after === 0 ? 0 : (kept[after - 1] as number) + 1);
    expect(bad({ ...recorded, log, allowed })).toBeGreaterThan(10);
  });
});
