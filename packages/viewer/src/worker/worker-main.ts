/** The worker: reads and decodes, so that the page never waits. @module */
import { isBlosc2Error } from "@b2frame/core/read";
import { OPERATIONS } from "./operations.js";
import type { Answer, Failure, Request } from "./protocol.js";

/** The part of a worker's scope that is used here. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(answer: Answer, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const running = new Map<number, AbortController>();

function failureOf(error: unknown): Failure {
  if (isBlosc2Error(error)) return { name: error.name, code: error.code, message: error.message };
  if (error instanceof DOMException) return { name: error.name, code: error.name, message: error.message };
  return { name: "Error", code: undefined, message: error instanceof Error ? error.message : String(error) };
}

/** The buffers in an answer, to be moved and not copied. A view of a larger buffer is copied. */
function buffersOf(output: unknown): ArrayBuffer[] {
  const values = ArrayBuffer.isView(output) ? [output] : Object.values(output ?? {});
  const buffers = values.flatMap((value) =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  );
  return [...new Set(buffers)];
}

async function run(id: number, name: keyof typeof OPERATIONS, input: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { signal } = controller;
    const tell = (done: number, total: number): void => scope.postMessage({ id, done, total }, []);
    const output = await OPERATIONS[name](input as never, { signal, tell });
    scope.postMessage({ id, output }, buffersOf(output));
  } catch (error) {
    scope.postMessage({ id, failure: failureOf(error) }, []);
  } finally {
    running.delete(id);
  }
}

scope.onmessage = ({ data }) => {
  if ("cancel" in data) running.get(data.id)?.abort();
  else void run(data.id, data.name, data.input);
};
