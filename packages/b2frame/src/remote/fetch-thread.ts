/** The thread that fetches ranges of a URL while the one that wants them waits. @module */
import { type MessagePort, workerData } from "node:worker_threads";
import { type Blosc2Error, IoError, isBlosc2Error } from "@b2frame/core";
import { type ByteSource, httpSource } from "@b2frame/remote";
import type { FetchOrder, FetchReport, FetchSetup } from "./fetch-protocol.js";

const { url, s3, answered, port } = workerData as FetchSetup & { readonly port: MessagePort };
let source: ByteSource | undefined;
let version: string | undefined;
let size: number | undefined;

async function makeSource(): Promise<ByteSource> {
  if (s3 === undefined) return httpSource(url);
  const { s3Source } = await import("@b2frame/remote/s3");
  return s3Source(url, s3);
}

async function read(position: number, byteLength: number, clamp: boolean): Promise<Uint8Array> {
  source ??= await makeSource();
  const answer = await source.readRange({ position, byteLength }, { clamp });
  if (answer.version !== undefined && version !== undefined && answer.version !== version) {
    throw new IoError("BLOSC2_IO_STALE", `${url}: was replaced while it was read; run the command again`, {
      operation: "read",
      path: url,
      position,
      length: byteLength,
      expected: version,
      found: answer.version,
    });
  }
  version ??= answer.version;
  size ??= answer.size;
  if (clamp && answer.bytes.byteLength < byteLength) size ??= position + answer.bytes.byteLength;
  return answer.bytes;
}

async function carryOut(order: FetchOrder): Promise<FetchReport> {
  const parts = await Promise.all(
    order.ranges.map(({ position, byteLength }) => read(position, byteLength, order.clamp)),
  );
  if (order.size) size ??= await source?.findSize?.();
  return { ok: true, parts, size };
}

function failureOf(error: unknown): FetchReport {
  if (!isBlosc2Error(error))
    return { ok: false, code: undefined, message: String(error), details: { operation: "read" } };
  const { code, message, details }: Blosc2Error = error;
  return { ok: false, code, message, details: { operation: "read", ...details } };
}

port.on("message", (order: FetchOrder) => {
  void carryOut(order)
    .catch(failureOf)
    .then((report) => {
      port.postMessage(report);
      Atomics.add(answered, 0, 1);
      Atomics.notify(answered, 0);
    });
});
