/** `mailflow check`: everything that is wrong with a domain file, and what certainly was not meant so. */
import { findWarnings } from "../rehearse/warnings.ts";
import type { Command, Given } from "./command.ts";
import { count } from "./count.ts";
import { type CliIo, EXIT } from "./io.ts";
import { styled, writeLines } from "./line.ts";
import { place, readDomain } from "./read-domain.ts";
import { showWarning } from "./show-warning.ts";

async function runCheck({ arguments: [path], options }: Given, io: CliIo): Promise<number> {
  const file = await readDomain(path!, io);
  const warnings = file.ok ? place(file.text, findWarnings(file)) : [];
  if (options.has("json")) {
    const domain = file.ok ? file.domain.name : null;
    const diagnostics = file.ok ? [] : file.diagnostics;
    const told = { file: path, ok: file.ok, domain, diagnostics };
    const record = warnings.length === 0 ? told : { ...told, warnings };
    await io.stdout.write(`${JSON.stringify(record)}\n`);
  } else if (file.ok) {
    const { name, engine, aliases, rules } = file.domain;
    const routing = engine === null ? "routing disabled" : `routing engine ${engine}`;
    const counts = `${count(aliases.length, "alias", "aliases")}, ${count(rules.length, "rule")}`;
    const certain = warnings.length === 0 ? "" : `, ${count(warnings.length, "warning")}`;
    await writeLines(io.stdout, io.env, [
      ...warnings.flatMap((warning) => showWarning(path!, warning, file.config)),
      [styled("bold", name), `: ${routing}, ${counts}, `, styled("green", "no errors"), certain],
    ]);
  } else {
    const summary = `${path}: ${count(file.diagnostics.length, "error")}`;
    await writeLines(io.stdout, io.env, [...file.lines, [styled("bold", summary)]]);
  }
  return file.ok ? EXIT.ok : EXIT.errorsFound;
}

export const checkCommand: Command = {
  name: "check",
  summary: "lists everything that is wrong with a domain file",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
  ],
  options: [
    { name: "json", description: "one JSON object: file, ok, domain, diagnostics, warnings" },
  ],
  notes: [
    "",
    "Each error is told with its line and column in the file. A diagnostic in --json has code, message,",
    "path, line, column and, where it speaks of a part of a text, that text's span (UTF-16 code units).",
    "Warnings are certain from the file alone, such as a rule that no message can reach; without any the field",
    "is absent. They do not change the exit code.",
    "Exit code: 0 no errors, 1 errors, 2 wrong use or an unreadable file.",
  ],
  examples: ["mailflow check example.com.json", "mailflow check example.com.json --json"],
  run: runCheck,
};
