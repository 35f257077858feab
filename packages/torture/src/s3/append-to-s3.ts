/** The process that is killed: appends numbered chunks to a frame in S3, and tells what it is about to append and what it has. @module */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { updateS3SChunk } from "@b2frame/remote/s3";
import { numberedChunk } from "./numbered-chunk.js";
import { s3Access } from "./s3-access.js";

/** What to do; it comes on standard input, so that the process can be started before it is needed. */
export interface AppendJob {
  readonly url: string;
  readonly run: number;
}

/** What is told, a JSON line each. */
export interface AppendMessage {
  readonly kind: "attempt" | "committed";
  readonly commit: number;
  /** Of a commit: how often it was made. */
  readonly tries?: number;
}

const STDOUT = 1;
/** The other writer is first now and then, but not for ever. */
const CONFLICTS = { tries: 200, minDelay: 2, maxDelay: 50 };

function tell(message: AppendMessage): void {
  writeSync(STDOUT, `${JSON.stringify(message)}\n`);
}

async function append({ url, run }: AppendJob): Promise<void> {
  const options = { ...s3Access(), conflicts: CONFLICTS };
  for (let commit = 0; ; commit++) {
    tell({ kind: "attempt", commit });
    const chunk = numberedChunk({ run, commit });
    const { tries } = await updateS3SChunk(url, (schunk) => schunk.appendData(chunk), options);
    tell({ kind: "committed", commit, tries });
  }
}

for await (const line of createInterface({ input: process.stdin })) await append(JSON.parse(line) as AppendJob);
