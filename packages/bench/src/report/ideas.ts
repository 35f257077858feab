/** What each of the ideas behind the I/O brings: a sentence with figures out of the results, and plots. @module */
import { sumOfCalls } from "../call-counter.js";
import type { Result } from "../result.js";
import { median } from "../statistics.js";
import type { CaseName, PeerName } from "../trial.js";
import type { Figure } from "./figure.js";
import { type Bar, bufferPlots, timeBars, workerPlot } from "./idea-plots.js";
import { shortNumber, shortSize } from "./numbers.js";
import { ratioFigure } from "./ratio-figures.js";
import { distinct, headline } from "./select-results.js";

/** One idea. */
export interface Idea {
  /** For links to it. */
  readonly id: string;
  readonly title: string;
  /** The measured effect. */
  readonly effect: string;
  readonly figures: readonly Figure[];
}

const READING_CASES: readonly CaseName[] = [
  "read-all",
  "random-chunks",
  "scattered-50",
  "crops",
  "open-many",
  "compressed-chunks",
];
/** The backend's own. */
const DEFAULT_BUFFER_SIZE = 32 * 2 ** 10;

function chunksOf(result: Result): string {
  return `${shortSize(Number(result.parameters.chunksize))} chunks`;
}

function of(results: readonly Result[], name: CaseName, peerName: PeerName): readonly Result[] {
  return results.filter((result) => result.case === name && result.peerName === peerName);
}

/** `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function callsEach({ calls, parameters }: Result, side: "ours" | "peer"): string {
  if (calls === undefined) return "-";
  return shortNumber(sumOfCalls(calls[side]) / Number(parameters.reads ?? parameters.operations));
}

function heldHandles(results: readonly Result[]): Idea | undefined {
  const chosen = of(results, "held-handles", "reopened");
  if (chosen.length === 0) return undefined;
  const effects = chosen.map(
    (result) =>
      `${shortNumber(result.ratio)} times as fast with ${chunksOf(result)} (${callsEach(result, "ours")} system calls a read instead of ${callsEach(result, "peer")})`,
  );
  const bars: Bar[] = chosen.flatMap((result) => [
    { group: chunksOf(result), who: "held", speed: result.ours },
    { group: chunksOf(result), who: "opened for each operation", speed: result.peer },
  ]);
  const theirs = of(results, "held-handles", "c-blosc2").map((result) => ({
    ...{ group: chunksOf(result), who: "C-Blosc2", speed: result.peer },
  }));
  const plot = timeBars([...bars, ...theirs], "a chunk read and decompressed");
  return {
    id: "held-handles",
    title: "Held handles",
    effect: `Random reads from a sparse frame whose files stay open are ${listed(effects)}.`,
    figures: [
      {
        title: "",
        caption: "Sparse frame, a file for each chunk; opening the frame and its files the first time is part of it.",
        ...plot,
      },
    ],
  };
}

function reusedBuffers(results: readonly Result[]): Idea | undefined {
  const fresh = of(results, "compressed-chunks", "fresh-buffer");
  const mapped = of(results, "compressed-chunks", "stdio");
  if (fresh.length === 0 || mapped.length === 0) return undefined;
  const ratios = (chosen: readonly Result[]) =>
    listed(chosen.map((result) => `${shortNumber(result.ratio)} times (${chunksOf(result)})`));
  const bars: Bar[] = [
    ...fresh.flatMap((result) => [
      { group: chunksOf(result), who: "pread, new buffer", speed: result.peer },
      { group: chunksOf(result), who: "pread, reused buffer", speed: result.ours },
    ]),
    ...mapped.map((result) => ({ group: chunksOf(result), who: "mmap", speed: result.ours })),
  ];
  return {
    id: "compressed-chunks",
    title: "pread into reused buffers, and mmap, for compressed chunks",
    effect: `Into a buffer that is used again, compressed bytes come ${ratios(fresh)} as fast as into a new one; in a map ${ratios(mapped)} as fast as in the reused buffer.`,
    figures: [
      {
        title: "",
        caption: "Nothing is decoded; a byte in each cache line is looked at.",
        ...timeBars(bars, "a compressed chunk"),
      },
    ],
  };
}

function mmapAgainstStdio(results: readonly Result[]): Idea | undefined {
  const all = headline(results.filter((result) => result.peerName === "stdio"));
  const reading = all.filter((result) => READING_CASES.includes(result.case) && result.workers === 0);
  const figure = ratioFigure("", "Both are b2frame. Right of the line mmap is faster.", all);
  if (figure === undefined) return undefined;
  const sorted = [...reading].sort((a, b) => a.ratio - b.ratio);
  const [least, most] = [sorted[0], sorted.at(-1)];
  const named = (result: Result) => `${shortNumber(result.ratio)} (${result.case}, ${result.data})`;
  const effect =
    least === undefined || most === undefined
      ? "No reading case was run."
      : `In reading, mmap is ${shortNumber(median(sorted.map((result) => result.ratio)))} times as fast as stdio in the median without workers (${sorted.length} compared), from ${named(least)} to ${named(most)}; it is ahead in ${sorted.filter((result) => result.ratio > 1).length} of them.`;
  return { id: "mmap", title: "mmap against stdio", effect, figures: [figure] };
}

function buffers(
  results: readonly Result[],
  name: "read-buffer" | "write-buffer",
  words: { readonly title: string; readonly without: string },
): Idea | undefined {
  const chosen = of(results, name, "unbuffered");
  if (chosen.length === 0) return undefined;
  const effects = chosen
    .filter((result) => result.parameters.bufferSize === DEFAULT_BUFFER_SIZE)
    .map(
      (result) =>
        `${shortNumber(result.ratio)} times as fast for “${result.parameters.workload}” (${callsEach(result, "ours")} system calls an operation instead of ${callsEach(result, "peer")})`,
    );
  return {
    id: name,
    title: words.title,
    effect: `The default of ${shortSize(DEFAULT_BUFFER_SIZE)} is, against ${words.without}, ${listed(effects)}.`,
    figures: bufferPlots(chosen).map((plot) => ({ caption: "", ...plot })),
  };
}

function pipeline(results: readonly Result[]): Idea | undefined {
  const chosen = headline(results.filter((result) => result.peerName === "no-workers"));
  if (chosen.length === 0) return undefined;
  const most = Math.max(...chosen.map((result) => result.workers));
  const names = distinct(chosen, (result) => result.case);
  const effects = names.map((name) => {
    const ratios = chosen.filter((result) => result.case === name && result.workers === most).map(({ ratio }) => ratio);
    const spread = `${shortNumber(Math.min(...ratios))} to ${shortNumber(Math.max(...ratios))}`;
    return `${name} is ${shortNumber(median(ratios))} times as fast as in the caller's thread alone (${spread} over data and backends)`;
  });
  return {
    id: "workers",
    title: "Ordered pipeline: scaling with workers",
    effect: `With ${most} workers, in the median, ${listed(effects)}.`,
    figures: names.map((name) => ({
      title: name,
      caption: "C-Blosc2 with as many threads, and one where there are no workers.",
      ...workerPlot(results, name),
    })),
  };
}

/** The ideas that there are results for. */
export function ideasIn(results: readonly Result[]): readonly Idea[] {
  return [
    heldHandles(results),
    reusedBuffers(results),
    mmapAgainstStdio(results),
    buffers(results, "read-buffer", { title: "Size of the read buffer", without: "no read buffer" }),
    buffers(results, "write-buffer", { title: "Buffered writing", without: "writing each piece at once" }),
    pipeline(results),
  ].filter((idea) => idea !== undefined);
}
