/** `b2frame ls`: the chunks of a frame. @module */
import { type ChunkInfo, NDArray, SChunk } from "@b2frame/core";
import { Command } from "commander";
import { addExamples, addIoOption, type IoOptions } from "../command-line/common-options.js";
import { withSeekable } from "../command-line/input-frame.js";
import { addKeyOption, type KeyOption, openAny, openFrame } from "../command-line/open-input.js";
import { writeJson, writeStandardOutput } from "../command-line/standard-output.js";
import { describeMembers } from "../inspect/describe-store.js";
import { addRemoteOptions, type RemoteInputOptions } from "../remote/remote-inputs.js";
import { ChunkTable } from "../render/chunk-table.js";
import { jsonText } from "../render/json-text.js";
import { renderMembers } from "../render/store-view.js";
import { tableWidth } from "../render/terminal-width.js";

interface LsOptions extends IoOptions, RemoteInputOptions, KeyOption {
  readonly json?: boolean;
}

/** How many chunks are printed at once. */
const PAGE_LENGTH = 512;

/** The command. */
export function lsCommand(): Command {
  const command = new Command("ls")
    .description(
      "Lists the chunks of FILE: where each lies in the file, its sizes, and what it holds if it is a special chunk. " +
        "Only headers are read. Of a store it lists the members.",
    )
    .argument("<file>", "a frame, contiguous or sparse, or a store, or its URL; - is standard input");
  addKeyOption(addRemoteOptions(addIoOption(command))).option("--json", "as JSON");
  addExamples(command, [
    ["ls volume.b2nd", "for people"],
    ["ls run.b2z", "a store's members"],
    ["ls volume.b2nd --json | jq 'map(.cbytes) | max'", "for programs"],
  ]);
  return command.action(ls);
}

async function ls(input: string, options: LsOptions): Promise<void> {
  const { key, json } = options;
  const describing = { ...options, recipes: "describe" } as const;
  await withSeekable(
    input,
    async (path) => {
      using file = key === undefined ? openAny(path, describing) : openFrame(path, describing);
      if (file instanceof NDArray || file instanceof SChunk) {
        const schunk = file instanceof NDArray ? file.schunk : file;
        await (json === true ? writeJsonList : writeTable)(schunk.iterChunksInfo(), schunk);
      } else {
        const members = [...describeMembers(file)];
        await (json === true ? writeJson(members) : writeStandardOutput(renderMembers(members, tableWidth())));
      }
    },
    options,
  );
}

async function writeJsonList(chunks: Iterable<ChunkInfo>): Promise<void> {
  let separator = "[";
  for (const page of pages(chunks)) {
    const lines = page.map(({ index, position, nbytes, cbytes, cratio, special }) => {
      const json = jsonText({
        index,
        position: position ?? null,
        nbytes,
        cbytes,
        cratio,
        special: special ?? null,
      });
      const line = `${separator}\n  ${json}`;
      separator = ",";
      return line;
    });
    await writeStandardOutput(lines.join(""));
  }
  await writeStandardOutput(separator === "[" ? "[]\n" : "\n]\n");
}

async function writeTable(
  chunks: Iterable<ChunkInfo>,
  bounds: { readonly nchunks: number; readonly chunksize: number; readonly cbytes: number },
): Promise<void> {
  const table = new ChunkTable(bounds);
  await writeStandardOutput(table.head());
  for (const page of pages(chunks)) await writeStandardOutput(table.rows(page));
}

function* pages(chunks: Iterable<ChunkInfo>): Generator<ChunkInfo[]> {
  let page: ChunkInfo[] = [];
  for (const chunk of chunks) {
    page.push(chunk);
    if (page.length < PAGE_LENGTH) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
