/** Damage of a `.b2z` is met by whoever opens the damaged member: every byte is covered by a sum of the ZIP file. */
import { isBlosc2Error, memory } from "@b2frame/core";
import { describe, expect, it } from "vitest";
import { createStore, openStore } from "../src/index.js";
import { getFile, numbersOf, putFile } from "./store-fixtures.js";

const PATH = "s.b2z";
const VALUES = Array.from({ length: 64 }, (_, i) => (i * 37) % 101);

function storeBytes(): Uint8Array {
  const backend = memory();
  const store = createStore(PATH, backend, { cparams: { clevel: 0 } });
  store.set("/a", VALUES);
  store.set("/b", VALUES);
  store.close();
  return getFile(backend, PATH);
}

/** What reading both members of a store of these bytes comes to. */
function readBoth(bytes: Uint8Array, options: { readonly checkCrc?: boolean } = {}): "right" | "refused" | "wrong" {
  const backend = memory();
  putFile(backend, PATH, bytes);
  try {
    using store = openStore(PATH, backend, options);
    const both = [numbersOf(store, "/a"), numbersOf(store, "/b")];
    return both.every((numbers) => numbers.every((n, i) => n === VALUES[i])) ? "right" : "wrong";
  } catch (error) {
    if (isBlosc2Error(error)) return "refused";
    throw error;
  }
}

describe("the CRC-32 of a .b2z's members", () => {
  it("finds every flipped bit that would change what is read", () => {
    const bytes = storeBytes();
    const outcomes = { right: 0, refused: 0, wrong: 0 };
    for (let bit = 0; bit < 8 * bytes.byteLength; bit += 3) {
      const damaged = bytes.slice();
      damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
      outcomes[readBoth(damaged)]++;
    }
    expect(outcomes.wrong).toBe(0);
    expect(outcomes.refused).toBeGreaterThan(outcomes.right);
  });

  it("is not asked for where that is not wanted, and names the member where it is", () => {
    const bytes = storeBytes();
    // The last item of the first member: stored as it is, so that nothing but the sum can tell.
    const item = Float64Array.of(VALUES[62] as number, VALUES[63] as number);
    const asLong = BigInt64Array.of(BigInt(VALUES[62] as number), BigInt(VALUES[63] as number));
    const wanted = [item, asLong].map((pair) => Buffer.from(pair.buffer));
    const at = Math.max(...wanted.map((pair) => Buffer.from(bytes).indexOf(pair)));
    expect(at).toBeGreaterThan(0);
    bytes[at + 8] = (bytes[at + 8] as number) ^ 1;
    expect(readBoth(bytes, { checkCrc: false })).toBe("wrong");
    const backend = memory();
    putFile(backend, PATH, bytes);
    using store = openStore(PATH, backend);
    expect(() => store.openArray("/a")).toThrow(expect.objectContaining({ code: "BLOSC2_FORMAT_CHECKSUM" }));
    expect(() => store.openArray("/a")).toThrow('zip member "a.b2nd"');
    expect(numbersOf(store, "/b")).toEqual(VALUES);
  });
});

describe("the names of a .b2z's members", () => {
  /** The keys, each of which opens; or that it is refused. */
  function keysOf(bytes: Uint8Array): readonly string[] | "refused" {
    const backend = memory();
    putFile(backend, PATH, bytes);
    try {
      using store = openStore(PATH, backend);
      for (const key of store.keys()) store.openArray(key);
      return store.keys();
    } catch (error) {
      if (isBlosc2Error(error)) return "refused";
      throw error;
    }
  }

  it("hide and add no member, whichever bit of them is flipped", () => {
    const bytes = storeBytes();
    expect(keysOf(bytes)).toEqual(["/a", "/b"]);
    const names = ["a.b2nd", "b.b2nd", "embed.b2e"];
    let flipped = 0;
    for (const name of names) {
      for (let at = Buffer.from(bytes).indexOf(name); at >= 0; at = Buffer.from(bytes).indexOf(name, at + 1)) {
        for (let bit = 8 * at; bit < 8 * (at + name.length); bit++) {
          const damaged = bytes.slice();
          damaged[bit >>> 3] = (damaged[bit >>> 3] as number) ^ (1 << (bit & 7));
          expect([bit, keysOf(damaged)]).toEqual([
            bit,
            expect.toSatisfy((keys) => keys === "refused" || keys.join() === "/a,/b"),
          ]);
          flipped++;
        }
      }
    }
    // Each name stands in a local header and in the directory.
    expect(flipped).toBeGreaterThanOrEqual(2 * 8 * names.join("").length);
  });
});
