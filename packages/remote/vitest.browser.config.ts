import { defineConfig } from "vitest/config";

/** Set by CI: where to write the counts of passed and failed tests. */
const report = process.env.B2FRAME_VITEST_REPORT;

/** Remote frames in a real Chromium: `pnpm run test:browser`, apart from the unit tests, which need no browser. */
export default defineConfig({
  test: {
    include: ["packages/remote/browser/*.test.ts"],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: report === undefined ? ["default"] : ["dot", ["json", { outputFile: report }]],
  },
});
