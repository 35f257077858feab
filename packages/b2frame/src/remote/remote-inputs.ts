/** URLs in place of paths: while a command reads one, there is a backend for it. @module */
import { ArgumentError, type DimIndex, type IoBackend, type NDArray, type SliceBounds } from "@b2frame/core";
import type { Command } from "commander";
import type { BlockingBackend } from "./blocking-backend.js";

/** The options of {@link addRemoteOptions}. */
export interface RemoteInputOptions {
  readonly verbose?: boolean;
  readonly endpoint?: string;
}

const URL_START = /^(?:https?|s3):\/\//i;

/** Whether it is no path, but a URL that can be read. */
export function isUrl(input: string): boolean {
  return URL_START.test(input);
}

/** Lets the command tell what reading a URL took. */
export function addRemoteOptions(command: Command): Command {
  return command
    .option("--verbose", "tell how many requests and bytes reading a URL took")
    .option("--endpoint <url>", "of s3:// URLs: the service, if it is not AWS's; also AWS_ENDPOINT_URL");
}

const backends = new Map<string, BlockingBackend>();

/** The backend of a URL that is being read; undefined for a path. */
export function backendOf(input: string): IoBackend | undefined {
  return backends.get(input);
}

/** Lets `use` open a URL as if it were a path. @throws IoError; ArgumentError; what `use` throws */
export async function withUrl<T>(url: string, options: RemoteInputOptions, use: () => Promise<T>): Promise<T> {
  // A thread and a client that paths do without.
  const { BlockingBackend } = await import("./blocking-backend.js");
  const isS3 = url.toLowerCase().startsWith("s3:");
  const s3 = isS3 ? (await import("./s3-environment.js")).s3OptionsOf(process.env, options.endpoint) : undefined;
  const backend = new BlockingBackend(url, s3);
  backends.set(url, backend);
  try {
    return await use();
  } finally {
    backends.delete(url);
    backend.close();
    if (options.verbose === true) {
      const { requests, bytesFetched } = backend;
      process.stderr.write(`${url}: ${requests} requests, ${bytesFetched} bytes\n`);
    }
  }
}

/**
 * Fetches the blocks of what an index selects at the same time; of a path, nothing. Without it they come one after the other.
 *
 * @throws IoError; ArgumentError for a bad index
 */
export async function fetchIndex(input: string, array: NDArray, index: readonly DimIndex[]): Promise<void> {
  const backend = backends.get(input);
  const { placement, urlpath } = array.schunk;
  // A member that came with others is in memory.
  if (backend === undefined || placement === undefined || urlpath !== input) return;
  const { planSelection } = await import("@b2frame/core/read");
  const plan = planSelection(placement, array.select(index));
  backend.fetch(plan.ranges);
  const handle = backend.open(input, "r");
  backend.fetch(plan.rest((position, byteLength) => handle.read(position, byteLength)));
}

/** The same for a box. @throws as {@link fetchIndex} */
export async function fetchBox(
  input: string,
  array: NDArray,
  [start = [], stop = [], step = []]: readonly (SliceBounds | undefined)[],
): Promise<void> {
  const dims = Math.max(start.length, stop.length, step.length);
  const index = Array.from({ length: dims }, (_, i) => ({ start: start[i], stop: stop[i], step: step[i] }));
  await fetchIndex(input, array, index);
}

/** @throws ArgumentError for a URL, where only files will do */
export function requirePathFor(input: string, what: string): void {
  if (!isUrl(input)) return;
  throw new ArgumentError("BLOSC2_ARGUMENT_INVALID", `${input}: ${what} is for files`, {
    parameter: "FILE",
    path: input,
  });
}
