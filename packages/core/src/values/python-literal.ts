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
    if (c === "'" || c === '"') return this.#string(c);
    const word = /^(?:-?\d+|True|False|None)/.exec(this.#text.slice(this.#at, this.#at + 24))?.[0];
    if (word === undefined) throw this.#fail("a value");
    this.#at += word.length;
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
      if (c === "\\") {
        out += this.#text.charAt(this.#at);
        this.#at++;
      } else out += c;
    }
  }
}
