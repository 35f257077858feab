/** Signing requests to S3. @module */
import { AwsV4Signer } from "aws4fetch";
import { DEFAULT_REGION, type S3Place } from "./s3-address.js";

/** What AWS calls credentials. Never put any into a page: it gets signed URLs, or a `sign` callback that asks a server of yours. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of keys that are good for some time only. */
  readonly sessionToken?: string | undefined;
}

/** Keys, or what gets them for each request. */
export type S3KeysSource = S3Keys | (() => S3Keys | Promise<S3Keys>);

/** Who asks, and where. */
export interface S3Access extends S3Place {
  /** Absent: requests are not signed, for public buckets and for `sign`. */
  readonly keys?: S3KeysSource | undefined;
}

/** Headers that are signed; proxies change others. */
const SIGNED = /^(?:x-amz-|if-)/;

/** A request with its signature. */
export async function signS3(request: Request, { keys, region = DEFAULT_REGION }: S3Access): Promise<Request> {
  if (keys === undefined) return request;
  const { accessKeyId, secretAccessKey, sessionToken } = typeof keys === "function" ? await keys() : keys;
  const signing = new Headers([...request.headers].filter(([name]) => SIGNED.test(name)));
  const signer = new AwsV4Signer({
    method: request.method,
    url: request.url,
    headers: signing,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: "s3",
    region,
  });
  const signed = await signer.sign();
  const headers = new Headers(request.headers);
  signed.headers.forEach((value: string, name: string) => {
    if (name !== "host") headers.set(name, value);
  });
  return new Request(request, { headers });
}
