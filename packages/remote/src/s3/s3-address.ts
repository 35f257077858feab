/** Where an object of S3 is: its URL, by the customs of the service. @module */
import { ArgumentError } from "@b2frame/core/read";

/** Where the service is. */
export interface S3Place {
  /** Default `"us-east-1"`. */
  readonly region?: string | undefined;
  /** The URL of another service than AWS's: `"https://minio.example.org"`. */
  readonly endpoint?: string | undefined;
  /** Whether the bucket is in the path, not in the name of the host. Default: true with an endpoint, or a bucket with dots in its name. */
  readonly pathStyle?: boolean | undefined;
}

/** A bucket, and an object or the beginning of the names of several. */
export interface S3Address {
  readonly bucket: string;
  readonly key: string;
}

/** The region where none is named. */
export const DEFAULT_REGION: string = "us-east-1";

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s;

/** Takes `s3://bucket/key` apart. @throws ArgumentError for anything else */
export function parseS3Url(url: string | URL): S3Address {
  const text = typeof url === "string" ? url : decodeURI(url.href);
  const match = ADDRESS.exec(text);
  if (match !== null) return { bucket: match[1] as string, key: match[2] ?? "" };
  throw new ArgumentError(
    "BLOSC2_ARGUMENT_INVALID",
    `url: expected s3://bucket/key, found ${JSON.stringify(text.slice(0, 200))}`,
    { parameter: "url", expected: "s3://bucket/key", found: text.slice(0, 200) },
  );
}

/** The HTTP URL of an object; of the bucket, for an empty key. */
export function s3HttpUrl({ bucket, key }: S3Address, place: S3Place): string {
  const { region = DEFAULT_REGION, endpoint } = place;
  const { pathStyle = endpoint !== undefined || bucket.includes(".") } = place;
  const host = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const before = host.pathname.replace(/\/+$/, "");
  const path = key.split("/").map(encodeSegment).join("/");
  if (pathStyle) return `${host.origin}${before}/${bucket}/${path}`;
  return `${host.protocol}//${bucket}.${host.host}${before}/${path}`;
}

/** As signatures want it (RFC 3986). */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
