/** Texts of `--help`. */

import { type Line, styled } from "../rehearse/words/line.ts";
import { type Command, HELP, type Option } from "./command.ts";

/** The usage line of a command, for example `mailflow check <domain.json> [options]`. */
export function usage({ name, arguments: args, options }: Command): string {
  const suffix = { one: "", many: "…", any: "…" } as const;
  const written = args.map(({ name: argument, count }) =>
    count === "any" ? `[${argument}]${suffix[count]}` : `<${argument}>${suffix[count]}`,
  );
  return ["mailflow", name, ...written, ...(options.length > 0 ? ["[options]"] : [])].join(" ");
}

/** Two columns, the first as wide as its widest entry. */
function table(rows: readonly (readonly [string, string])[]): Line[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => ["  ", styled("bold", left.padEnd(width)), `  ${right}`]);
}

function optionRow(option: Option): readonly [string, string] {
  const value = option.choices?.join("|") ?? (option.value && `<${option.value}>`);
  const name = value === undefined ? `--${option.name}` : `--${option.name} ${value}`;
  return [name, option.description];
}

export function commandHelp(command: Command): Line[] {
  const args = command.arguments.map(
    ({ name, description }) => [`<${name}>`, description] as const,
  );
  return [
    [styled("bold", usage(command))],
    [],
    [`${command.summary}.`],
    [],
    ...table([...args, ...[...command.options, HELP].map(optionRow)]),
    ...command.notes.map((note) => [note]),
    [],
    ["examples:"],
    ...command.examples.map((example) => [`  ${example}`]),
  ];
}

export function generalHelp(commands: readonly Command[]): Line[] {
  return [
    [styled("bold", "mailflow <command> …")],
    [],
    ["Shows where a domain's aliases and rules send a message, and why, before they go live."],
    [],
    ...table(
      commands.map((command) => [usage(command).slice("mailflow ".length), command.summary]),
    ),
    [],
    ["`mailflow help <command>` explains a command. `mailflow --version` prints the version."],
  ];
}
