/** Bars of characters. @module */

/** From one eighth of a character to seven eighths. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;
const FULL = "█";

/** A bar of so many characters, to an eighth of one; of what is not 0 at least that. */
export function barText(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  const shown = share > 0 ? Math.max(1, eighths) : 0;
  return FULL.repeat(Math.floor(shown / 8)) + (EIGHTHS[shown % 8] as string);
}
