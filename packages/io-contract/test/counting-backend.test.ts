import { memory } from "@b2frame/core";
import { openChecked } from "@b2frame/core/backend";
import { describe, expect, it } from "vitest";
import { counting } from "../src/index.js";

describe("counting", () => {
  it("counts what reaches the backend, and where it read", () => {
    const backend = counting(memory());
    const handle = openChecked(backend, "a", "w+");
    handle.write(0, new Uint8Array(100));
    handle.write(100, new Uint8Array(50));
    handle.read(10, 20);
    handle.readInto(30, new Uint8Array(5));
    handle.size();
    handle.truncate(120);
    handle.flush();
    handle.close();
    backend.rename("a", "b");
    backend.remove("b");
    expect(backend.counts).toEqual({
      opens: 1,
      closes: 1,
      reads: 2,
      bytesRead: 25,
      writes: 2,
      bytesWritten: 150,
      truncates: 1,
      flushes: 1,
      sizes: 1,
      renames: 1,
      removes: 1,
    });
    expect(backend.spans).toEqual([
      { path: "a", position: 10, byteLength: 20 },
      { path: "a", position: 30, byteLength: 5 },
    ]);
    backend.reset();
    expect(backend.counts.opens).toBe(0);
    expect(backend.spans).toEqual([]);
  });

  it("has the capabilities of the backend inside, and says whose it is", () => {
    const backend = counting(memory({ maxFileSize: 7 }));
    expect(backend.capabilities.maxFileSize).toBe(7);
    expect(backend.name).toBe("counting(memory)");
    expect(backend.directories).toBeUndefined();
  });
});
