import { expect, test } from "vitest";
import { runTrial } from "../src/run-trial.js";
import type { BackendName, Contender, ContenderName, Trial } from "../src/trial.js";

/** A contender that takes the given seconds, one after another, and notes when it is its turn. */
function contender(
  name: ContenderName,
  backend: BackendName,
  seconds: readonly number[],
  turns: string[] = [],
  more: Partial<Contender> = {},
): Contender {
  let round = 0;
  const sample = () => {
    turns.push(`${name} ${backend}`);
    const taken = seconds[round % seconds.length] as number;
    round += 1;
    return { seconds: taken, digest: 1 };
  };
  return { name, backend, workers: 0, amount: 100, warmUp: false, sample, ...more };
}

function trial(...contenders: Contender[]): Trial {
  return { data: "zeros", parameters: {}, unit: "op/s", contenders };
}

const EFFORT = { samples: 3, seconds: 60 };

test("contenders take turns", async () => {
  const turns: string[] = [];
  await runTrial(trial(contender("b2frame", "stdio", [1], turns), contender("c-blosc2", "stdio", [1], turns)), EFFORT);
  expect(turns).toEqual([
    "b2frame stdio",
    "c-blosc2 stdio",
    "b2frame stdio",
    "c-blosc2 stdio",
    "b2frame stdio",
    "c-blosc2 stdio",
  ]);
});

test("the ratio is the median of the rounds' ratios, not the ratio of the medians", async () => {
  const ours = contender("b2frame", "stdio", [1, 10, 3]);
  const peer = contender("c-blosc2", "stdio", [2, 10, 12]);
  const [comparison] = await runTrial(trial(ours, peer), EFFORT);
  expect(comparison).toMatchObject({
    peerName: "c-blosc2",
    ratio: 2,
    ratioQuartiles: [1.5, 3],
    ourSpeed: 100 / 3,
    peerSpeed: 10,
  });
  expect(comparison?.samples).toEqual([
    { ours: 1, peer: 2 },
    { ours: 10, peer: 10 },
    { ours: 3, peer: 12 },
  ]);
});

test("a contender that does less is measured by what it does", async () => {
  const peer = contender("c-blosc2", "stdio", [1], [], { amount: 4 });
  const [comparison] = await runTrial(trial(contender("b2frame", "stdio", [1]), peer), EFFORT);
  expect(comparison?.ratio).toBe(25);
});

test("writers meet those who wait for the disk as they are used to, or as they do", async () => {
  const comparisons = await runTrial(
    trial(
      contender("b2frame", "stdio", [1], [], { durability: "disk" }),
      contender("b2frame", "stdio", [1], [], { durability: "process" }),
      contender("c-blosc2", "stdio", [1], [], { durability: "none" }),
      contender("c-blosc2", "stdio", [1], [], { durability: "disk" }),
      contender("b2frame", "mmap", [1], [], { durability: "disk" }),
      contender("b2frame", "mmap", [1], [], { durability: "process" }),
    ),
    EFFORT,
  );
  expect(comparisons.map(({ ours, peer }) => [ours.backend, ours.durability, peer.name, peer.durability])).toEqual([
    ["stdio", "disk", "c-blosc2", "none"],
    ["stdio", "disk", "c-blosc2", "disk"],
    ["stdio", "process", "c-blosc2", "none"],
    ["mmap", "disk", "b2frame", "disk"],
  ]);
});

test("each backend meets its peer, mmap meets stdio, and workers meet none but their like and the caller's thread", async () => {
  const comparisons = await runTrial(
    trial(
      contender("b2frame", "stdio", [1]),
      contender("c-blosc2", "stdio", [1]),
      contender("b2frame", "mmap", [1]),
      contender("c-blosc2", "mmap", [1]),
      contender("b2frame", "stdio", [1], [], { workers: 2 }),
      contender("c-blosc2", "stdio", [1], [], { workers: 2 }),
    ),
    EFFORT,
  );
  expect(comparisons.map(({ ours, peerName }) => [ours.backend, ours.workers, peerName])).toEqual([
    ["stdio", 0, "c-blosc2"],
    ["mmap", 0, "stdio"],
    ["mmap", 0, "c-blosc2"],
    ["stdio", 2, "no-workers"],
    ["stdio", 2, "c-blosc2"],
  ]);
});

test("an untimed round comes first, where it is wanted", async () => {
  const turns: string[] = [];
  await runTrial(trial(contender("b2frame", "stdio", [1], turns, { warmUp: true })), { samples: 1, seconds: 60 });
  expect(turns).toHaveLength(2);
});

test("system calls are counted once, apart from the samples, and reported where both sides count them", async () => {
  const turns: string[] = [];
  const calls = { open: 1, read: 5 };
  const counting = { warmUp: true, prepare: () => turns.push("prepare"), countCalls: () => calls };
  const ours = contender("b2frame", "stdio", [1], turns, counting);
  const peer = contender("unbuffered", "stdio", [2], [], { warmUp: true, countCalls: () => ({ open: 1, read: 50 }) });
  const silent = contender("c-blosc2", "stdio", [2]);
  const comparisons = await runTrial(trial(ours, peer, silent), { samples: 1, seconds: 60 });
  expect(comparisons.map(({ peerName, calls: counted }) => [peerName, counted])).toEqual([
    ["unbuffered", { ours: calls, peer: { open: 1, read: 50 } }],
    ["c-blosc2", undefined],
  ]);
  expect(turns).toEqual(["prepare", "b2frame stdio", "prepare", "prepare", "b2frame stdio"]);
});

test("contenders that get different data out are found out", async () => {
  const other = contender("c-blosc2", "mmap", [1], [], { sample: () => ({ seconds: 1, digest: 2 }) });
  await expect(runTrial(trial(contender("b2frame", "mmap", [1]), other), EFFORT)).rejects.toThrow(
    "c-blosc2 (mmap) got other data out than b2frame",
  );
});
