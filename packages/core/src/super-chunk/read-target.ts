/** Memory of the caller's that receives what is read. @module */
import { describeValue } from "../checks/describe-value.js";
import { ArgumentError } from "../errors.js";

/** Where the result of a read goes. */
export interface ReadTarget {
  /** Receives the bytes, from its front on, whatever kind of view it is; memory of its own is made if it is absent. */
  readonly target?: ArrayBufferView | undefined;
}

/** The bytes of the target, if there is one. @throws ArgumentError for anything that is no view, and for a view in place of the options */
export function targetBytes(options: ReadTarget): Uint8Array | undefined {
  const isView = ArrayBuffer.isView(options);
  const target: unknown = isView ? options : options.target;
  if (target === undefined) return undefined;
  if (isView || !ArrayBuffer.isView(target)) {
    const expected = isView ? "{ target: view }" : "a typed array or a DataView";
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `target: expected ${expected}, found ${describeValue(target)}`, {
      parameter: "target",
      expected,
      found: describeValue(target),
    });
  }
  return new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
}
