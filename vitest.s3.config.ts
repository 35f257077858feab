import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** Tests against a real S3 server, which `scripts/ci/with-versitygw.mjs` starts. */
const config = mergeConfig(base, {});
config.test.include = ["packages/*/test-s3/**/*.test.ts"];
export default config;
