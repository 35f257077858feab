/** Showing an object to a person: `console.log(array)`, `String(array)`. @module */
import { isBlosc2Error } from "../errors.js";

/** Lets `console.log` of Node, Deno and Bun show objects as `String()` does. @param prototype of their class */
export function showInConsole(prototype: object): void {
  Object.defineProperty(prototype, Symbol.for("nodejs.util.inspect.custom"), {
    value(this: object): string {
      return String(this);
    },
  });
}

/** Control characters, and what reorders text: names in files are anyone's. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** One line of text in which nothing is a command to a terminal. */
export function plainLine(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);
}

/** What `show` gives, or why it gives nothing: showing something never throws. */
export function showing(show: () => string): string {
  try {
    return show();
  } catch (error) {
    if (isBlosc2Error(error, "BLOSC2_IO_CLOSED")) return "closed";
    return plainLine(error instanceof Error ? error.message : String(error));
  }
}

/** A shape as Python writes it. */
export function tupleText(shape: readonly number[]): string {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
}
