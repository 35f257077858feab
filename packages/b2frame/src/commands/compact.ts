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
import { summarise } from "../command-line/summary.js";
import { compact } from "../compact.js";

interface CompactOptions extends DurabilityOption, IoOptions, LockOption, ReportOptions {}

/** The command. */
export function compactCommand(): Command {
  const command = new Command("compact")
    .description(
      "Rewrites FILE without superseded bytes: beside its place, then moved into it, so that it is whole at any instant. " +
        "Chunks are copied as they are. In a store what is embedded moves together.",
    )
    .argument("<file>", "a frame, or a store, whose frames are rewritten");
  addLockOption(addDurabilityOption(addIoOption(command), "FILE"));
  addReportOptions(command, "a summary as JSON on standard output");
  addExamples(command, [
    ["compact log.b2frame", "in place"],
    ["compact log.b2frame --lock 60", "while others may have it open, with their locks"],
  ]);
  return command.action(compactInPlace);
}

async function compactInPlace(path: string, options: CompactOptions): Promise<void> {
  const started = performance.now();
  const { io, durability } = options;
  await summarise(compact(path, { io, durability, locking: lockingOf(options) }), started, options);
}
