/** `mailflow check`: everything that is wrong with a domain file. */
import type { Command, Given } from "./command.ts";
import { count } from "./count.ts";
import { type CliIo, EXIT } from "./io.ts";
import { styled, writeLines } from "./line.ts";
import { readDomain } from "./read-domain.ts";

async function runCheck({ arguments: [path], options }: Given, io: CliIo): Promise<number> {
  const file = await readDomain(path!, io);
  if (options.has("json")) {
    const domain = file.ok ? file.domain.name : null;
    const diagnostics = file.ok ? [] : file.diagnostics;
    await io.stdout.write(`${JSON.stringify({ file: path, ok: file.ok, domain, diagnostics })}\n`);
  } else if (file.ok) {
    const { name, engine, aliases, rules } = file.domain;
    const routing = engine === null ? "routing disabled" : `routing engine ${engine}`;
    const counts = `${count(aliases.length, "alias", "aliases")}, ${count(rules.length, "rule")}`;
    await writeLines(io.stdout, io.env, [
      [styled("bold", name), `: ${routing}, ${counts}, `, styled("green", "no errors")],
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
  options: [{ name: "json", description: "one JSON object: file, ok, domain, diagnostics" }],
  notes: [
    "",
    "Each error is told with its line and column in the file. A diagnostic in --json has code, message,",
    "path, line, column and, where it speaks of a part of a text, that text's span (UTF-16 code units).",
    "Exit code: 0 no errors, 1 errors, 2 wrong use or an unreadable file.",
  ],
  examples: ["mailflow check example.com.json", "mailflow check example.com.json --json"],
  run: runCheck,
};
