/** Pools for the tests of one file. @module */
import { afterAll, beforeAll } from "vitest";
import { WorkerPool } from "../src/index.js";

/** Pools of 0 to 3 workers, ready before the file's tests and closed after them. */
export function workerPools(): readonly WorkerPool[] {
  const pools = [0, 1, 2, 3].map((workers) => new WorkerPool({ workers }));
  beforeAll(() => Promise.all(pools.map((pool) => pool.ready())));
  afterAll(() => Promise.all(pools.map((pool) => pool.close())));
  return pools;
}
