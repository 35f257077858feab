/** How an error is shown. @module */
import pc from "picocolors";
import { printable } from "../render/printable.js";

/** Set, an error is shown with its stack and causes. */
const DEBUG_VARIABLE = "B2FRAME_DEBUG";

const colours = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of errors of which later ones, thrown while things were being closed, hide the first: the first. */
export function firstErrorOf(error: unknown): unknown {
  let first = error;
  while (first instanceof Error && first.name === "SuppressedError" && "suppressed" in first) first = first.suppressed;
  return first;
}

/** One line on standard error; the whole of it with `B2FRAME_DEBUG`. */
export function reportError(error: unknown): void {
  process.stderr.write(`${colours.red("b2frame:")} ${printable(messageOf(error).replace(/\s*\n\s*/g, " "))}\n`);
  if ((process.env[DEBUG_VARIABLE] ?? "") === "") return;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    process.stderr.write(`${cause.stack}\n`);
}
