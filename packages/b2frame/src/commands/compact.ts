/** `b2frame compact`: give superseded bytes back. @module */
import { Command } from "commander";
import {
  addDurabilityOption,
  addExamples,
  addIoOption,
  addLockOption,
  addReportOptions,
  type DurabilityOption,
  type IoOptions,
  type LockOption,
  lockingOf,
  type ReportOptions,
} from "../command-line/common-options.js";
import { factsOf, summarise } from "../command-line/summary.js";
import { openSChunk } from "../open.js";

interface CompactOptions extends DurabilityOption, IoOptions, LockOption, ReportOptions {}

/** The command. */
export function compactCommand(): Command {
  const command = new Command("compact")
    .description(
      "Rewrites FILE without superseded bytes: beside its place, then moved into it, so that it is whole at any instant. " +
        "Chunks are copied as they are.",
    )
    .argument("<file>", "a frame");
  addLockOption(addDurabilityOption(addIoOption(command), "FILE"));
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [
    ["compact log.b2frame", "in place"],
    ["compact log.b2frame --lock 60", "while others may have it open, with their locks"],
  ]);
  return command.action(compact);
}

async function compact(path: string, options: CompactOptions): Promise<void> {
  const started = performance.now();
  const { io, durability } = options;
  using schunk = openSChunk(path, { io, mode: "r+", durability, locking: lockingOf(options) });
  if (options.lock !== undefined) schunk.lock();
  const { deadBytes } = schunk;
  if (deadBytes > 0) schunk.compact();
  await summarise({ path, ...factsOf(schunk), reclaimed: deadBytes - schunk.deadBytes }, started, options);
}
