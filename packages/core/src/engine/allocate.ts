/** Memory for results in the kernels' memory. @module */
import { kernelsSupported } from "@b2frame/kernels";
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError, Blosc2Error } from "../errors.js";
import { KernelsMemory } from "./kernels-memory.js";
import { keepMemoryOf } from "./target-memory.js";

const PAGE = 65_536;
/** Room beside the target for blocks of so many bytes, and for so many compressed bytes. What needs more is decoded elsewhere and copied. */
const BLOCK_BYTES = 2 ** 21;
const STAGING_BYTES = 2 ** 22;
/** A memory of WebAssembly has 4 GiB, of which blocks and windows into files have their part. */
const LARGEST = 2 ** 32 - 2 ** 27;

/**
 * Memory for results. As the `target` of a read it is the fastest there is: blocks are decompressed right into it, where any other array is
 * copied to. It is filled with zeros, and can be used as often as you like.
 *
 * Make few and use them again: each has some 80 MiB of address space beside it, in which the decompression takes place, and goes with the last
 * view of it. It does not begin at the front of its `buffer`, which can be neither transferred nor detached; pass `byteOffset` along when
 * you make another view of it, and `slice()` it before you send it to a thread. Where there are no kernels, and from nearly 4 GiB on, it is
 * an array like others.
 *
 * @throws ArgumentError for a length that is no integer from 0 on; Blosc2Error `BLOSC2_LIMIT_EXCEEDED` when the platform refuses the memory
 *
 * @example
 * ```ts
 * const target = allocate(schunk.chunksize);
 * for (let i = 0; i < schunk.nchunks; i++) use(schunk.decompressChunk(i, { target }));
 * const numbers = new Float64Array(target.buffer, target.byteOffset, target.byteLength / 8);
 * ```
 */
export function allocate(byteLength: number): Uint8Array {
  if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
    const found = describeValue(byteLength);
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `byteLength: expected an integer from 0 on, found ${found}`, {
      parameter: "byteLength",
      expected: "an integer from 0 on",
      found,
    });
  }
  try {
    return byteLength === 0 || byteLength > LARGEST || !kernelsSupported()
      ? new Uint8Array(byteLength)
      : allocateInKernels(byteLength);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Blosc2Error("BLOSC2_LIMIT_EXCEEDED", `no memory for ${byteLength} bytes`, { byteLength }, cause);
  }
}

function allocateInKernels(byteLength: number): Uint8Array {
  const memory = new KernelsMemory();
  memory.reserve(BLOCK_BYTES, STAGING_BYTES, BLOCK_BYTES);
  const { kernels, windows } = memory;
  const address = kernels.setAside(Math.ceil(byteLength / PAGE), () => {});
  windows.make();
  const target = kernels.bytes.subarray(address, address + byteLength);
  keepMemoryOf(target, memory);
  return target;
}
