/** A codec of the user's, for tests: bytes in reverse order, deflated. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { registerCodec } from "@b2frame/core";

export const reversed = {
  id: 200,
  name: "reversed",
  formatCode: 6,
  dictionaries: false,
  compress(source, target) {
    const stream = deflateRawSync(source.slice().reverse());
    if (stream.byteLength > target.byteLength) return 0;
    target.set(stream);
    return stream.byteLength;
  },
  decompress(source, target) {
    target.set(inflateRawSync(source).reverse());
    return target.byteLength;
  },
};

export function register() {
  registerCodec(reversed);
}

export function fail() {
  throw new Error("the setup fails");
}
