/**
 * Detaching the ArrayBuffer of a mapping. Touching a view of unmapped memory kills the process; a detached view has
 * length 0 and is harmless. So every view is detached before its memory is unmapped.
 *
 * @module
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Transfer = (this: ArrayBuffer, newLength: number) => ArrayBuffer;

const FLAG = "harmony-rab-gsab-transfer";
/** Another thread may switch the flag back between the two calls. */
const ATTEMPTS = 8;

/** Node 20 has `ArrayBuffer.prototype.transfer` behind a flag, which counts when a context is made: make one, reset the flag. */
function transferOfNewContext(): Transfer | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    setFlagsFromString(`--${FLAG}`);
    const transfer: unknown = runInNewContext("ArrayBuffer.prototype.transfer");
    setFlagsFromString(`--no-${FLAG}`);
    if (typeof transfer === "function") return transfer as Transfer;
  }
  return undefined;
}

function detaches(transfer: Transfer): boolean {
  const probe = new ArrayBuffer(8);
  transfer.call(probe, 0);
  return probe.byteLength === 0;
}

function findTransfer(): Transfer | undefined {
  const builtIn = (ArrayBuffer.prototype as { transfer?: Transfer }).transfer;
  if (builtIn !== undefined) return detaches(builtIn) ? builtIn : undefined;
  if (process.versions.node?.split(".")[0] !== "20") return undefined;
  const transfer = transferOfNewContext();
  return transfer !== undefined && detaches(transfer) ? transfer : undefined;
}

let transfer: Transfer | undefined;
let searched = false;

/** Whether {@link detachBuffer} works in this runtime. */
export function canDetach(): boolean {
  if (!searched) {
    transfer = findTransfer();
    searched = true;
  }
  return transfer !== undefined;
}

/** Detaches the buffer: its views have length 0 from then on. False where the runtime can't. */
export function detachBuffer(buffer: ArrayBuffer): boolean {
  if (!canDetach() || transfer === undefined) return false;
  transfer.call(buffer, 0);
  return buffer.byteLength === 0;
}
