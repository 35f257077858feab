import { type SpawnOptionsWithoutStdio, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** What a run of the built program came to. */
export interface CliResult {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

function environment(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { B2FRAME_DEBUG: _, FORCE_COLOR: __, ...env } = process.env;
  return { ...env, NO_COLOR: "1", ...extra };
}

/** Runs the built `b2frame` to its end. */
export function runCli(
  args: readonly string[],
  { cwd, input, env = {} }: { cwd: string; input?: Uint8Array; env?: NodeJS.ProcessEnv },
): CliResult {
  const options = { cwd, input: input ?? new Uint8Array(0), env: environment(env), maxBuffer: 1 << 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
  return { status, stdout, stderr: stderr.toString() };
}

/** Runs it and expects success; gives standard output as text. */
export function runGood(args: readonly string[], options: Parameters<typeof runCli>[1]): string {
  const { status, stdout, stderr } = runCli(args, options);
  if (status !== 0) throw new Error(`b2frame ${args.join(" ")}: exit code ${status}: ${stderr}`);
  return stdout.toString();
}

/** Starts the built `b2frame`. */
export function startCli(args: readonly string[], options: SpawnOptionsWithoutStdio): ReturnType<typeof spawn> {
  return spawn(process.execPath, [MAIN, ...args], { ...options, env: environment({}) });
}
