/** The S3 server that the environment names, as `scripts/ci/with-versitygw.mjs` sets it. @module */
import type { S3Keys, S3Options } from "@b2frame/remote/s3";

function variable(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new Error(`${name} is not set: run this by node scripts/ci/with-versitygw.mjs pnpm torture s3`);
}

/** Who asks, and where. @throws Error if the environment does not say */
export function s3Access(): S3Options & { readonly endpoint: string; readonly keys: S3Keys } {
  const keys = { accessKeyId: variable("AWS_ACCESS_KEY_ID"), secretAccessKey: variable("AWS_SECRET_ACCESS_KEY") };
  return { endpoint: variable("AWS_ENDPOINT_URL"), keys };
}
