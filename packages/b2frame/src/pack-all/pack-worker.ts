/** The process that packs files of a folder: each message is a file, and so is each answer. @module */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import "../register-defaults.js";
import { isBlosc2Error } from "@b2frame/core";
import { StopRequest } from "../command-line/stop-request.js";
import { type PackOptions, packInput } from "../pack/pack-input.js";
import type { FileToPack } from "./find-files.js";

/** What a worker is sent. */
export interface PackMessage {
  readonly file: FileToPack;
  readonly options: Omit<PackOptions, "format">;
}

/** What it answers. */
export type PackAnswer =
  | { readonly nbytes: number; readonly cbytes: number }
  | { readonly message: string; readonly code: string };

async function pack({ file, options }: PackMessage): Promise<PackAnswer> {
  using stopRequest = new StopRequest();
  try {
    mkdirSync(dirname(file.output), { recursive: true });
    const { typesize, ...rest } = options;
    const own = file.format === "raw" ? options : rest;
    const { nbytes, cbytes } = await packInput(file, { ...own, format: file.format, quiet: true }, stopRequest);
    return { nbytes, cbytes };
  } catch (error) {
    const { message } = error as Error;
    return { message, code: isBlosc2Error(error) ? error.code : (error as Error).name };
  }
}

process.on("message", (message: PackMessage) => {
  void pack(message).then((answer) => process.send?.(answer));
});
// Without the one who asks there is nothing to do.
process.on("disconnect", () => process.exit());
