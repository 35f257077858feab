import { defineConfig } from "vitest/config";

/** Set by CI: where to write the counts of passed and failed tests. */
const report = process.env.B2FRAME_VITEST_REPORT;

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // Processes, not threads: native add-ons that map memory load in one thread only.
    pool: "forks",
    // Many tests wait for programs that they start.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: report === undefined ? ["default"] : ["dot", ["json", { outputFile: report }]],
  },
});
