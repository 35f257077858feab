/** What metalayers hold. @module */
import type { Metalayers, VlMetalayers } from "@b2frame/core";
import { jsonValue } from "../render/json-value.js";

/** One metalayer, with its value where it holds msgpack. */
export interface MetalayerFacts {
  readonly name: string;
  readonly byteLength: number;
  /** The value, if the bytes are msgpack. */
  readonly value?: unknown;
  /** The first bytes, if they are not. */
  readonly hex?: string;
}

const SHOWN_BYTES = 64;

/** Describes each, in the order of the file. @throws FormatError or CodecError for a vlmetalayer that can't be decompressed */
export function describeMetalayers(layers: Metalayers | VlMetalayers): MetalayerFacts[] {
  return layers.keys().map((name) => {
    const bytes = layers.get(name);
    const { byteLength } = bytes;
    try {
      return { name, byteLength, value: jsonValue(layers.getValue(name)) };
    } catch {
      return { name, byteLength, hex: Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString("hex") };
    }
  });
}
