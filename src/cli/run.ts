/** `mailflow <command> …`: finds the command, reads its arguments, and turns failures into exit codes. */
import manifest from "../../package.json" with { type: "json" };
import { nearestName } from "../base/nearest-name.ts";
import { styled } from "../rehearse/words/line.ts";
import { type Command, CommandFailure, readArguments, UsageError } from "./command.ts";
import { benchCommand } from "./commands/bench.ts";
import { checkCommand } from "./commands/check.ts";
import { diffCommand } from "./commands/diff.ts";
import { mergeCommand } from "./commands/merge.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { mutateCommand } from "./commands/mutate.ts";
import { playCommand } from "./commands/play.ts";
import { replayCommand } from "./commands/replay.ts";
import { routeCommand } from "./commands/route.ts";
import { serveCommand } from "./commands/serve.ts";
import { shadowCommand } from "./commands/shadow.ts";
import { testCommand } from "./commands/test.ts";
import { whyCommand } from "./commands/why.ts";
import { witnessCommand } from "./commands/witness.ts";
import { completionCommand } from "./completion.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { type CliIo, EXIT } from "./io.ts";
import { writeLines } from "./line.ts";
import { manualCommand } from "./manual.ts";
import { formatOf, present } from "./report.ts";

const COMMANDS: readonly Command[] = [
  routeCommand,
  checkCommand,
  testCommand,
  whyCommand,
  diffCommand,
  shadowCommand,
  witnessCommand,
  mutateCommand,
  benchCommand,
  replayCommand,
  mergeCommand,
  serveCommand,
  playCommand,
  migrateCommand,
  completionCommand(() => COMMANDS),
  manualCommand(() => COMMANDS, manifest.version),
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
    if (given !== "help") {
      return await present(command.run(given, io), formatOf(given.options), io);
    }
    await writeLines(io.stdout, io.env, commandHelp(command));
    return EXIT.ok;
  } catch (error) {
    if (error instanceof UsageError) return refuse(io, error.message, `mailflow ${command.name}`);
    if (!(error instanceof CommandFailure)) throw error;
    await writeLines(io.stderr, io.env, error.lines);
    return error.exit;
  }
}

/** Runs the command that `argv` (without `node` and the script) names, and resolves to the exit code. */
export async function run(argv: readonly string[], io: CliIo): Promise<number> {
  const [name, ...rest] = argv;
  switch (name) {
    case undefined:
      await writeLines(io.stderr, io.env, generalHelp(COMMANDS));
      return EXIT.unusable;
    case "--help":
    case "-h":
    case "help":
      if (name === "help" && rest[0] !== undefined) return run([rest[0], "--help"], io);
      await writeLines(io.stdout, io.env, generalHelp(COMMANDS));
      return EXIT.ok;
    case "-v":
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
