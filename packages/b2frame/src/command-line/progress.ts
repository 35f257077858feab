/** A progress bar on standard error, where that is a terminal. @module */
import cliProgress from "cli-progress";
import { formatBytes } from "../render/quantities.js";

/** How often the bar is drawn, at most, in frames per second. */
const FRAMES_PER_SECOND = 10;

/** Work whose progress can be shown. */
export interface Progress {
  /** Says how much has been done since the start. */
  update(done: number): void;
  /** Takes the bar away. */
  stop(): void;
}

/** What is counted: bytes, or things of which `noun` is the plural. */
export interface ProgressOptions {
  readonly title: string;
  /** Absent: not known beforehand. */
  readonly total: number | undefined;
  /** Absent: bytes. */
  readonly noun?: string | undefined;
  readonly quiet: boolean;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

/** Starts showing the progress of something, on a terminal and unless it is to be quiet. */
export function startProgress(options: ProgressOptions): Progress {
  const { title, total, noun, quiet } = options;
  if (quiet || process.stderr.isTTY !== true) return SILENT;
  const show = (count: number): string => (noun === undefined ? formatBytes(count) : `${count} ${noun}`);
  const started = performance.now();
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    fps: FRAMES_PER_SECOND,
    clearOnComplete: true,
    hideCursor: false,
    format: (drawn, { progress, value }) => {
      const seconds = (performance.now() - started) / 1000;
      const rate = noun === undefined && seconds > 0.2 ? `  ${formatBytes(value / seconds)}/s` : "";
      if (total === undefined) return `${title}  ${show(value)}${rate}`;
      const percent = `${Math.floor(progress * 100)}%`.padStart(4);
      return `${title}  ${cliProgress.Format.BarFormat(progress, drawn)}${percent}  ${show(value)} of ${show(total)}${rate}`;
    },
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 28,
  });
  // Without a total any will do that is not reached: a bar that reaches it stops.
  bar.start(total ?? Number.MAX_SAFE_INTEGER, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}
