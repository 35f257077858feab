import { type IoBackend, memory } from "@b2frame/core";
import { describe, expect, it } from "vitest";
import { createStore, openStore } from "../src/index.js";
import { codeOf, fixtureBytes, getFile, memoryWithDirectories, numbersOf, putFile } from "./store-fixtures.js";

describe("a .b2z", () => {
  it("is as it was until the store is closed, and after discard", () => {
    const backend = memoryWithDirectories();
    const store = createStore("t.b2z", backend);
    store.set("/a", [1]);
    expect(backend.exists("t.b2z")).toBe(false);
    store.close();
    const before = getFile(backend, "t.b2z");
    const changed = openStore("t.b2z", backend, { mode: "r+" });
    changed.set("/b", [2]);
    changed.delete("/a");
    expect(getFile(backend, "t.b2z")).toEqual(before);
    changed.discard();
    expect(getFile(backend, "t.b2z")).toEqual(before);
    expect([...backend.paths]).toEqual(["t.b2z"]);
  });

  it("opened for changes that do not come stays the same file", () => {
    const backend = memoryWithDirectories();
    putFile(backend, "t.b2z", fixtureBytes("tree.b2z"));
    openStore("t.b2z", backend, { mode: "r+" }).close();
    expect(getFile(backend, "t.b2z")).toEqual(fixtureBytes("tree.b2z"));
    expect([...backend.paths]).toEqual(["t.b2z"]);
  });

  it("has the same bytes whatever was replaced and removed on the way", () => {
    const backend = memoryWithDirectories();
    using straight = createStore("straight.b2z", backend);
    straight.set("/b", [1]);
    straight.set("/a", [2]);
    straight.close();
    using detour = createStore("detour.b2z", backend);
    detour.set("/a", new Float64Array(5000));
    detour.set("/c", [3]);
    detour.set("/b", [1]);
    detour.set("/a", [2]);
    detour.delete("/c");
    detour.close();
    expect(getFile(backend, "detour.b2z")).toEqual(getFile(backend, "straight.b2z"));
    expect([...backend.paths].sort()).toEqual(["detour.b2z", "straight.b2z"]);
  });

  it("stays as it was when a disk is full", () => {
    const backend = memoryWithDirectories();
    using first = createStore("t.b2z", backend);
    first.set("/a", [1]);
    first.close();
    const before = getFile(backend, "t.b2z");
    let room = 100;
    const failing: IoBackend = {
      ...backend,
      open: (path, mode) => {
        const handle = backend.open(path, mode);
        if (mode !== "w+") return handle;
        return {
          size: () => handle.size(),
          read: (position, length) => handle.read(position, length),
          readInto: (position, target) => handle.readInto(position, target),
          truncate: (size) => handle.truncate(size),
          flush: () => handle.flush(),
          close: () => handle.close(),
          write: (position, bytes) => {
            room -= bytes.byteLength;
            if (room < 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
            handle.write(position, bytes);
          },
        };
      },
    };
    for (room = 0; room < 2000; room += 150) {
      const given = room;
      const store = openStore("t.b2z", failing, { mode: "r+" });
      const failed = codeOf(() => {
        store.set("/b", [2]);
        store.close();
      });
      room = given;
      store.discard();
      if (failed === undefined) break;
      expect(failed).toBe("BLOSC2_IO_NO_SPACE");
      expect(getFile(backend, "t.b2z")).toEqual(before);
      expect([...backend.paths]).toEqual(["t.b2z"]);
    }
    expect(room).toBeGreaterThan(0);
  });

  it("goes on where it was when a member could not be read", () => {
    const backend = memoryWithDirectories();
    using other = createStore("other.b2z", backend);
    other.set(
      "/broken",
      new Float64Array(20_000).map((_, i) => Math.sqrt(i)),
      { chunks: [1000] },
    );
    const { path, position, byteLength } = other.locate("/broken");
    using broken = other.openArray("/broken");
    const handle = backend.open(path, "r+");
    // The chunk headers of the second half: sizes that can't be.
    handle.write(position! + Math.floor(byteLength! / 2), new Uint8Array(byteLength! / 4).fill(0xff));
    handle.close();
    using store = createStore("t.b2z", backend);
    store.set("/before", [1]);
    expect(codeOf(() => store.set("/x", broken))).toMatch(/BLOSC2_FORMAT/);
    store.set("/after", [2]);
    store.close();
    using opened = openStore("t.b2z", backend);
    expect(opened.keys()).toEqual(["/after", "/before"]);
    expect(numbersOf(opened, "/after")).toEqual([2]);
  });

  it("does not copy a member whose CRC-32 is wrong", () => {
    const backend = memoryWithDirectories();
    using made = createStore("t.b2z", backend);
    made.set("/a", [1]);
    const { position } = made.locate("/a");
    made.close();
    const bytes = getFile(backend, "t.b2z");
    bytes[position! + 150]! ^= 1;
    putFile(backend, "t.b2z", bytes);
    const store = openStore("t.b2z", backend, { mode: "r+" });
    store.set("/b", [2]);
    expect(codeOf(() => store.close())).toBe("BLOSC2_FORMAT_CHECKSUM");
    expect(getFile(backend, "t.b2z")).toEqual(bytes);
  });

  it("refuses to be changed when it has members that would have to be unpacked", () => {
    const backend = memory();
    putFile(backend, "t.b2z", fixtureBytes("deflated.b2z"));
    using store = openStore("t.b2z", backend, { mode: "r+" });
    expect(() => store.set("/a", [1])).toThrow(/compressed \(deflate\)/);
  });
});
