/** `b2frame compact`: give superseded bytes back. @module */
import { Command } from "commander";
import {
  addExamples,
  addIoOption,
  addReportOptions,
  type IoOptions,
  type ReportOptions,
} from "../command-line/common-options.js";
import { factsOf, summarise } from "../command-line/summary.js";
import { openSChunk } from "../open.js";

interface CompactOptions extends IoOptions, ReportOptions {}

/** The command. */
export function compactCommand(): Command {
  const command = new Command("compact")
    .summary("give back the bytes that updates and deletions left behind")
    .description(
      "Rewrites FILE without superseded bytes: beside its place, then moved into it, so that it is whole at any instant. " +
        "Chunks are copied as they are.",
    )
    .argument("<file>", "a frame");
  addIoOption(command);
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [["compact log.b2frame", "in place"]]);
  return command.action(compact);
}

async function compact(path: string, options: CompactOptions): Promise<void> {
  const started = performance.now();
  using schunk = openSChunk(path, { io: options.io, mode: "r+" });
  const { deadBytes } = schunk;
  if (deadBytes > 0) schunk.compact();
  await summarise({ path, ...factsOf(schunk), reclaimed: deadBytes - schunk.deadBytes }, started, options);
}
