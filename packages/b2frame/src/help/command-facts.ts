/** What there is to say of commands: for completion scripts and the man page. @module */
import type { Command, Option } from "commander";

/** An option of a command. */
export interface OptionFacts {
  /** As help shows it: `-q, --quiet`. */
  readonly flags: string;
  /** With their dashes. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A command, or a command of a command. */
export interface CommandFacts {
  /** `part write`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** `<file> [out]`. */
  readonly usage: string;
  readonly options: readonly OptionFacts[];
  readonly commands: readonly CommandFacts[];
}

function optionFacts({ flags, short, long, description, required, optional, argChoices }: Option): OptionFacts {
  return {
    flags,
    names: [short, long].filter((name) => name !== undefined && name !== null),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

function describe(command: Command, name: string): CommandFacts {
  return {
    name,
    summary: command.summary() === "" ? command.description() : command.summary(),
    description: command.description(),
    usage: command.usage(),
    options: command.createHelp().visibleOptions(command).map(optionFacts),
    commands: command.commands.map((inner) => describe(inner, `${name} ${inner.name()}`)),
  };
}

/** Describes a program with all its commands; their names begin below the program. */
export function describeProgram(program: Command): CommandFacts {
  const commands = program.commands.map((command) => describe(command, command.name()));
  return { ...describe(program, program.name()), commands };
}
