/** The manual page, out of the same texts as the help. @module */
import type { CommandFacts } from "./command-facts.js";
import { HELP_TOPICS } from "./topics.js";

/** Text in which nothing is taken for a command of troff. */
function plain(text: string): string {
  return text
    .replace(/\\/g, "\\e")
    .replace(/-/g, "\\-")
    .replace(/^([.'])/gm, "\\&$1");
}

function bold(text: string): string {
  return `\\fB${plain(text)}\\fR`;
}

function optionLines({ options }: CommandFacts): string[] {
  return options.flatMap(({ flags, description, choices }) => {
    const text = choices.length === 0 ? description : `${description} (${choices.join(", ")})`;
    return [".TP", bold(flags), plain(text)];
  });
}

function commandLines(command: CommandFacts): string[] {
  return [
    `.SS b2frame ${plain(command.name)} ${plain(command.usage)}`,
    plain(command.description),
    ...optionLines(command),
    ...command.commands.flatMap(commandLines),
  ];
}

function topicLines({ name, text }: (typeof HELP_TOPICS)[number]): string[] {
  const paragraphs = text.split("\n\n").flatMap((paragraph) => {
    const lines = plain(paragraph).split("\n");
    return lines.length === 1 ? [".PP", ...lines] : [".PP", ".nf", ...lines, ".fi"];
  });
  return [`.SH ${name.toUpperCase().replaceAll("-", " ")}`, ...paragraphs];
}

/** In the language of troff, with the macros of man(7). */
export function manPage({ description, commands }: CommandFacts): string {
  return `${[
    '.\\" Made by `b2frame help --man`.',
    '.TH B2FRAME 1 "" "" "b2frame"',
    ".SH NAME",
    `b2frame \\- ${plain("look into, make and mend Blosc2 files")}`,
    ".SH SYNOPSIS",
    `${bold("b2frame")} \\fIcommand\\fR [\\fIarguments\\fR]`,
    ".SH DESCRIPTION",
    plain(description),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ...HELP_TOPICS.flatMap(topicLines),
  ].join("\n")}\n`;
}
