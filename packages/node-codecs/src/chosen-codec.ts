/** Codecs that are chosen when they are first used: to open C libraries takes longer than many a program that needs none. @module */
import type { Codec } from "@b2frame/core";
import { zstdCodec } from "@b2frame/core/zstd";
import { type CodecChoice, type CodecOrigin, chooseCodec, codecFrom } from "./codec-origins.js";
import type { NativeCodecName } from "./find-libraries.js";

/** The codecs that {@link chosenCodec} made, and the choice of each. */
const choices: WeakMap<Codec, () => CodecChoice> = new WeakMap();

/** A codec that is the first of its origins to work, found out at its first use. */
export function chosenCodec(name: NativeCodecName, origins: readonly CodecOrigin[]): Codec {
  let choice: CodecChoice | undefined;
  const choose = (): CodecChoice => {
    choice ??= chooseCodec(name, origins);
    return choice;
  };
  const codec: Codec = {
    id: name === "zlib" ? 4 : 5,
    name,
    formatCode: name === "zlib" ? 3 : 4,
    dictionaries: name === "zstd",
    compress: (source, target, context) => choose().codec.compress?.(source, target, context) ?? 0,
    decompress: (source, target, context) => choose().codec.decompress(source, target, context),
    ...(name === "zstd" && zstdCodec.trainDictionary !== undefined
      ? { trainDictionary: zstdCodec.trainDictionary }
      : {}),
  };
  choices.set(codec, choose);
  return codec;
}

/** The origin of a codec of this package, chosen now if it was not; `undefined` for any other codec. */
export function originOf(codec: Codec): CodecOrigin | undefined {
  const choice = choices.get(codec);
  if (choice !== undefined) return choice().description.origin;
  if (codec.name !== "zlib" && codec.name !== "zstd") return undefined;
  return codec === codecFrom(codec.name, "node") ? "node" : undefined;
}
