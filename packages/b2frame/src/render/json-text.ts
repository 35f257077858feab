/** JSON that is safe to print. @module */

/** What JSON leaves as it is and a terminal may take for a command: DEL, C1 controls, and marks that end lines or reorder text. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A value as JSON in which all control characters are escaped: names and values in files are anyone's. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, escaped);
}
