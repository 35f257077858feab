/** The files and commands that `docs/bundlers.md` shows. @module */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = "docs/bundlers.md";
/** A file's name in the first line of its text, as a comment. */
const NAME = /^(?:\/\/ |<!-- )([\w.-]+\.\w+)(?: -->)?\n/;

/**
 * @typedef {object} Section
 * @property {ReadonlyMap<string, string>} files texts by name
 * @property {readonly string[]} commands lines of shell
 */

/**
 * What the page shows under a heading.
 *
 * @param {string} heading
 * @returns {Section}
 */
export function section(heading) {
  const parts = readFileSync(PAGE, "utf8").split(/^## /m);
  const found = parts.find((part) => part.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`${PAGE} has no heading "${heading}"`);
  const files = new Map();
  const commands = [];
  for (const [, language, text] of found.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const name = NAME.exec(text)?.[1];
    if (language === "sh") commands.push(...text.trimEnd().split("\n"));
    else if (name !== undefined) files.set(name, text.replace(NAME, ""));
  }
  if (files.size + commands.length === 0) throw new Error(`${PAGE}: "${heading}" shows neither files nor commands`);
  return { files, commands };
}

/**
 * @param {Section} section
 * @param {string} folder
 */
export function writeFiles({ files }, folder) {
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}

/** The policy that the page gives, as the value of its header. */
export function strictPolicy() {
  const policy = /^Content-Security-Policy: (.*)$/m.exec(readFileSync(PAGE, "utf8"))?.[1];
  if (policy === undefined) throw new Error(`${PAGE} gives no Content-Security-Policy`);
  return policy;
}
