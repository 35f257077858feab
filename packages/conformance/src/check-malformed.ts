/** Malformed entries, and valid ones beside them: what is refused, how fast, and with how much memory. @module */
import { isBlosc2Error, SChunk } from "@b2frame/core";
import { openArray, readAll } from "./check-array.js";
import { openChunk } from "./check-chunk.js";
import { openFrame } from "./check-frame.js";
import type { CorpusFiles } from "./corpus-files.js";
import { Mismatch, sha256 } from "./facts.js";
import type { Entry } from "./manifest.js";
import type { Setup } from "./setup.js";
import { unsupportedFeature } from "./setup.js";

const MAX_MILLISECONDS = 1000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The frame's chunks, then its vlmetalayers: what the manifest's hash covers. */
function frameContent(frame: SChunk): Uint8Array[] {
  const vlmetalayers = frame.vlmeta.keys().map((name) => frame.vlmeta.get(name));
  return [...frame.iterChunks(), ...vlmetalayers];
}

/** Every way in which an entry can be read: each gives the decoded bytes or throws. */
function readers(entry: Entry, files: CorpusFiles, setup: Setup): (() => Uint8Array[])[] {
  switch (entry.kind) {
    case "malformed-chunk":
    case "chunk-c-unreadable": {
      const bytes = files.bytesOf(entry);
      return [() => [openChunk(bytes, setup.options).decompress()]];
    }
    case "malformed-b2nd": {
      const place = files.placeOf(entry);
      return [
        () => {
          using array = openArray(place, setup);
          return [readAll(array)];
        },
      ];
    }
    default: {
      const place = entry.kind === "malformed-sframe" ? { path: files.pathOf(entry), offset: 0 } : files.placeOf(entry);
      const byPath = (): Uint8Array[] => {
        using frame = openFrame(place, setup);
        return frameContent(frame);
      };
      if (setup.backendName !== "memory") return [byPath];
      const bytes = files.bytesOf(entry);
      const fromBuffer = (): Uint8Array[] => {
        using frame = SChunk.fromCframe(bytes, setup.options);
        return frameContent(frame);
      };
      return [byPath, fromBuffer];
    }
  }
}

/** The hashes that the manifest allows for decoded content. */
function allowedHashes(entry: Entry): (string | undefined)[] {
  if (entry.expect === "reject-or-input") return [entry.sha256];
  const decoded = Object.values(entry.c ?? {}).filter(({ result }) => result === "ok");
  return decoded.map((result) => result.sha256);
}

/** Runs `read`, with limits on time and memory, and judges what came of it. */
function judge(entry: Entry, read: () => Uint8Array[]): void {
  const memoryBefore = process.memoryUsage();
  const started = performance.now();
  let content: Uint8Array[] | undefined;
  let thrown: unknown;
  try {
    content = read();
  } catch (error) {
    thrown = error;
  }
  const elapsed = performance.now() - started;
  const memory = process.memoryUsage();
  if (elapsed > MAX_MILLISECONDS) throw new Mismatch(`took ${elapsed.toFixed(0)} ms, more than ${MAX_MILLISECONDS}`);
  const grown = Math.max(memory.arrayBuffers - memoryBefore.arrayBuffers, memory.rss - memoryBefore.rss);
  if (grown > MAX_BYTES) throw new Mismatch(`memory grew by ${grown} bytes, more than ${MAX_BYTES}`);
  if (content === undefined) {
    if (!isBlosc2Error(thrown)) throw new Mismatch(`threw something else than a Blosc2Error: ${describeError(thrown)}`);
    if (entry.expect === "accept") throw thrown;
    return;
  }
  if (entry.expect === "reject") throw new Mismatch("was accepted, must be rejected");
  if (entry.expect === "reject-preferred") return;
  const found = sha256(...content);
  if (!allowedHashes(entry).includes(found)) throw new Mismatch(`decodes to other bytes: sha256 ${found}`);
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Checks what b2frame makes of an entry against the manifest's `expect`.
 *
 * @throws Mismatch; or UnsupportedError when a valid entry is refused as such.
 */
export function checkMalformed(entry: Entry, files: CorpusFiles, setup: Setup): void {
  for (const read of readers(entry, files, setup)) {
    try {
      judge(entry, read);
    } catch (error) {
      if (error instanceof Mismatch || unsupportedFeature(error) !== undefined) throw error;
      throw new Mismatch(`is valid, but was rejected: ${describeError(error)}`);
    }
  }
}
