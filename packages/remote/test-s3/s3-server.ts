/** The S3 server that `scripts/ci/with-versitygw.mjs` starts. */
import { AwsClient } from "aws4fetch";
import type { S3Options } from "../src/s3/index.js";

/** A variable that the script sets. */
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this by scripts/ci/with-versitygw.mjs`);
  return value;
}

export const endpoint = variable("AWS_ENDPOINT_URL");
export const keys = { accessKeyId: variable("AWS_ACCESS_KEY_ID"), secretAccessKey: variable("AWS_SECRET_ACCESS_KEY") };
export const access: S3Options = { endpoint, keys, retry: { tries: 1 } };
/** Puts and gets what the tests look at. Signs by itself, so that it tests our signatures. */
export const client = new AwsClient({ ...keys, service: "s3", region: "us-east-1", retries: 0 });

async function send(path: string, method: string, body?: Uint8Array): Promise<Response> {
  const url = `${endpoint}/${path
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join("/")}`;
  const response = await client.fetch(url, { method, body: (body ?? null) as BodyInit | null });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Makes a bucket, or puts an object. */
export async function put(path: string, body?: Uint8Array): Promise<void> {
  await send(path, "PUT", body);
}

/** The bytes of an object. */
export async function get(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await send(path, "GET")).arrayBuffer());
}

/** The uploads of a bucket that were neither completed nor given up. */
export async function openUploads(bucket: string): Promise<string[]> {
  const response = await client.fetch(`${endpoint}/${bucket}?uploads=`);
  return [...(await response.text()).matchAll(/<UploadId>([^<]*)</g)].map(([, id]) => id as string);
}
