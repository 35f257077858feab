/** `b2frame help`: commands and topics. @module */
import { ArgumentError } from "@b2frame/core";
import { Command } from "commander";
import { addExamples } from "../command-line/common-options.js";
import { writeStandardOutput } from "../command-line/standard-output.js";
import { describeProgram } from "../help/command-facts.js";
import { filled } from "../help/filled.js";
import { manPage } from "../help/man-page.js";
import { HELP_TOPICS } from "../help/topics.js";
import { drawingWidth } from "../render/terminal-width.js";

/** Wider lines are hard to read. */
const MAX_WIDTH = 100;

/** The command. @param program gives the whole program, all commands loaded. */
export function helpCommand(program: () => Promise<Command>): Command {
  const command = new Command("help")
    .description("Shows the help of a command, or what there is to say of a topic.")
    .argument("[topic]", `a command, or one of ${HELP_TOPICS.map(({ name }) => name).join(", ")}`)
    .option("--man", "the manual page, for man(1)");
  addExamples(command, [
    ["help urls", "a topic"],
    ["help pack", "a command"],
    ["help --man | man -l -", "all of it"],
  ]);
  return command.action(async (name: string | undefined, { man = false }: { readonly man?: boolean }) => {
    const root = await program();
    if (man) return await writeStandardOutput(manPage(describeProgram(root)));
    if (name === undefined) return await writeStandardOutput(`${root.helpInformation()}\n${topicList()}`);
    const topic = HELP_TOPICS.find((each) => each.name === name);
    if (topic !== undefined) return await writeStandardOutput(filled(topic.text, Math.min(MAX_WIDTH, drawingWidth())));
    const known = root.commands.find((each) => each.name() === name);
    if (known === undefined) {
      const names = [...root.commands.map((each) => each.name()), ...HELP_TOPICS.map((each) => each.name)];
      throw new ArgumentError(
        "BLOSC2_ARGUMENT_INVALID",
        `there is no help on "${name}"; there is on ${names.join(", ")}`,
        {
          parameter: "topic",
        },
      );
    }
    known.outputHelp();
  });
}

/** The topics, a line each. */
function topicList(): string {
  const width = Math.max(...HELP_TOPICS.map(({ name }) => name.length));
  return `Topics of \`b2frame help TOPIC\`:\n${HELP_TOPICS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n")}\n`;
}
