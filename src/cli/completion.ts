/** `mailflow completion <shell>`: a script that completes commands, options and their choices, made from the table of commands. */
import { type Command, HELP, type Option, UsageError } from "./command.ts";
import { EXIT } from "./io.ts";

const optionsOf = (command: Command): readonly Option[] => [...command.options, HELP];

function bash(commands: readonly Command[]): string[] {
  const cases = commands.flatMap((command) => {
    const choices = command.options.flatMap(({ name, choices: words }) =>
      words === undefined ? [] : [`      ${command.name}:--${name}) words="${words.join(" ")}" ;;`],
    );
    const names = optionsOf(command).map(({ name }) => `--${name}`);
    return [...choices, `      ${command.name}:*) words="${names.join(" ")}" ;;`];
  });
  return [
    "_mailflow() {",
    '  local word="$2" before="$3" words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${commands.map(({ name }) => name).join(" ")} help"`,
    "  else",
    `    case "\${COMP_WORDS[1]}:$before" in`,
    ...cases,
    "    esac",
    '    case "$word" in -*) ;; *) case "$words" in --*) words="" ;; esac ;; esac',
    "  fi",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "}",
    "complete -o default -F _mailflow mailflow",
  ];
}

/** One word for any shell, whatever the text contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zsh(commands: readonly Command[]): string[] {
  const describe = (command: Command): string[] => {
    const options = optionsOf(command).map(({ name, description, value, choices }) => {
      const what = `--${name}[${description.replace(/[[\]]/g, "\\$&")}]`;
      if (choices !== undefined) return quoted(`${what}:${name}:(${choices.join(" ")})`);
      return quoted(value === undefined ? what : `${what}:${value}:_files`);
    });
    return [`    ${command.name}) _arguments ${options.join(" ")} '*:file:_files' ;;`];
  };
  return [
    "#compdef mailflow",
    "_mailflow() {",
    "  if (( CURRENT == 2 )); then",
    "    local commands=(",
    ...commands.map(
      ({ name, summary }) => `      ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`,
    ),
    "    )",
    "    _describe command commands",
    "    return",
    "  fi",
    "  local name=$words[2]",
    "  shift words; (( CURRENT-- ))",
    '  case "$name" in',
    ...commands.flatMap(describe),
    "  esac",
    "}",
    "compdef _mailflow mailflow",
  ];
}

function fish(commands: readonly Command[]): string[] {
  const first = "not __fish_seen_subcommand_from";
  const names = commands.map(({ name }) => name).join(" ");
  return commands.flatMap((command) => [
    `complete -c mailflow -n "${first} ${names}" -f -a ${command.name} -d ${quoted(command.summary)}`,
    ...optionsOf(command).map(({ name, description, value, choices }) => {
      const takes = value === undefined && choices === undefined ? "" : " -r";
      const words = choices === undefined ? "" : ` -f -a ${quoted(choices.join(" "))}`;
      return `complete -c mailflow -n "__fish_seen_subcommand_from ${command.name}" -l ${name}${takes}${words} -d ${quoted(description)}`;
    }),
  ]);
}

const SHELLS = { bash, zsh, fish } as const;

/** The command that completes a table of commands, itself included. */
export function completionCommand(all: () => readonly Command[]): Command {
  const shells = Object.keys(SHELLS);
  return {
    name: "completion",
    summary: "prints a script that completes commands and options in a shell",
    arguments: [{ name: "shell", count: "one", description: shells.join(", ") }],
    options: [],
    notes: [],
    examples: [
      "mailflow completion bash > /etc/bash_completion.d/mailflow",
      "mailflow completion zsh > ~/.zfunc/_mailflow",
    ],
    async *run(given) {
      const shell = given.arguments[0]!;
      if (!(shell in SHELLS)) {
        throw new UsageError(`no completion for \`${shell}\`: write ${shells.join(", ")}`);
      }
      const script = SHELLS[shell as keyof typeof SHELLS](all());
      yield { text: () => script.map((line) => [line]) };
      return EXIT.ok;
    },
  };
}
