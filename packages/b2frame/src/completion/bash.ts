/** Completion for bash. @module */
import type { CommandFacts } from "../help/command-facts.js";

/** Cases of the script: for each command what follows it, and which options take which values. */
function cases(command: CommandFacts): string[] {
  const names = command.options.flatMap((option) => option.names);
  const inner = command.commands.map(({ name }) => name.split(" ").at(-1) as string);
  const values = command.options
    .filter(({ choices }) => choices.length > 0)
    .map(({ names: of, choices }) => `        ${of.join("|")}) values="${choices.join(" ")}" ;;`);
  const takers = command.options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
  const files = takers.flatMap((option) => option.names);
  return [
    `    "${command.name}")`,
    `      options="${names.join(" ")}"`,
    `      commands="${inner.join(" ")}"`,
    ...(values.length + files.length === 0
      ? []
      : [
          '      case "$previous" in',
          ...values,
          ...(files.length === 0 ? [] : [`        ${files.join("|")}) free=1 ;;`]),
          "      esac",
        ]),
    "      ;;",
    ...command.commands.flatMap(cases),
  ];
}

/** A script for bash 4 and later. */
export function bashCompletion(program: CommandFacts): string {
  const names = program.commands.map(({ name }) => name);
  const withCommands = program.commands.filter(({ commands }) => commands.length > 0).map(({ name }) => name);
  return `# b2frame completion for bash, made by \`b2frame completion bash\`.
_b2frame() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" options="" commands="" values="" free=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(" ")} --help --version" -- "$current"))
    return
  fi
  case "$command" in
    ${withCommands.join("|")}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command" in
${program.commands.flatMap(cases).join("\n")}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ -n "$free" ]; then
    COMPREPLY=($(compgen -f -- "$current"))
  elif [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [ -n "$commands" ]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _b2frame b2frame
`;
}
