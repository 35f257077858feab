/** Completion for fish. @module */
import type { CommandFacts, OptionFacts } from "../help/command-facts.js";

function quoted(text: string): string {
  return `'${text.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}'`;
}

function optionLine(condition: string, { names, description, takesValue, choices }: OptionFacts): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
  return `complete -c b2frame -n ${quoted(condition)} ${flags.join(" ")}${values} -d ${quoted(description)}`;
}

function lines({ name, options, commands }: CommandFacts): string[] {
  const words = name.split(" ");
  const condition = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  return [
    ...options.map((option) => optionLine(condition, option)),
    ...commands.map((inner) => {
      const last = inner.name.split(" ").at(-1) as string;
      return `complete -c b2frame -f -n ${quoted(condition)} -a ${last} -d ${quoted(inner.summary)}`;
    }),
    ...commands.flatMap(lines),
  ];
}

/** A script for fish 3 and later. */
export function fishCompletion({ commands }: CommandFacts): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c b2frame -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  return `${["# b2frame completion for fish, made by `b2frame completion fish`.", ...first, ...commands.flatMap(lines)].join("\n")}\n`;
}
