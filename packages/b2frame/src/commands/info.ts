/** `b2frame info`: what a frame says of itself. @module */
import { Command } from "commander";
import { addExamples, addIoOption, type IoOptions } from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { describeFrame } from "../inspect/describe-frame.js";
import { open } from "../open.js";
import { renderFrame } from "../render/frame-view.js";

interface InfoOptions extends IoOptions {
  readonly json?: boolean;
}

/** The command. */
export function infoCommand(): Command {
  const command = new Command("info")
    .summary("show shape, sizes, compression and metalayers")
    .description("Shows what FILE says of itself. No chunk is decompressed.")
    .argument("<file>", "a frame, contiguous or sparse; - is standard input");
  addIoOption(command).option("--json", "as JSON");
  addExamples(command, [
    ["info volume.b2nd", "for people"],
    ["info volume.b2nd --json | jq .array.shape", "for programs"],
  ]);
  return command.action(info);
}

async function info(input: string, { io, json }: InfoOptions): Promise<void> {
  await withSeekable(input, async (path) => {
    using file = open(path, { io });
    const facts = describeFrame(file, input, path);
    await (json === true ? writeJson(facts) : writeStandardOutput(renderFrame(facts)));
  });
}
