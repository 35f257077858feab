/** What S3 does with one object, one function for each kind of request. @module */
import { IoError, isBlosc2Error } from "@b2frame/core/read";
import type { SourceRange } from "../byte-source.js";
import { parseS3Url, s3HttpUrl } from "./s3-address.js";
import { queryOf, type S3Answer, sendS3, xmlEscaped, xmlText } from "./s3-request.js";
import type { S3Options } from "./s3-source.js";

/** What must hold so that an object is written: it is that of this ETag, or there is none. */
export interface WriteCondition {
  readonly ifMatch?: string | undefined;
  readonly ifAbsent?: boolean | undefined;
}

/** What is known of an object without its content. */
export interface ObjectFacts {
  readonly etag: string;
  readonly byteLength: number;
  readonly headers: Headers;
}

/** A part that has been uploaded or copied. */
export interface FinishedPart {
  readonly number: number;
  readonly etag: string;
}

function conditionHeaders({ ifMatch, ifAbsent }: WriteCondition): Record<string, string> {
  if (ifMatch !== undefined) return { "if-match": ifMatch };
  return ifAbsent === true ? { "if-none-match": "*" } : {};
}

/** One object. Every method throws what `sendS3` throws. */
export class S3Object {
  /** `s3://bucket/key` */
  readonly name: string;
  readonly #url: string;
  readonly #copySource: string;
  readonly #options: S3Options;

  /** @throws ArgumentError unless it is `s3://bucket/key` */
  constructor(url: string | URL, options: S3Options) {
    const address = parseS3Url(url);
    this.name = `s3://${address.bucket}/${address.key}`;
    this.#url = s3HttpUrl(address, options);
    this.#copySource = new URL(s3HttpUrl(address, { endpoint: "http://copy", pathStyle: true })).pathname;
    this.#options = options;
  }

  /** @returns undefined if there is none */
  async head(signal: AbortSignal | undefined): Promise<ObjectFacts | undefined> {
    try {
      const { headers } = await this.#send("head", "HEAD", signal);
      const etag = headers.get("etag");
      if (etag === null || etag.startsWith("W/")) throw this.#unusable("head", `a strong ETag, found ${etag}`);
      return { etag, byteLength: Number(headers.get("content-length")), headers };
    } catch (error) {
      if (isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")) return undefined;
      throw error;
    }
  }

  /** @returns the new ETag */
  async put(
    body: Uint8Array,
    condition: WriteCondition,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const answer = await this.#send("put", "PUT", signal, {}, { ...headers, ...conditionHeaders(condition) }, body);
    return this.#etagOf("put", answer.headers.get("etag"));
  }

  /** @returns the id of the upload */
  async begin(headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<string> {
    const { text } = await this.#send("begin upload", "POST", signal, { uploads: "" }, headers);
    const id = xmlText(text, "UploadId");
    if (id === undefined) throw this.#unusable("begin upload", "an UploadId");
    return id;
  }

  async uploadPart(
    uploadId: string,
    number: number,
    body: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<FinishedPart> {
    const query = { partNumber: String(number), uploadId };
    const { headers } = await this.#send("upload part", "PUT", signal, query, {}, body);
    return { number, etag: this.#etagOf("upload part", headers.get("etag")) };
  }

  /** Copies bytes of the object as it is, if it still has that ETag. */
  async copyPart(
    uploadId: string,
    number: number,
    { position, byteLength }: SourceRange,
    etag: string,
    signal: AbortSignal | undefined,
  ): Promise<FinishedPart> {
    const { text } = await this.#send(
      "copy part",
      "PUT",
      signal,
      { partNumber: String(number), uploadId },
      {
        "x-amz-copy-source": this.#copySource,
        "x-amz-copy-source-range": `bytes=${position}-${position + byteLength - 1}`,
        "x-amz-copy-source-if-match": etag,
      },
    );
    return { number, etag: this.#etagOf("copy part", xmlText(text, "ETag")) };
  }

  /** @returns the new object's ETag */
  async complete(
    uploadId: string,
    parts: readonly FinishedPart[],
    condition: WriteCondition,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const list = [...parts]
      .sort((a, b) => a.number - b.number)
      .map(({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${xmlEscaped(etag)}</ETag></Part>`);
    const body = new TextEncoder().encode(`<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`);
    const headers = conditionHeaders(condition);
    const { text } = await this.#send("complete upload", "POST", signal, { uploadId }, headers, body);
    return this.#etagOf("complete upload", xmlText(text, "ETag"));
  }

  /** Gives an upload up. One that is not there any longer is as good. */
  async abort(uploadId: string): Promise<void> {
    try {
      await this.#send("abort upload", "DELETE", undefined, { uploadId });
    } catch (error) {
      if (!isBlosc2Error(error, "BLOSC2_IO_NOT_FOUND")) throw error;
    }
  }

  async delete(signal: AbortSignal | undefined): Promise<void> {
    await this.#send("delete", "DELETE", signal);
  }

  #send(
    operation: string,
    method: string,
    signal: AbortSignal | undefined,
    query: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
    body?: Uint8Array,
  ): Promise<S3Answer> {
    const url = Object.keys(query).length === 0 ? this.#url : this.#url + queryOf(query);
    return sendS3({ operation, method, url, headers, body }, this.#options, signal);
  }

  #etagOf(operation: string, etag: string | null | undefined): string {
    if (etag === null || etag === undefined || etag === "") throw this.#unusable(operation, "an ETag");
    return etag;
  }

  #unusable(operation: string, expected: string): IoError {
    return new IoError(
      "BLOSC2_IO_FAILED",
      `${this.name}: ${operation}: the answer has not what S3 gives: expected ${expected}`,
      {
        operation,
        path: this.name,
        expected,
      },
    );
  }
}
