/** Completion for zsh. @module */
import type { CommandFacts, OptionFacts } from "../help/command-facts.js";

/** Text inside a specification in single quotes. */
function escaped(text: string): string {
  return text.replace(/([[\]:\\])/g, "\\$1").replace(/'/g, "'\\''");
}

function specification({ names, description, takesValue, choices }: OptionFacts): string {
  const value = choices.length > 0 ? `:value:(${choices.join(" ")})` : takesValue ? ":value:_files" : "";
  const exclusive = `(${names.join(" ")})`;
  const flags = names.length === 1 ? `'${names[0]}` : `'${exclusive}'{${names.join(",")}}'`;
  return `${flags}[${escaped(description)}]${value}'`;
}

function caseLines({ name, options, commands }: CommandFacts, indent: string): string[] {
  const last = name.split(" ").at(-1) as string;
  const specifications = options.map(specification).join(` \\\n${indent}    `);
  if (commands.length === 0) {
    return [`${indent}${last})`, `${indent}  _arguments ${specifications} '*:file:_files' ;;`];
  }
  const names = commands.map(({ name: full, summary }) => `'${full.split(" ").at(-1)}:${escaped(summary)}'`);
  return [
    `${indent}${last})`,
    `${indent}  if (( CURRENT == 2 )); then`,
    `${indent}    local -a inner=(${names.join(" ")}); _describe command inner`,
    `${indent}  else`,
    `${indent}    shift words; (( CURRENT-- ))`,
    `${indent}    case $words[1] in`,
    ...commands.flatMap((inner) => caseLines(inner, `${indent}      `)),
    `${indent}    esac`,
    `${indent}  fi ;;`,
  ];
}

/** A script for a folder of $fpath. */
export function zshCompletion({ commands }: CommandFacts): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${escaped(summary)}'`);
  return `#compdef b2frame
# b2frame completion for zsh, made by \`b2frame completion zsh\`.
_b2frame() {
  local -a commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words; (( CURRENT-- ))
  case $words[1] in
${commands.flatMap((command) => caseLines(command, "    ")).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_b2frame" ]; then _b2frame "$@"; else compdef _b2frame b2frame; fi
`;
}
