/** `pnpm torture bits`: flips every single bit of frames and stores with checksums; none may be read as something else. @module */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IoBackend, isBlosc2Error, verifyFrame } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { registerNodeCodecs } from "@b2frame/node-codecs";
import { verifyStore } from "@b2frame/stores";
import { digestOf, type ReadAs } from "./bits/sound-read.js";
import { SUMMED_FRAMES } from "./bits/summed-frames.js";
import type { Tally } from "./tally.js";

/** Options of {@link flipBits}. */
export interface BitsOptions {
  /** Only each so many-th bit. */
  readonly stride: number;
  /** The first one. */
  readonly seed: number;
}

/** What came of one bit. */
interface Outcomes {
  refused: number;
  harmless: number;
  /** Refused by `verify`, and read. */
  strict: number;
}

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

/** The digest of what is read; undefined where that is refused. @throws Error for what is no error of ours */
function readOr(path: string, io: IoBackend, as: ReadAs): string | undefined {
  try {
    return digestOf(path, io, as);
  } catch (error) {
    if (!isBlosc2Error(error)) throw new Error(`raw error: ${error instanceof Error ? error.stack : error}`);
    return undefined;
  }
}

function isVerified(path: string, io: IoBackend, as: ReadAs): boolean {
  try {
    return (as === "store" ? verifyStore(path, io) : verifyFrame(path, io)).ok;
  } catch (error) {
    if (!isBlosc2Error(error)) throw new Error(`raw error of verify: ${error instanceof Error ? error.stack : error}`);
    return false;
  }
}

/** Flips the bits, one at a time, and says how many were noticed and how many made no difference. */
export function flipBits({ stride, seed }: BitsOptions, tally: Tally): void {
  registerNodeCodecs();
  const io = stdio();
  const folder = mkdtempSync(join(tmpdir(), "b2frame-bits-"));
  let at = seed % stride;
  try {
    for (const { name, as, make } of SUMMED_FRAMES) {
      const path = join(folder, name.includes("store") ? name : "frame");
      make(path, io);
      const right = digestOf(path, io, as);
      if (!isVerified(path, io, as)) throw new Error(`${name}: is not sound before anything is flipped`);
      const outcomes: Outcomes = { refused: 0, harmless: 0, strict: 0 };
      for (const file of filesUnder(path)) {
        const bytes = readFileSync(file);
        const bits = 8 * bytes.byteLength;
        for (; at < bits; at += stride) {
          flip(bytes, at);
          writeFileSync(file, bytes);
          tally.attempt(`${name}: bit ${at & 7} of byte ${at >> 3} of ${file.slice(folder.length)}`, () => {
            const found = readOr(path, io, as);
            const verified = isVerified(path, io, as);
            if (found === undefined && verified) throw new Error("refused by reading, and verified");
            if (found !== undefined && found !== right) throw new Error("silent: other content");
            if (found === undefined) outcomes.refused++;
            else if (verified) outcomes.harmless++;
            else outcomes.strict++;
          });
          flip(bytes, at);
        }
        writeFileSync(file, bytes);
        at -= bits;
      }
      const { refused, harmless, strict } = outcomes;
      console.log(`${name}: ${refused} noticed, ${harmless} make no difference, ${strict} noticed by verify only`);
      rmSync(path, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
