import { type IoBackend, memory } from "@b2frame/core";
import { RangeCacheHandle } from "@b2frame/core/backend";
import { describe, expect, it } from "vitest";
import { runIoBackendSuite } from "../src/index.js";

const test = { describe, expect, it };
let count = 0;
const makePath = (): string => `file-${count++}`;

runIoBackendSuite({ name: "memory", backend: () => memory(), makePath, test });
runIoBackendSuite({
  name: "memory with a small limit",
  backend: () => memory({ maxFileSize: 400_000 }),
  makePath,
  test,
});

/** Files whose bytes were all fetched, in pieces of 1000 bytes. */
class FetchedFiles implements IoBackend {
  readonly name = "fetched ranges";
  readonly capabilities = { write: false, zeroCopy: false, copyOnWrite: false, sparseFrames: false };
  readonly source = memory();

  open(path: string): RangeCacheHandle {
    const source = this.source.open(path, "r");
    const handle = new RangeCacheHandle(source.size(), [], path);
    for (let position = 0; position < source.size(); position += 1000) {
      const length = Math.min(1000, source.size() - position);
      handle.add({ position, bytes: source.read(position, length).slice() });
    }
    return handle;
  }

  exists(path: string): boolean {
    return this.source.exists(path);
  }

  remove(path: string): void {
    this.source.remove(path);
  }

  rename(from: string, to: string): void {
    this.source.rename(from, to);
  }
}

runIoBackendSuite({
  name: "fetched ranges",
  backend: () => new FetchedFiles(),
  makePath,
  test,
  put: (backend, path, bytes) => (backend as FetchedFiles).source.open(path, "w+").write(0, bytes),
});
