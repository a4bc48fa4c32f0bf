/** `mailflow manual`: a man page (man 7 groff_man), made from the table of commands. */
import { type Command, HELP, type Option } from "./command.ts";
import { usage } from "./help.ts";
import { EXIT } from "./io.ts";

/** Text for roff: ASCII, without escapes, and with no line that begins a request. */
const roff = (text: string): string =>
  text
    .replaceAll("…", "...")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1")
    .replace(/[^\x20-\x7e]/gu, (other) => {
      const code = other.codePointAt(0)!.toString(16).toUpperCase();
      return `\\[u${code.padStart(4, "0")}]`;
    });

function optionLines({ name, value, choices, description }: Option): string[] {
  const takes = choices?.join("|") ?? value;
  const written = takes === undefined ? `--${name}` : `--${name} ${takes}`;
  return [".TP", `.B ${roff(written)}`, roff(description)];
}

function commandLines(command: Command): string[] {
  return [
    `.SS ${roff(usage(command))}`,
    roff(`${command.summary}.`),
    ...command.arguments.flatMap(({ name, description }) => [
      ".TP",
      `.I ${roff(name)}`,
      roff(description),
    ]),
    ...[...command.options, HELP].flatMap(optionLines),
    ...(command.notes.length > 0 ? [".PP", ...command.notes.map(roff)] : []),
    ...command.examples.flatMap((example) => [".PP", ".EX", roff(example), ".EE"]),
  ];
}

export function manualCommand(all: () => readonly Command[], version: string): Command {
  return {
    name: "manual",
    summary: "prints a man page of all commands",
    arguments: [],
    options: [],
    notes: [],
    examples: ["mailflow manual | man -l -"],
    async *run() {
      const lines = [
        `.TH MAILFLOW 1 "" "mailflow ${version}"`,
        ".SH NAME",
        roff("mailflow - where a domain's aliases and rules send a message, and why"),
        ".SH SYNOPSIS",
        ".B mailflow",
        ".I command",
        "\\&...",
        ".SH COMMANDS",
        ...all().flatMap(commandLines),
        ".SH EXIT STATUS",
        roff(
          "0: success. 1: something was found, such as an error in a file or a failed test. 2: the command cannot run as it was given.",
        ),
      ];
      yield { text: () => lines.map((line) => [line]) };
      return EXIT.ok;
    },
  };
}
