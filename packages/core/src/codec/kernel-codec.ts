/** Which codecs the kernels read and write as well. @module */
import type { Codec } from "./codec.js";

const withKernels: WeakSet<Codec> = new WeakSet();

/** Notes that the kernels can do what this codec does. A codec that a user registers in its place is not noted. */
export function kernelCodec(codec: Codec): Codec {
  withKernels.add(codec);
  return codec;
}

/** Whether the kernels can do what this codec does. */
export function hasKernels(codec: Codec): boolean {
  return withKernels.has(codec);
}
