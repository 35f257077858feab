/** Text from files, made safe to print. @module */

/** Everything that a terminal may take for a command: C0 and C1 controls, DEL, and marks that reorder text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}

/** One line in which control characters are escaped: names and values in files are anyone's. */
export function printable(text: string): string {
  return text.replace(UNSAFE, escaped);
}
