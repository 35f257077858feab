/** Showing which parts of a frame are there. @module */
import { numbersText, type PartsStatus } from "@b2frame/parts";
import { printable } from "../render/printable.js";

/** A few lines. */
export function renderStatus({ target, done, missing, damaged, parts, published }: PartsStatus): string {
  const lines = [`${printable(target)}: ${done.length} of ${parts} parts done${published ? "; published" : ""}`];
  if (missing.length > 0) lines.push(`missing: ${numbersText(missing)}`);
  for (const { part, message } of damaged) lines.push(`damaged: ${part}: ${printable(message)}`);
  return `${lines.join("\n")}\n`;
}
