/** A codec of the user's, for tests: bytes in reverse order, deflated. */
import { isMainThread } from "node:worker_threads";
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

/** The same on this thread; another one ends when it is to decompress. */
export function registerDying() {
  const decompress = isMainThread ? reversed.decompress : () => process.exit(3);
  registerCodec({ ...reversed, id: 201, name: "dying", decompress }, { probe: false });
}

export function fail() {
  throw new Error("the setup fails");
}
