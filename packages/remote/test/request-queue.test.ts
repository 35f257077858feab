import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestQueue } from "../src/request-queue.js";

const LIMIT = 2;

/** Resolves after so many turns of the microtask queue: requests end, and signals fire, at any of them. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

describe("a queue of requests", () => {
  it("runs all that are not given up, and never more than its limit, whenever requests end and signals fire", async () => {
    const request = fc.record({ takes: fc.nat(6), fails: fc.boolean(), givenUpAfter: fc.option(fc.nat(12)) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 8 }), async (requests) => {
        const queue = new RequestQueue(LIMIT);
        let running = 0;
        let most = 0;
        const ends = requests.map(({ takes, fails, givenUpAfter }) => {
          const controller = new AbortController();
          const fire = async (after: number): Promise<void> => {
            await turns(after);
            controller.abort(new Error("given up"));
          };
          if (givenUpAfter !== null) void fire(givenUpAfter);
          return queue.run(async () => {
            most = Math.max(most, ++running);
            await turns(takes);
            running--;
            if (fails) throw new Error("failed");
          }, controller.signal);
        });
        const all = Promise.allSettled(ends);
        // A queue that loses a turn never ends what waits for it; no turn takes longer than all requests one after the other.
        const isOver = await Promise.race([
          all.then(() => true),
          new Promise<false>((end) => setImmediate(end, false)),
        ]);
        expect(isOver).toBe(true);
        expect(most).toBeLessThanOrEqual(LIMIT);
        for (const [i, end] of (await all).entries()) {
          const { fails, givenUpAfter } = requests[i] as (typeof requests)[number];
          if (end.status === "fulfilled") expect(fails).toBe(false);
          else if (end.reason.message === "failed") expect(fails).toBe(true);
          else expect([end.reason.message, givenUpAfter]).toEqual(["given up", expect.any(Number)]);
        }
        await expect(queue.run(() => Promise.resolve("ran"), undefined)).resolves.toBe("ran");
      }),
      { numRuns: 2000 },
    );
  });
});
