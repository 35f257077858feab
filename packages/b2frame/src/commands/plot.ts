/** `b2frame plot`: a plane of an array as a PNG picture. @module */
import { ArgumentError, NDArray } from "@b2frame/core";
import { COLOUR_MAPS, SCALES } from "@b2frame/viewer/paint";
import { Command, Option } from "commander";
import {
  addExamples,
  addIoOption,
  addLockOption,
  type IoOptions,
  type LockOption,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openFrame } from "../command-line/open-input.js";
import { writeBytesToPlace } from "../command-line/output-place.js";
import { type IndexPart, parseIndex, parseRange } from "../command-line/parse-values.js";
import { labelOf } from "../command-line/stream-paths.js";
import { type PlotStyle, paintPlane } from "../plot/paint-plane.js";
import { encodePng } from "../plot/png.js";
import { addRemoteOptions, fetchIndex, type RemoteInputOptions } from "../remote/remote-inputs.js";

interface PlotOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption, PlotStyle {
  readonly index?: readonly IndexPart[];
}

/** The command. */
export function plotCommand(): Command {
  const command = new Command("plot")
    .description(
      "Paints two dimensions of an array into a PNG file, a pixel for each item, as `b2frame view` shows them. Bytes of three dimensions, " +
        "of which the last has 3 or 4 items, are colours as they are. NaN is see-through. Only the blocks of the plane are read.",
    )
    .argument("<file>", "an array, or its URL; - is standard input")
    .argument("<out>", "the PNG file; - is standard output")
    .option(
      "--index <i,:,:>",
      "what is painted: an integer or start:stop:step for each dimension; what is missing is taken whole",
      parseIndex,
    )
    .option(
      "--range <low,high>",
      "values of the first and the last colour; default: 1st and 99th percentile",
      parseRange,
    )
    .option("--invert", "colours the other way round", false);
  command.addOption(new Option("--map <name>", "colours").choices([...COLOUR_MAPS]).default("viridis"));
  command.addOption(new Option("--scale <name>", "from values to colours").choices([...SCALES]).default("linear"));
  addLockOption(addKeyOption(addRemoteOptions(addIoOption(command))));
  addExamples(command, [
    ["plot volume.b2nd plane.png --index 12,:,:", "one plane"],
    ["plot image.b2nd small.png --index ::4,::4 --map gray --range 0,255", "every fourth pixel"],
  ]);
  return command.action(plot);
}

async function plot(input: string, output: string, options: PlotOptions): Promise<void> {
  await withSeekable(
    input,
    async (path) => {
      using file = openFrame(path, options);
      if (!(file instanceof NDArray)) {
        const message = `${labelOf(input, "input")}: holds no array, so there is nothing to paint`;
        throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", message, { parameter: "FILE" });
      }
      const index = options.index ?? [];
      await fetchIndex(input, file, index);
      const { pixels, width, height } = paintPlane(file.get(index), options);
      await writeBytesToPlace({ input, output }, (sink) => sink(encodePng(pixels, width, height)));
    },
    options,
  );
}
