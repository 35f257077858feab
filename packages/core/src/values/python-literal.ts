/**
 * The small subset of Python literal syntax in which NumPy writes structured dtypes and `.npy` headers: strings, integers,
 * booleans, None, lists, tuples and dicts.
 *
 * @module
 */
import { ArgumentError } from "../errors.js";

/** A parsed literal. Tuples come as arrays, dicts as maps with string keys. */
export type PythonLiteral = string | number | boolean | null | PythonLiteral[] | Map<string, PythonLiteral>;

const MAX_DEPTH = 32;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Parses `text`, all of it. Throws `BLOSC2_ARGUMENT_INVALID` naming the offset where it stops making sense. */
export function parsePythonLiteral(text: string): PythonLiteral {
  const parser = new LiteralParser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

class LiteralParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #fail(expected: string): ArgumentError {
    return new ArgumentError(
      "BLOSC2_ARGUMENT_INVALID",
      `Python literal: expected ${expected} at offset ${this.#at}, found ${JSON.stringify(this.#text.slice(this.#at, this.#at + 12))}`,
      { parameter: "dtype", offset: this.#at },
    );
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && " \t\r\n".includes(this.#text.charAt(this.#at))) this.#at++;
  }

  #peek(): string {
    this.#skipSpace();
    return this.#text.charAt(this.#at);
  }

  end(): void {
    if (this.#peek() !== "") throw this.#fail("the end");
  }

  value(depth: number): PythonLiteral {
    if (depth > MAX_DEPTH) throw this.#fail(`at most ${MAX_DEPTH} nested brackets`);
    const c = this.#peek();
    if (c === "[") return this.#sequence("]", depth);
    if (c === "(") return this.#sequence(")", depth);
    if (c === "{") return this.#dict(depth);
    // Python 2 marks strings as Unicode or bytes, and long integers.
    const prefix = /^[uUbB](?=['"])/.exec(this.#text.slice(this.#at, this.#at + 2));
    if (prefix !== null) this.#at++;
    const quote = this.#text.charAt(this.#at);
    if (quote === "'" || quote === '"') return this.#string(quote);
    const word = /^(?:-?\d+|True|False|None)/.exec(this.#text.slice(this.#at, this.#at + 24))?.[0];
    if (word === undefined) throw this.#fail("a value");
    this.#at += word.length;
    if (/\d$/.test(word) && this.#text.charAt(this.#at) === "L") this.#at++;
    if (word === "True") return true;
    if (word === "False") return false;
    if (word === "None") return null;
    return Number(word);
  }

  #sequence(close: string, depth: number): PythonLiteral[] {
    this.#at++;
    const items: PythonLiteral[] = [];
    while (this.#peek() !== close) {
      items.push(this.value(depth + 1));
      if (this.#peek() === ",") this.#at++;
      else if (this.#peek() !== close) throw this.#fail(`"," or "${close}"`);
    }
    this.#at++;
    return items;
  }

  #dict(depth: number): Map<string, PythonLiteral> {
    this.#at++;
    const entries = new Map<string, PythonLiteral>();
    while (this.#peek() !== "}") {
      const quote = this.#peek();
      if (quote !== "'" && quote !== '"') throw this.#fail("a quoted key");
      const key = this.#string(quote);
      if (this.#peek() !== ":") throw this.#fail('":"');
      this.#at++;
      entries.set(key, this.value(depth + 1));
      if (this.#peek() === ",") this.#at++;
      else if (this.#peek() !== "}") throw this.#fail('"," or "}"');
    }
    this.#at++;
    return entries;
  }

  #string(quote: string): string {
    this.#at++;
    let out = "";
    for (;;) {
      const c = this.#text.charAt(this.#at);
      if (c === "") throw this.#fail(`closing ${quote}`);
      this.#at++;
      if (c === quote) return out;
      out += c === "\\" ? this.#escape() : c;
    }
  }

  /** What stands behind a backslash in a Python string, as the language's reference lists it. */
  #escape(): string {
    const c = this.#text.charAt(this.#at);
    const rest = this.#text.slice(this.#at, this.#at + 9);
    const simple = SIMPLE_ESCAPES[c];
    if (simple !== undefined) {
      this.#at++;
      return simple;
    }
    const octal = /^[0-7]{1,3}/.exec(rest)?.[0];
    const hex = /^(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/.exec(rest)?.[0];
    const digits = octal ?? hex?.slice(1);
    if (digits === undefined) {
      if ("xuUN".includes(c)) throw this.#fail("an escape sequence of Python");
      // An unknown escape keeps its backslash.
      return "\\";
    }
    const point = Number.parseInt(digits, octal === undefined ? 16 : 8);
    if (point > 0x10ffff) throw this.#fail("a Unicode code point");
    this.#at += (octal ?? (hex as string)).length;
    return String.fromCodePoint(point);
  }
}
