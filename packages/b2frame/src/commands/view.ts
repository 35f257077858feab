/** `b2frame view`: looking at frames in a browser. @module */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ArgumentError } from "@b2frame/core";
import { PAGE_FOLDER } from "@b2frame/viewer";
import { Command } from "commander";
import { addExamples } from "../command-line/common-options.js";
import { parseInteger } from "../command-line/parse-values.js";
import { writeStandardOutput } from "../command-line/standard-output.js";
import { printable } from "../render/printable.js";
import { formatCount } from "../render/quantities.js";
import { ViewServer } from "../view/view-server.js";
import { findFiles } from "../view/viewed-files.js";

interface ViewOptions {
  readonly port: number;
  readonly open: boolean;
  readonly timeout: number;
}

const CHECK_EVERY_MS = 500;
const SECOND = 1000;
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
/** What opens an address on each platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** The command. */
export function viewCommand(): Command {
  const command = new Command("view")
    .description(
      "Shows frames in a browser: pictures, curves, tables, chunks and statistics. Serves PATHS to this machine only, and only to who has " +
        "the link that it prints; nothing is written. Of folders, the files whose names end as those of frames do. Ends with Ctrl-C.",
    )
    .argument("<paths...>", "frames, .b2z stores, and folders of them")
    .option("--port <n>", "listen on this port", parseInteger(0), 0)
    .option("--no-open", "open no browser")
    .option("--timeout <seconds>", "end when nothing was asked for so long; 0 never", parseInteger(0), 0);
  addExamples(command, [
    ["view volume.b2nd", "one array"],
    ["view results/ --no-open", "all frames of a folder; only prints the link"],
  ]);
  return command.action(view);
}

function openBrowser(address: string): void {
  const [program = "xdg-open", ...args] = OPENERS[process.platform] ?? [];
  const browser = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  browser.on("error", () => process.stderr.write(`b2frame: no browser could be opened (${program}); open the link\n`));
  browser.unref();
}

/** Until a signal comes, or nothing was asked for `timeout` seconds. */
function untilDone(server: ViewServer, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => timeout > 0 && server.idleTime > timeout * SECOND && end(), CHECK_EVERY_MS);
    const end = (): void => {
      clearInterval(timer);
      for (const signal of SIGNALS) process.off(signal, end);
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, end);
  });
}

async function view(paths: readonly string[], { port, open, timeout }: ViewOptions): Promise<void> {
  const { files, left } = findFiles(paths);
  for (const why of left) process.stderr.write(`b2frame: left out ${printable(why)}\n`);
  if (files.length === 0) {
    throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${paths.join(", ")}: no frames in there`, {
      parameter: "paths",
    });
  }
  const server = await ViewServer.start(fileURLToPath(PAGE_FOLDER), files, port);
  try {
    await writeStandardOutput(`${formatCount(files.length, "frame")} at ${server.address}\nCtrl-C ends it.\n`);
    if (open) openBrowser(server.address);
    await untilDone(server, timeout);
  } finally {
    await server.stop();
  }
}
