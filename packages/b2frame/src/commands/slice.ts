/** `b2frame slice`: a part of an array into a `.npy` file. @module */
import { ArgumentError, encodeNpy, NDArray } from "@b2frame/core";
import { Command } from "commander";
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
import { parseBounds } from "../command-line/parse-values.js";
import { addRemoteOptions, fetchBox, type RemoteInputOptions } from "../remote/remote-inputs.js";

interface SliceOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption {
  readonly start?: readonly (number | null)[];
  readonly stop?: readonly (number | null)[];
  readonly step?: readonly (number | null)[];
}

/** The command. */
export function sliceCommand(): Command {
  const command = new Command("slice")
    .description(
      "Writes the items from --start to --stop, as NumPy slices them, to a .npy file. Missing bounds take the default, " +
        "and so do empty places (,5). Only the blocks that the slice touches are read and decoded.",
    )
    .argument("<file>", "an array, or its URL; - is standard input")
    .argument("<out>", "the .npy file; - is standard output")
    .option("--start <a,b,c>", "first item along each dimension", parseBounds)
    .option("--stop <d,e,f>", "the item after the last", parseBounds)
    .option("--step <x,y,z>", "step, which may be negative", parseBounds);
  addLockOption(addKeyOption(addRemoteOptions(addIoOption(command))));
  addExamples(command, [
    ["slice volume.b2nd crop.npy --start 0,16,16 --stop 32,48,48", "a crop"],
    ["slice volume.b2nd plane.npy --start 10 --stop 11", "one plane"],
    ["slice volume.b2nd small.npy --step 2,2,2", "every second item"],
  ]);
  return command.action(slice);
}

async function slice(input: string, output: string, options: SliceOptions): Promise<void> {
  const { start, stop, step } = options;
  await withSeekable(
    input,
    async (path) => {
      using file = openFrame(path, options);
      if (!(file instanceof NDArray)) {
        throw new ArgumentError(
          "BLOSC2_ARGUMENT_INVALID",
          `${input} holds no array; cat takes items out of a super-chunk`,
          {
            parameter: "FILE",
          },
        );
      }
      await fetchBox(input, file, [start, stop, step]);
      const bytes = encodeNpy(file.getSlice(start, stop, step));
      await writeBytesToPlace({ input, output }, (sink) => sink(bytes));
    },
    options,
  );
}
