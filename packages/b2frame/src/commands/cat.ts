/** `b2frame cat`: items to standard output, as bytes for programs and as numbers for people. @module */
import { ArgumentError, NDArray, type SChunk } from "@b2frame/core";
import { formatArray } from "@b2frame/core/text";
import { Command } from "commander";
import { writeArrayItems, writeItems } from "../array/write-items.js";
import {
  addExamples,
  addIoOption,
  addLockOption,
  type IoOptions,
  type LockOption,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { parseBounds, parseInteger } from "../command-line/parse-values.js";
import { startProgress } from "../command-line/progress.js";
import { writeStandardOutput } from "../command-line/standard-output.js";
import { StopRequest } from "../command-line/stop-request.js";
import { addRemoteOptions, fetchBox, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { drawingWidth } from "../render/terminal-width.js";

interface CatOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption {
  readonly start?: readonly (number | null)[];
  readonly stop?: readonly (number | null)[];
  readonly chunk?: number;
  readonly raw?: boolean;
  readonly text?: boolean;
  readonly precision: number;
  readonly edge: number;
  readonly threshold: number;
}

/** NumPy leaves five of the usual 80 columns free. */
const MARGIN = 5;
const NARROWEST = 20;

/** The command. */
export function catCommand(): Command {
  const command = new Command("cat")
    .description(
      "Writes items to standard output. On a terminal those of an array are printed as NumPy does: of a large one its edges, of which only the " +
        "blocks are read. Into a pipe or a file go their bytes, and so do the bytes of a super-chunk and of --chunk. --raw and --text say which.",
    )
    .argument("<file>", "a frame, or its URL; - is standard input")
    .option("--start <item>", "first item; for an array one number for each dimension: a,b,c", parseBounds)
    .option("--stop <item>", "the item after the last; negative ones count from the end", parseBounds)
    .option("--chunk <n>", "all bytes of this chunk, as they lie in it", parseInteger(0))
    .option("--raw", "bytes, on a terminal, too")
    .option("--text", "numbers, into a pipe, too")
    .option("--precision <n>", "of numbers: most digits after the point", parseInteger(0), 8)
    .option("--threshold <n>", "of numbers: how many items are all shown", parseInteger(0), 1000)
    .option(
      "--edge <n>",
      "of numbers: items at either end of a dimension of which not all are shown",
      parseInteger(1),
      3,
    );
  addLockOption(addKeyOption(addRemoteOptions(addIoOption(command))));
  addExamples(command, [
    ["cat samples.b2frame --start 1000 --stop 1010 | od -t f8", "ten items"],
    ["cat volume.b2nd", "its edges, as NumPy prints them"],
    ["cat volume.b2nd --start 0,10,20 --stop 1,11,40", "a box, in C order"],
    ["cat volume.b2nd --chunk 3", "one chunk"],
  ]);
  return command.action(cat);
}

function invalid(parameter: string, message: string): ArgumentError {
  return new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter });
}

async function cat(input: string, options: CatOptions): Promise<void> {
  const { start, stop, chunk } = options;
  const isPart = start !== undefined || stop !== undefined;
  if (options.raw === true && options.text === true) throw invalid("raw", "--raw goes without --text");
  if (chunk !== undefined && isPart) throw invalid("chunk", "--chunk goes without --start and --stop");
  using stopRequest = new StopRequest();
  await withSeekable(
    input,
    async (path) => {
      using file = openFrame(path, options);
      const schunk = file instanceof NDArray ? file.schunk : file;
      if (chunk !== undefined) return writeStandardOutput(schunk.decompressChunk(chunk));
      if (file instanceof NDArray && isForPeople(options)) return await writeNumbers(input, file, options);
      if (options.text === true)
        throw invalid("text", `${input}: holds no array, so its bytes have no type; --text is for arrays`);
      const progress = startProgress({ title: "cat", total: undefined, quiet: process.stdout.isTTY === true });
      const context = { progress, stopRequest };
      try {
        if (!(file instanceof NDArray)) {
          return await writeItems(file, writeStandardOutput, { ...context, ...itemBounds(file, options) });
        }
        if (isPart) {
          await fetchBox(input, file, [start, stop]);
          return await writeStandardOutput(file.getSlice(start, stop).bytes);
        }
        return await writeArrayItems(file, writeStandardOutput, context);
      } finally {
        progress.stop();
      }
    },
    options,
  );
}

function isForPeople({ raw, text }: CatOptions): boolean {
  return text === true || (raw !== true && process.stdout.isTTY === true);
}

/** Prints an array, or a box of it, as NumPy does. */
async function writeNumbers(input: string, array: NDArray, options: CatOptions): Promise<void> {
  const { start, stop, precision, threshold, edge: edgeItems } = options;
  const style = { precision, threshold, edgeItems, lineWidth: Math.max(NARROWEST, drawingWidth() - MARGIN) };
  if (start === undefined && stop === undefined) return await writeStandardOutput(`${formatArray(array, style)}\n`);
  await fetchBox(input, array, [start, stop]);
  await writeStandardOutput(`${formatArray(array.getSlice(start, stop), style)}\n`);
}

/** Bounds of a super-chunk's items, as a slice has them: negative ones count from the end, and none lies outside. */
function itemBounds(schunk: SChunk, { start, stop }: CatOptions): { start?: number; stop?: number } {
  if (start === undefined && stop === undefined) return {};
  const { itemCount } = schunk;
  const bound = (name: string, given: readonly (number | null)[] = [null], otherwise: number): number => {
    if (given.length !== 1) throw invalid(name, `--${name} takes one number: the file holds no array`);
    const value = given[0] ?? otherwise;
    return Math.max(0, Math.min(itemCount, value < 0 ? value + itemCount : value));
  };
  return { start: bound("start", start, 0), stop: bound("stop", stop, itemCount) };
}
