/** What a decoding worker runs, in a page and in Node. @module */
import { encodeError } from "@b2frame/core/backend";
import { Decoder } from "./decode-task.js";
import type { Reply, Request } from "./messages.js";
import { nodeThreads } from "./node-threads.js";

const decoder = new Decoder();
const port = nodeThreads()?.parentPort ?? undefined;

function send(reply: Reply, transfer: ArrayBuffer[]): void {
  if (port !== undefined) port.postMessage(reply, transfer);
  else (globalThis as unknown as Worker).postMessage(reply, transfer);
}

/** The bytes in memory of their own, which can move. */
function movable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return whole ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

function answer(request: Request): void {
  if (request.type === "frame") decoder.learn(request.frame);
  else if (request.type === "forget") decoder.forget(request.frame);
  else {
    const { call, task } = request;
    try {
      const bytes = movable(decoder.decode(task));
      send({ call, bytes }, [bytes.buffer]);
    } catch (error) {
      send({ call, error: encodeError(error) }, []);
    }
  }
}

if (port !== undefined) port.on("message", answer);
// On Node's main thread nobody sends tasks, and there is nothing to listen to.
else if (typeof globalThis.addEventListener === "function")
  globalThis.addEventListener("message", ({ data }: MessageEvent<Request>) => answer(data));
