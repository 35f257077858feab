/** `b2frame info`: what a frame or store says of itself. @module */
import { NDArray, SChunk } from "@b2frame/core";
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addLockOption,
  type IoOptions,
  type LockOption,
} from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openAny, openFrame } from "../command-line/open-input.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { describeFrame } from "../inspect/describe-frame.js";
import { describeStore } from "../inspect/describe-store.js";
import { addRemoteOptions, isUrl, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { renderChunkStrip } from "../render/chunk-strip.js";
import { renderFrame } from "../render/frame-view.js";
import { renderStore } from "../render/store-view.js";
import { drawingWidth, tableWidth } from "../render/terminal-width.js";

interface InfoOptions extends IoOptions, RemoteInputOptions, KeyOption, LockOption {
  readonly json?: boolean;
  readonly chunks?: boolean;
}

/** The command. */
export function infoCommand(): Command {
  const command = new Command("info")
    .description("Shows what FILE says of itself. No chunk is decompressed.")
    .argument("<file>", "a frame, contiguous or sparse, or a store, or its URL; - is standard input");
  addLockOption(addKeyOption(addRemoteOptions(addIoOption(command))))
    .option("--json", "as JSON")
    .option("--chunks", "also how well each chunk is compressed, as a strip; reads the header of each");
  addExamples(command, [
    ["info volume.b2nd --chunks", "for people"],
    ["info volume.b2nd --json | jq .array.shape", "for programs"],
    ["info run.b2z --key /images/first", "a member of a store"],
  ]);
  return command.action(info);
}

async function info(input: string, options: InfoOptions): Promise<void> {
  const { key, json } = options;
  const describing = { ...options, recipes: "describe" } as const;
  await withSeekable(
    input,
    async (path) => {
      using file = key === undefined ? openAny(path, describing) : openFrame(path, describing);
      if (file instanceof NDArray || file instanceof SChunk) {
        const facts =
          key === undefined
            ? describeFrame(file, input, isUrl(path) ? undefined : path)
            : describeFrame(file, `${input} ${key}`);
        if (json === true) return await writeJson(facts);
        await writeStandardOutput(renderFrame(facts, tableWidth()));
        if (options.chunks !== true) return;
        const schunk = file instanceof NDArray ? file.schunk : file;
        await writeStandardOutput(renderChunkStrip(schunk.iterChunksInfo(), schunk.nchunks, drawingWidth()));
      } else {
        const facts = describeStore(file, input);
        await (json === true ? writeJson(facts) : writeStandardOutput(renderStore(facts, tableWidth())));
      }
    },
    options,
  );
}
