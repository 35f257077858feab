import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    exclude: ["packages/interop/**", "**/node_modules/**", "**/dist/**"],
    // Processes, not threads: native add-ons that map memory load in one thread only.
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI === undefined ? ["default"] : ["dot"],
  },
});
