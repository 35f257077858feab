import { ArgumentError } from "@b2frame/core";
import { expect, it } from "vitest";
import { Judge } from "../src/judge.js";
import { makeSetups } from "../src/setups.js";
import type { FuzzTarget } from "../src/targets/target.js";

const setups = await makeSetups();
const input = { files: [{ name: "f", bytes: Uint8Array.of(1) }] };

function problemsOf(read: FuzzTarget["read"]): string[] {
  return new Judge({ seeds: () => [], read }, setups).problems(input);
}

it("a value and a b2frame error are fine", () => {
  expect(problemsOf((_, __, content) => void content.attempt("step", () => 1))).toEqual([]);
  const refuse = (): never => {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", "no", { parameter: "p" });
  };
  expect(problemsOf(refuse)).toEqual([]);
  expect(problemsOf((_, __, content) => void content.attempt("step", refuse))).toEqual([]);
});

it("any other error is a fault, of each engine", () => {
  const problems = problemsOf((_, __, content) => {
    content.attempt("step", () => {
      throw new RangeError("Invalid array length");
    });
  });
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain("RangeError: Invalid array length");
});

it("so is a difference between the engines, and memory that grows", () => {
  const differing = problemsOf((_, { engine }, content) => void content.attempt("engine", () => engine.name));
  expect(differing.join()).toContain("the engines differ");
  const kept: Uint8Array[] = [];
  const greedy = problemsOf(() => void kept.push(new Uint8Array(2 ** 26)));
  expect(greedy.join()).toContain("memory grew");
});
