/** From where the zlib and the zstd of this process come. @module */
import { ArgumentError, type Codec } from "@b2frame/core";
import { zlibCodec } from "@b2frame/core/codec";
import { zstdCodec } from "@b2frame/core/zstd";
import { type NativeCodecName, nativeLibrary } from "./find-libraries.js";
import { nativeCodec } from "./native-codec.js";
import { nodeZlibCodec } from "./node-zlib-codec.js";
import { nodeZstdCodec } from "./node-zstd-codec.js";

/**
 * Where a codec comes from: `"program"`, the C library that the running program exports (Node has zlib, and from 22.15 on zstd);
 * `"system"`, a C library of the system; both through `koffi`. `"node"`, the module `node:zlib`. `"portable"`, the package itself.
 */
export type CodecOrigin = "program" | "system" | "node" | "portable";

/** In the order of preference. */
export const CODEC_ORIGINS: readonly CodecOrigin[] = ["program", "system", "node", "portable"];

/** The origin of one codec of this process. */
export interface CodecLibrary {
  readonly codec: NativeCodecName;
  readonly origin: CodecOrigin;
  /** What it is, with its version where that is known. */
  readonly library: string;
  /** Why the origins before it are not used. */
  readonly passedOver: readonly { readonly origin: CodecOrigin; readonly reason: string }[];
}

/** A codec that was chosen, and what it is. */
export interface CodecChoice {
  readonly codec: Codec;
  readonly description: CodecLibrary;
}

/** A codec, or why there is none. */
type Candidate =
  | { readonly codec: Codec; readonly library: string }
  | { readonly codec: undefined; readonly reason: string };

const PORTABLE: Readonly<Record<NativeCodecName, Codec>> = { zlib: zlibCodec, zstd: zstdCodec };

/** C-Blosc2's choices of levels. */
const LEVELS: Readonly<Record<NativeCodecName, (clevel: number) => number>> = {
  zlib: (clevel) => Math.min(9, Math.max(1, clevel)),
  zstd: (clevel) => (clevel >= 9 ? 22 : 2 * Math.max(1, clevel) - 1),
};

function fromLibrary(name: NativeCodecName, owner: "program" | "system"): Candidate {
  const result = nativeLibrary(name, owner);
  if (result.library === undefined) return { codec: undefined, reason: result.reason };
  const of = result.file === null ? "the running program" : result.file;
  const limit = result.library.maxLevel < LEVELS[name](9) ? `, levels up to ${result.library.maxLevel}` : "";
  return {
    codec: nativeCodec(result.library, PORTABLE[name], LEVELS[name]),
    library: `${name} ${result.library.version} of ${of}${limit}`,
  };
}

function fromNode(name: NativeCodecName): Candidate {
  const codec = name === "zlib" ? nodeZlibCodec : nodeZstdCodec();
  if (codec === undefined) return { codec, reason: "node:zlib has no zstd that honours dictionaries" };
  const version: string | undefined = process.versions[name];
  return { codec, library: `${name}${version === undefined ? "" : ` ${version}`} of node:zlib` };
}

function candidateOf(name: NativeCodecName, origin: CodecOrigin): Candidate {
  if (origin === "portable") return { codec: PORTABLE[name], library: "b2frame's own" };
  return origin === "node" ? fromNode(name) : fromLibrary(name, origin);
}

const candidates = new Map<string, Candidate>();

function candidate(name: NativeCodecName, origin: CodecOrigin): Candidate {
  const key = `${name} ${origin}`;
  let known = candidates.get(key);
  if (known === undefined) {
    known = candidateOf(name, origin);
    candidates.set(key, known);
  }
  return known;
}

/** The codec of one origin, the same one at each call of a thread; `undefined` where that has none. */
export function codecFrom(name: NativeCodecName, origin: CodecOrigin): Codec | undefined {
  return candidate(name, origin).codec;
}

/** The first of the origins that has the codec. @throws ArgumentError when none has. */
export function chooseCodec(name: NativeCodecName, origins: readonly CodecOrigin[]): CodecChoice {
  const passedOver: { origin: CodecOrigin; reason: string }[] = [];
  for (const origin of origins) {
    const found = candidate(name, origin);
    if (found.codec !== undefined) {
      return { codec: found.codec, description: { codec: name, origin, library: found.library, passedOver } };
    }
    passedOver.push({ origin, reason: found.reason });
  }
  const reasons = passedOver.map(({ origin, reason }) => `${origin}: ${reason}`).join("; ");
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `no ${name} is to be had here (${reasons})`, {
    parameter: "origins",
  });
}

/**
 * Which libraries zlib and zstd come from in this process, found out by trying them.
 *
 * @example
 * ```ts
 * for (const { codec, library } of codecLibraries()) console.log(codec, library); // zstd 1.5.7 of the running program
 * ```
 */
export function codecLibraries(): CodecLibrary[] {
  return (["zlib", "zstd"] as const).map((name) => chooseCodec(name, CODEC_ORIGINS).description);
}
