/** Objects of S3 as sources, and the names of several. @module */
import { checkOptionNames, type OptionNames } from "@b2frame/core/backend";
import type { ByteSource } from "../byte-source.js";
import { HTTP_NAMES, type HttpOptions, httpSource } from "../http-source.js";
import type { RemoteFiles } from "../stores/remote-files.js";
import { parseS3Url, s3HttpUrl } from "./s3-address.js";
import { queryOf, sendS3, xmlText } from "./s3-request.js";
import { type S3Access, signS3 } from "./s3-signing.js";

/** How objects are read. */
export interface S3Options extends S3Access, HttpOptions {}

/** The names of {@link S3Options}. */
export const S3_NAMES: OptionNames<S3Options> = {
  ...HTTP_NAMES,
  keys: true,
  region: true,
  endpoint: true,
  pathStyle: true,
};

/**
 * An object of S3, or of a service like it.
 *
 * @param url `s3://bucket/key`
 * @throws ArgumentError for another URL
 * @example
 * ```ts
 * const keys = { accessKeyId: "...", secretAccessKey: "..." };
 * const array = await openRemoteArray(s3Source("s3://scans/brain.b2nd", { keys, region: "eu-central-1" }));
 * ```
 */
export function s3Source(url: string | URL, options: S3Options = {}): ByteSource {
  checkOptionNames(S3_NAMES, options);
  const { keys: _, region: __, endpoint: ___, pathStyle: ____, ...http } = options;
  const { sign } = http;
  return httpSource(s3HttpUrl(parseS3Url(url), options), {
    ...http,
    sign: async (request) => signS3(sign === undefined ? request : await sign(request), options),
  });
}

/**
 * The objects whose names begin with that of a folder: for `.b2d` stores and sparse frames.
 *
 * @param url `s3://bucket/folder`
 * @throws ArgumentError for another URL
 * @example
 * ```ts
 * using store = await openRemoteStore(s3Files("s3://scans/run.b2d", { keys }));
 * ```
 */
export function s3Files(url: string | URL, options: S3Options = {}): RemoteFiles {
  checkOptionNames(S3_NAMES, options);
  const { bucket, key } = parseS3Url(url);
  const folder = key.replace(/\/+$/, "");
  const prefix = folder === "" ? "" : `${folder}/`;
  return {
    name: `s3://${bucket}/${folder}`,
    source: (path) => s3Source(`s3://${bucket}/${prefix}${path}`, options),
    list: async (signal) => {
      const names: string[] = [];
      for await (const name of listObjects(bucket, prefix, options, signal)) names.push(name.slice(prefix.length));
      return names;
    },
  };
}

/** Pages of 1000 names; more are no store. */
const MAX_PAGES = 10_000;

async function* listObjects(
  bucket: string,
  prefix: string,
  options: S3Options,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const base = s3HttpUrl({ bucket, key: "" }, options);
  let token: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { "list-type": "2", "encoding-type": "url", prefix };
    const url = base + queryOf(token === undefined ? query : { ...query, "continuation-token": token });
    const { text } = await sendS3({ operation: "list", method: "GET", url }, options, signal);
    for (const [, name] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
      yield decodeURIComponent((name as string).replaceAll("+", "%20"));
    }
    token = xmlText(text, "NextContinuationToken");
    if (token === undefined) return;
  }
}
