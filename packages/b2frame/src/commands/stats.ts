/** `b2frame stats`: numbers of all items. @module */
import { NDArray } from "@b2frame/core";
import { coarser } from "@b2frame/core/stats";
import { Command } from "commander";
import { countedType, countItems } from "../array/count-items.js";
import {
  addExamples,
  addIoOption,
  addLockOption,
  addReportOptions,
  type IoOptions,
  type LockOption,
  type ReportOptions,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { parseInteger } from "../command-line/parse-values.js";
import { startProgress } from "../command-line/progress.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { StopRequest } from "../command-line/stop-request.js";
import { labelOf } from "../command-line/stream-paths.js";
import { addRemoteOptions, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { jsonValue } from "../render/json-value.js";
import { type CountedFrame, renderStats } from "../render/stats-view.js";
import { drawingWidth } from "../render/terminal-width.js";

interface StatsOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption, ReportOptions {
  readonly dtype?: string;
  readonly bins: number;
}

/** The command. */
export function statsCommand(): Command {
  const command = new Command("stats")
    .description(
      "Reads all items of FILE, chunk by chunk, and shows minimum, maximum, mean, standard deviation, how many are zero, NaN or infinite, " +
        "and a histogram. The mean and the deviation are those of the finite values.",
    )
    .argument("<file>", "an array, or a super-chunk with --dtype, or its URL; - is standard input")
    .option("--bins <n>", "most bars of the histogram; 0 leaves it out", parseInteger(0), 20)
    .option("--dtype <type>", "of a super-chunk: what its bytes are, in NumPy's notation");
  addReportOptions(addLockOption(addKeyOption(addRemoteOptions(addIoOption(command)))), "as JSON");
  addExamples(command, [
    ["stats volume.b2nd", "for people"],
    ["stats volume.b2nd --json | jq .mean", "for programs"],
    ["stats log.b2frame --dtype '<f4'", "of a super-chunk"],
  ]);
  return command.action(stats);
}

async function stats(input: string, options: StatsOptions): Promise<void> {
  const { key, json, quiet = false, bins } = options;
  using stopRequest = new StopRequest();
  await withSeekable(
    input,
    async (path) => {
      using file = openFrame(path, options);
      const label = labelOf(input, "input");
      const dtype = countedType(file, label, options.dtype);
      const progress = startProgress({ title: "stats", total: file.nbytes, quiet });
      try {
        const statistics = await countItems(file, dtype, { progress, stopRequest });
        progress.stop();
        const counted: CountedFrame = {
          path: key === undefined ? label : `${label} ${key}`,
          dtype,
          shape: file instanceof NDArray ? file.shape : [statistics.count],
          nchunks: (file instanceof NDArray ? file.schunk : file).nchunks,
          statistics,
        };
        if (json === true) await writeJson(jsonStats(counted, bins));
        else await writeStandardOutput(renderStats(counted, bins, drawingWidth()));
      } finally {
        progress.stop();
      }
    },
    options,
  );
}

function jsonStats({ path, dtype, shape, statistics }: CountedFrame, bins: number): unknown {
  const { histogram, min, max, mean, std, ...counts } = statistics;
  const { exponent, first, counts: inBins } = coarser(histogram, Math.max(1, bins));
  const edges =
    inBins.length === 0 ? [] : Array.from({ length: inBins.length + 1 }, (_, i) => (first + i) * 2 ** exponent);
  return {
    path,
    dtype: dtype.str,
    shape,
    ...counts,
    min: jsonValue(min ?? null),
    max: jsonValue(max ?? null),
    mean: statistics.finite === 0 ? null : jsonValue(mean),
    std: statistics.finite === 0 ? null : jsonValue(std),
    ...(bins === 0 ? {} : { histogram: { edges: edges.map(jsonValue), counts: inBins } }),
  };
}
