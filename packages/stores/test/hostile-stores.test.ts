/** Stores made to do harm. */

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type IoBackend, isBlosc2Error, memory, SChunk } from "@b2frame/core";
import { stdio } from "@b2frame/io-stdio";
import { temporaryFolder } from "@b2frame/test-kit";
import { expect, it } from "vitest";
import { createStore, openStore } from "../src/index.js";
import { crc32 } from "../src/zip/crc32.js";
import { putFile } from "./store-fixtures.js";

const folder = temporaryFolder();

function little(value: number, byteLength: number): number[] {
  return Array.from({ length: byteLength }, (_, i) => Math.floor(value / 256 ** i) & 255);
}

/** A ZIP file of stored members, whatever their names. */
function zipOf(members: readonly (readonly [name: string, content: Uint8Array])[]): Uint8Array {
  const bytes: number[] = [];
  const central: number[] = [];
  for (const [name, content] of members) {
    const encoded = [...new TextEncoder().encode(name)];
    const sizes = [...little(crc32(content), 4), ...little(content.byteLength, 4), ...little(content.byteLength, 4)];
    // Version, flags (UTF-8 names), method 0, time and date, then sizes, the name's length and none of the extra field.
    const common = [20, 0, 0, 8, 0, 0, 0, 0, 0, 0, ...sizes, ...little(encoded.length, 2), 0, 0];
    const at = bytes.length;
    bytes.push(...little(0x04034b50, 4), ...common, ...encoded);
    for (const byte of content) bytes.push(byte);
    central.push(
      ...little(0x02014b50, 4),
      20,
      0,
      ...common,
      ...new Array<number>(10).fill(0),
      ...little(at, 4),
      ...encoded,
    );
  }
  const count = little(members.length, 2);
  const end = [...little(0x06054b50, 4), 0, 0, 0, 0, ...count, ...count, ...little(central.length, 4)];
  return Uint8Array.from([...bytes, ...central, ...end, ...little(bytes.length, 4), 0, 0]);
}

function frameOf(value: number): Uint8Array {
  using s = SChunk.create({ typesize: 1, data: new Uint8Array(50).fill(value) });
  return s.toCframe();
}

/** A backend that notes every path that it is asked to open. */
function watched(inner: IoBackend, paths: Set<string>): IoBackend {
  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        if (name === "open") paths.add(String(args[0]));
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

const OUTSIDE = ["../secret.b2f", "/etc/secret.b2f", "a/../../secret.b2f", "..\\secret.b2f", "C:\\secret.b2f"];

it.each(OUTSIDE)("a member of a .b2z called %j opens nothing but the .b2z", (name) => {
  const backend = memory();
  const hostile = zipOf([
    ["embed.b2e", embedded(backend)],
    [name, frameOf(1)],
    ["harmless.b2f", frameOf(2)],
  ]);
  putFile(backend, "secret.b2f", frameOf(9));
  putFile(backend, "/etc/secret.b2f", frameOf(9));
  putFile(backend, "hostile.b2z", hostile);
  const asked = new Set<string>();
  const seen: number[] = [];
  using opened = openStore("hostile.b2z", watched(backend, asked));
  for (const key of opened.keys()) {
    using member = opened.openSChunk(key);
    seen.push(member.decompressChunk(0)[0] as number);
  }
  expect(seen).toContain(2);
  expect(seen).not.toContain(9);
  expect([...asked]).toEqual(["hostile.b2z"]);
});

/** The embedded part that every store has. */
function embedded(backend: IoBackend): Uint8Array {
  using store = createStore("empty.b2e", backend);
  store.close();
  const handle = backend.open("empty.b2e", "r");
  const bytes = handle.read(0, handle.size()).slice();
  handle.close();
  return bytes;
}

it("directories that links make look like 2^30 are given up, not walked", () => {
  const path = join(folder, "links.b2d");
  createStore(path, stdio()).close();
  for (let level = 0; level < 30; level++) mkdirSync(join(path, `level${level}`));
  for (let level = 0; level < 29; level++) {
    for (const name of ["a", "b"]) symlinkSync(`../level${level + 1}`, join(path, `level${level}`, name));
  }
  expect(() => openStore(path, stdio()).keys()).toThrow(/at most \d+ files and \d+ directories/);
});

it("a link that leads back to its own directory is an error", () => {
  const path = join(folder, "loop.b2d");
  createStore(path, stdio()).close();
  symlinkSync(".", join(path, "again"));
  expect(() => openStore(path, stdio()).keys()).toThrow(expect.toSatisfy((error: unknown) => isBlosc2Error(error)));
});

it("keys like __proto__ are keys like others", () => {
  const backend = memory();
  {
    using store = createStore("proto.b2z", backend);
    for (const key of ["/__proto__", "/constructor", "/toString"]) store.set(key, [1, 2]);
  }
  using store = openStore("proto.b2z", backend);
  expect([...store.keys()].sort()).toEqual(["/__proto__", "/constructor", "/toString"]);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("x");
});
