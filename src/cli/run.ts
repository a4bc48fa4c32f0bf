/** `mailflow <command> …`: finds the command, reads its arguments, and turns its failures into exit codes. */
import manifest from "../../package.json" with { type: "json" };
import { nearestName } from "../base/nearest-name.ts";
import { checkCommand } from "./check.ts";
import { type Command, readArguments, UsageError } from "./command.ts";
import { diffCommand } from "./diff.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { type CliIo, EXIT } from "./io.ts";
import { styled, writeLines } from "./line.ts";
import { replayCommand } from "./replay.ts";
import { routeCommand } from "./route.ts";
import { serveCommand } from "./serve.ts";
import { shadowCommand } from "./shadow.ts";
import { testCommand } from "./test.ts";
import { whyCommand } from "./why.ts";

const COMMANDS: readonly Command[] = [
  routeCommand,
  checkCommand,
  testCommand,
  whyCommand,
  diffCommand,
  shadowCommand,
  replayCommand,
  serveCommand,
];

async function refuse(io: CliIo, message: string, help: string): Promise<number> {
  await writeLines(io.stderr, io.env, [
    [styled("red", "error: "), message],
    [`see \`${help} --help\``],
  ]);
  return EXIT.unusable;
}

async function runCommand(command: Command, argv: readonly string[], io: CliIo): Promise<number> {
  try {
    const given = readArguments(command, argv);
    if (given !== "help") return await command.run(given, io);
    await writeLines(io.stdout, io.env, commandHelp(command));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return refuse(io, error.message, `mailflow ${command.name}`);
  }
}

/** Runs the command that `argv` (without `node` and the script) asks for, and answers the exit code. */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = argv;
  switch (name) {
    case undefined:
      await writeLines(io.stderr, io.env, generalHelp(COMMANDS));
      return EXIT.unusable;
    case "--help":
    case "-h":
    case "help":
      await writeLines(io.stdout, io.env, generalHelp(COMMANDS));
      return EXIT.ok;
    case "--version":
      await writeLines(io.stdout, io.env, [[manifest.version]]);
      return EXIT.ok;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) return runCommand(command, rest, io);
  if (name.startsWith("-")) {
    const meant = nearestName(name, ["--help", "--version"]);
    const hint = meant === undefined ? "name a command first" : `did you mean \`${meant}\`?`;
    return refuse(io, `no option \`${name}\`: ${hint}`, "mailflow");
  }
  const meant = nearestName(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  const hint = meant === undefined ? "" : `: did you mean \`${meant}\`?`;
  return refuse(io, `no command \`${name}\`${hint}`, "mailflow");
}
