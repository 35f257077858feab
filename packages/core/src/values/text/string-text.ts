/** Strings and bytes as Python's `repr` has them: nothing in them is a command to a terminal. @module */

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
/** What Python takes for unprintable: control characters, unassigned ones, separators but the space. */
const UNPRINTABLE = /[\p{C}\p{Z}]/u;

function escaped(character: string, quote: string): string {
  if (character === quote) return `\\${quote}`;
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  if (character === " " || !UNPRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** A string in quotes. */
export function stringText(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  let text = quote;
  for (const character of value) text += escaped(character, quote);
  return text + quote;
}

/** A byte string, given with a character for each byte. */
export function byteStringText(value: string): string {
  const ascii = stringText(value).replace(/[\x80-\xff]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
  return `b${ascii}`;
}

/** Bytes of no type, each in hexadecimal digits. */
export function bytesText(value: Uint8Array): string {
  return `b'${Array.from(value, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;
}
