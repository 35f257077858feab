/** `b2frame completion`: scripts that let shells complete commands, options and their values. @module */
import { Argument, Command } from "commander";
import { addExamples } from "../command-line/common-options.js";
import { writeStandardOutput } from "../command-line/standard-output.js";
import { bashCompletion } from "../completion/bash.js";
import { fishCompletion } from "../completion/fish.js";
import { zshCompletion } from "../completion/zsh.js";
import { type CommandFacts, describeProgram } from "../help/command-facts.js";

const SHELLS: Readonly<Record<string, (program: CommandFacts) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The command. @param program gives the whole program, all commands loaded. */
export function completionCommand(program: () => Promise<Command>): Command {
  const command = new Command("completion")
    .description("Writes a script that lets a shell complete commands, options and their values.")
    .addArgument(new Argument("<shell>").choices(Object.keys(SHELLS)));
  addExamples(command, [
    ["completion bash > ~/.local/share/bash-completion/completions/b2frame", "for all new bashes"],
    ["completion zsh > ~/.zfunc/_b2frame", "a folder of $fpath"],
    ["completion fish > ~/.config/fish/completions/b2frame.fish", "for fish"],
  ]);
  return command.action(async (shell: string) => {
    const script = SHELLS[shell] as (typeof SHELLS)[string];
    await writeStandardOutput(script(describeProgram(await program())));
  });
}
