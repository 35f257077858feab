import { expect, it } from "vitest";
import { decodeInput, encodeInput, type Input } from "../src/input.js";
import { otherValues, singleChanges } from "../src/single-changes.js";

const input: Input = {
  files: [
    { name: "a/b", bytes: Uint8Array.of(1, 2) },
    { name: "ü", bytes: Uint8Array.of(3) },
  ],
};

it("every other value of every byte and every truncation of each file come once", () => {
  const changes = [...singleChanges(input, false)].map((each) => each.files.map(({ bytes }) => bytes.join()).join("|"));
  expect(changes).toHaveLength(3 * 255 + 3);
  expect(new Set(changes).size).toBe(changes.length);
  expect(changes).not.toContain("1,2|3");
  expect(changes).toEqual(expect.arrayContaining(["0,2|3", "1,255|3", "1|3", "|3", "1,2|254", "1,2|"]));
});

it("larger files get the values that matter most, never the one that is there", () => {
  for (let value = 0; value < 256; value += 1) {
    for (const [length, least] of [
      [256, 255],
      [2000, 5],
      [9000, 2],
    ] as const) {
      const others = otherValues(value, length);
      expect(others.length).toBeGreaterThanOrEqual(least);
      expect(new Set(others).size).toBe(others.length);
      expect(others).not.toContain(value);
    }
  }
});

it("inputs come back from their encoding", () => {
  expect(decodeInput(encodeInput(input))).toEqual(input);
});
