/** Defines a command of `mailflow`, and reads its arguments. */
import { parseArgs } from "node:util";
import { nearestName } from "../base/nearest-name.ts";
import type { Line } from "../rehearse/words/line.ts";
import type { CliIo } from "./io.ts";
import type { Reports } from "./report.ts";

export interface Option {
  /** Without the dashes. */
  readonly name: string;
  /** Placeholder of its value; an option without one is a switch. */
  readonly value?: string;
  /** The only values allowed. */
  readonly choices?: readonly string[];
  /** Whether it may be given more than once. */
  readonly repeats?: "repeats";
  /** Options of which one must be given beside it: it has no effect alone. */
  readonly needs?: readonly string[];
  /** Options that must not be given beside it. */
  readonly excludes?: readonly string[];
  readonly description: string;
}

interface Argument {
  /** The name as in `<domain.json>`. */
  readonly name: string;
  /** `many`: one or more, `any`: any number; only the last argument can have these. */
  readonly count: "one" | "many" | "any";
  readonly description: string;
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  /** Paragraphs of the help below the options, already split into lines. */
  readonly notes: readonly string[];
  readonly examples: readonly string[];
  /** Yields what the command says and returns the exit code. Throws a `UsageError` or a `CommandFailure`. */
  run(given: Given, io: CliIo): Reports;
}

/** Arguments and options as given. */
export interface Given {
  readonly arguments: readonly string[];
  /** Values by option name; a switch that is given has the value `""`. */
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** The command was used incorrectly. The message is in the style of a diagnostic. */
export class UsageError extends Error {}

/** The command cannot continue. `lines` say why, on standard error. */
export class CommandFailure extends Error {
  readonly exit: number;
  readonly lines: readonly Line[];
  constructor(exit: number, lines: readonly Line[]) {
    super();
    this.exit = exit;
    this.lines = lines;
  }
}

export const HELP: Option = { name: "help", description: "show this help" };

/** The value of an option that is given once; `undefined` if it is not given. */
export function optionOf({ options }: Given, name: string): string | undefined {
  return options.get(name)?.[0];
}

/** The number that an option gives, in decimal. Throws a `UsageError` that says what is `wanted` instead. */
export function numberOf(
  given: Given,
  name: string,
  wanted: string,
  isAllowed: (value: number) => boolean,
): number | undefined {
  const written = optionOf(given, name);
  if (written === undefined) return undefined;
  const value = /^-?(?:\d+\.?\d*|\.\d+)$/.test(written) ? Number(written) : Number.NaN;
  if (Number.isFinite(value) && isAllowed(value)) return value;
  throw new UsageError(`\`--${name}\` cannot be \`${written}\`: write ${wanted}`);
}

/** A port that an option gives; `undefined` if it is not given. */
export function portOf(given: Given, name: string): number | undefined {
  const isPort = (value: number): boolean =>
    Number.isInteger(value) && value >= 0 && value < 65_536;
  return numberOf(given, name, "a port, or 0 for any that is free", isPort);
}

/** A percentage, 0 to 100; `null` if the option is not given. */
export function percentOf(given: Given, name: string): number | null {
  const isPercentage = (value: number): boolean => value >= 0 && value <= 100;
  return numberOf(given, name, "a percentage, 0 to 100", isPercentage) ?? null;
}

function checkValue(option: Option, value: string | undefined, inline: boolean): string {
  const written = `--${option.name}`;
  if (option.value === undefined) {
    if (value !== undefined) throw new UsageError(`\`${written}\` takes no value: remove \`=…\``);
    return "";
  }
  // Text like an option is probably not meant as the value; `--sender=-x@example.com` allows it.
  if (value === undefined || (!inline && /^-./.test(value))) {
    throw new UsageError(`\`${written}\` needs a value: write \`${written} <${option.value}>\``);
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    const choices = option.choices.map((choice) => `\`${choice}\``).join(" or ");
    throw new UsageError(`\`${written}\` cannot be \`${value}\`: write ${choices}`);
  }
  return value;
}

function unknownOption(written: string, options: readonly Option[]): UsageError {
  const meant = nearestName(
    written,
    options.map(({ name }) => `--${name}`),
  );
  const hint = meant === undefined ? "" : `: did you mean \`${meant}\`?`;
  return new UsageError(`no option \`${written}\`${hint}`);
}

function checkCount(command: Command, positionals: readonly string[]): void {
  const missing = command.arguments[positionals.length];
  if (missing !== undefined && missing.count !== "any") {
    throw new UsageError(`\`<${missing.name}>\` is missing: ${missing.description}`);
  }
  const last = command.arguments.at(-1);
  if (
    (last === undefined || last.count === "one") &&
    positionals.length > command.arguments.length
  ) {
    const extra = positionals[command.arguments.length]!;
    throw new UsageError(`\`${extra}\` is one argument too many: remove it`);
  }
}

/** Refuses an option that would have no effect beside the others. */
function checkTogether(command: Command, options: Given["options"]): void {
  const listed = (names: readonly string[]): string =>
    names.map((name) => `\`--${name}\``).join(" or ");
  for (const { name, needs = [], excludes = [] } of command.options) {
    if (!options.has(name)) continue;
    if (needs.length > 0 && !needs.some((each) => options.has(each))) {
      throw new UsageError(`\`--${name}\` needs ${listed(needs)}`);
    }
    const other = excludes.find((each) => options.has(each));
    if (other === undefined) continue;
    throw new UsageError(`\`--${name}\` and \`--${other}\` exclude each other: give one`);
  }
}

/** Reads the arguments after the command's name; `"help"` if they ask for it. Throws a `UsageError`. */
export function readArguments(command: Command, argv: readonly string[]): Given | "help" {
  const known = new Map([...command.options, HELP].map((option) => [option.name, option]));
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      [...known.values()].map(({ name, value }) => [
        name,
        {
          type: value === undefined ? "boolean" : "string",
          ...(name === "help" && { short: "h" }),
        },
      ]),
    ),
  });
  const positionals: string[] = [];
  const options = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = known.get(token.name);
    if (option === undefined) throw unknownOption(token.rawName, [...known.values()]);
    if (option === HELP) return "help";
    const value = checkValue(option, token.value, token.inlineValue === true);
    const earlier = options.get(option.name);
    if (earlier === undefined) options.set(option.name, [value]);
    else if (option.repeats === "repeats") earlier.push(value);
    else if (option.value !== undefined) {
      throw new UsageError(`\`--${option.name}\` is given twice: give it once`);
    }
  }
  checkCount(command, positionals);
  checkTogether(command, options);
  return { arguments: positionals, options };
}
