/**
 * The process that acts on parts: reads jobs from standard input, and before each call that the file system sees it asks whether it may go on. The
 * answer may be to die there, or in the middle of writing.
 *
 * @module
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isBlosc2Error } from "@b2frame/core";
import { abortParts, finalizeParts, planParts, writePart } from "@b2frame/parts";
import { type ActorMessage, GO, type SentJob, TEAR } from "./actor-messages.js";
import { sourceOf } from "./planned-frame.js";

/** Calls that change the file system, or see that it has changed. */
const CALLS = [
  ...["openSync", "writeSync", "fsyncSync", "fdatasyncSync", "ftruncateSync", "mkdirSync", "rmdirSync", "rmSync"],
  ...["linkSync", "unlinkSync", "renameSync", "readFileSync", "readdirSync", "existsSync", "lstatSync", "statSync"],
] as const;

const { readSync, writeSync } = fs;
const waiter = new Int32Array(new SharedArrayBuffer(4));

/** Runs `io` until standard input or output is ready for it. */
function patiently(io: () => number): number {
  for (;;) {
    try {
      return io();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(waiter, 0, 0, 1);
    }
  }
}

function tell(message: ActorMessage | "ready"): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let sent = 0; sent < line.byteLength; ) sent += patiently(() => writeSync(1, line, sent));
}

/** Reads up to a line's end, or one byte. @returns "" at the end of input */
function hear(whole: boolean): string {
  const byte = Buffer.alloc(1);
  let text = "";
  do {
    if (patiently(() => readSync(0, byte)) === 0) return "";
    text += byte.toString("latin1");
  } while (whole && !text.endsWith("\n"));
  return text;
}

let death: SentJob["death"] = "kill";
let isDead = false;

function die(): never {
  if (death === "kill") process.kill(process.pid, "SIGKILL");
  isDead = true;
  throw new Error("dead");
}

function askBefore(call: string, args: readonly unknown[]): void {
  tell({ call, paths: args.filter((argument) => typeof argument === "string") });
  const answer = hear(false);
  if (answer === GO) return;
  const [descriptor, bytes] = args;
  if (answer === TEAR && call === "writeSync" && bytes instanceof Uint8Array) {
    const [offset = 0, length = bytes.byteLength, position] = args.slice(2) as (number | undefined)[];
    writeSync(descriptor as number, bytes, offset, length >> 1, position ?? null);
  }
  die();
}

let asking = false;
for (const call of CALLS) {
  const original = fs[call] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [call]: (...args: unknown[]) => {
      if (isDead) throw new Error("dead");
      if (asking) askBefore(call, args);
      return original(...args);
    },
  });
}
syncBuiltinESMExports();

async function carryOut({ target, frame, job }: SentJob): Promise<object> {
  if (job.kind === "plan") return { plan: planParts(target, frame.options).id };
  if (job.kind === "finalize") return finalizeParts(target);
  if (job.kind === "abort") return abortParts(target);
  return await writePart(target, job.part, sourceOf(frame), { again: job.again });
}

tell("ready");
for (let line = hear(true); line !== ""; line = hear(true)) {
  const sent = JSON.parse(line) as SentJob;
  let message: ActorMessage;
  asking = true;
  death = sent.death;
  try {
    const result = await carryOut(sent);
    message = { result: { ...result } };
  } catch (error) {
    const { message: text } = error as Error;
    message = isBlosc2Error(error) ? { error: text, code: error.code } : { error: `${(error as Error).stack}` };
  }
  asking = false;
  tell(isDead ? { dead: true } : message);
  isDead = false;
}
