/** Ranges of one file as RFC 9110 has them. @module */
import { type BigIntStats, closeSync, constants, createReadStream, fstatSync, openSync, realpathSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ViewedFile } from "./viewed-files.js";

interface Span {
  readonly first: number;
  readonly last: number;
}

/** What a `Range` header asks for: one span; undefined for all of the file; "none" if it has no such bytes. */
function spanOf(header: string | undefined, size: number): Span | "none" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  // Several ranges, and units that are not known, may be answered with the whole file.
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(size, Number(to));
    return length === 0 ? "none" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== "" && Number(to) < first) return undefined;
  return first >= size ? "none" : { first, last: to === "" ? size - 1 : Math.min(size - 1, Number(to)) };
}

function tagOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `"${[dev, ino, size, mtimeNs].map((part) => part.toString(36)).join("-")}"`;
}

function lists(header: string, tag: string): boolean {
  return header.trim() === "*" || header.split(",").some((each) => each.trim() === tag);
}

/** Answers a request for a file. */
export function sendFile(request: IncomingMessage, response: ServerResponse, file: ViewedFile): void {
  const { method, headers } = request;
  let descriptor: number;
  try {
    // What was no link when the list was made must not have become one.
    if (realpathSync(file.path) !== file.path) throw new Error("moved");
    descriptor = openSync(file.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch {
    response.writeHead(404, { "content-type": "text/plain" }).end("The file is no longer there.\n");
    return;
  }
  let streaming = false;
  try {
    const stat = fstatSync(descriptor, { bigint: true });
    const size = Number(stat.size);
    const tag = tagOf(stat);
    const { range } = headers;
    const ifMatch = headers["if-match"];
    const ifNoneMatch = headers["if-none-match"];
    const ifRange = headers["if-range"];
    response.setHeader("etag", tag);
    response.setHeader("accept-ranges", "bytes");
    response.setHeader("content-type", "application/octet-stream");
    if (ifMatch !== undefined && !lists(ifMatch, tag)) {
      response.writeHead(412).end();
      return;
    }
    if (ifNoneMatch !== undefined && lists(ifNoneMatch, tag)) {
      response.writeHead(304).end();
      return;
    }
    const span = ifRange !== undefined && ifRange !== tag ? undefined : spanOf(range, size);
    if (span === "none") {
      response.writeHead(416, { "content-range": `bytes */${size}` }).end();
      return;
    }
    const { first, last } = span ?? { first: 0, last: size - 1 };
    response.writeHead(span === undefined ? 200 : 206, {
      "content-length": last - first + 1,
      ...(span === undefined ? {} : { "content-range": `bytes ${first}-${last}/${size}` }),
    });
    if (method === "HEAD" || size === 0) {
      response.end();
      return;
    }
    streaming = true;
    const stream = createReadStream("", { fd: descriptor, start: first, end: last });
    // The headers are gone: all that is left to say is that the answer is not whole.
    stream.on("error", () => response.destroy());
    response.on("close", () => stream.destroy());
    stream.pipe(response);
  } finally {
    if (!streaming) closeSync(descriptor);
  }
}
