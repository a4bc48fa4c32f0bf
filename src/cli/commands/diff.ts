/** `mailflow diff`: which messages a changed domain sends another way, and why. */
import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type Comparison, compareDomains, type Sources } from "../../rehearse/diff/compare.ts";
import { compareAll } from "../../rehearse/proof/compare-all.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { placeAt } from "../../rehearse/replay/mail-place.ts";
import { refuseSources } from "../../rehearse/replay/output/own-files.ts";
import { type PinOptions, pinsOf } from "../../rehearse/test/pin.ts";
import { type Command, type Given, type Option, UsageError } from "../command.ts";
import { count } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { writeLines } from "../line.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import {
  envelopeOf,
  hintAtRecipient,
  RECIPIENT_OPTION,
  SENDER_OPTION,
} from "../read/read-address.ts";
import { readDomain } from "../read/read-domain.ts";
import { comparisonMarkdown, showComparison } from "../show/diff/show-comparison.ts";
import { showFullComparison } from "../show/diff/show-proofs.ts";
import { writeNew } from "../write-new.ts";

/** A domain file that compiles, or `null` after its errors were shown. */
export async function usableDomain(path: string, io: CliIo): Promise<RehearsedDomain | null> {
  const file = await readDomain(path, io);
  if (file.ok) return file;
  await writeLines(io.stderr, io.env, file.lines);
  return null;
}

/** Writes a comparison in the form that the options ask for. */
export async function writeComparison(
  { options }: Given,
  comparison: Comparison,
  io: CliIo,
): Promise<void> {
  if (options.has("json")) await io.stdout.write(`${JSON.stringify(comparison)}\n`);
  else if (options.has("markdown")) await io.stdout.write(comparisonMarkdown(comparison));
  else await writeLines(io.stdout, io.env, showComparison(comparison));
}

/**
 * Refuses an output file for pins before anything is read: a domain or mail always, any other file unless `--force`
 * is given.
 */
async function refusePin(path: string, given: Given, io: CliIo): Promise<void> {
  const [oldPath, newPath, ...paths] = given.arguments;
  if (paths.includes("-"))
    throw new UsageError("`--pin` needs messages that can be found again: name files");
  const found = await stat(resolve(io.cwd, path)).catch(() => null);
  if (found === null || !found.isFile()) return;
  for (const domain of [oldPath!, newPath!]) {
    const { dev, ino } = await stat(resolve(io.cwd, domain));
    if (dev !== found.dev || ino !== found.ino) continue;
    throw new UsageError(`\`--pin ${path}\` is the domain file: name another file`);
  }
  const output = placeAt(path, io.cwd);
  const places = paths.map((each) => placeAt(each, io.cwd));
  const isSuite = path.endsWith(".mailtest.json");
  await refuseSources(places, [output], () => isSuite).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  if (given.options.has("force")) return;
  const said = `\`${path}\` exists already: name another file, or overwrite it with --force`;
  throw new UsageError(said);
}

async function writePins(
  path: string,
  given: Given,
  domain: RehearsedDomain,
  sources: Sources,
  envelope: PinOptions,
  io: CliIo,
): Promise<void> {
  const folder = dirname(resolve(io.cwd, path));
  const from = (name: string): string =>
    relative(folder, resolve(io.cwd, name)).replaceAll("\\", "/");
  const tests: object[] = [];
  for await (const { message, ...test } of pinsOf(domain, sources, envelope)) {
    if (message.startsWith("(stdin)")) {
      throw new UsageError("`--pin` needs messages that can be found again: name files");
    }
    const { name, ...rest } = test;
    tests.push({ name, message: from(message), ...rest });
  }
  const suite = { domain: from(given.arguments[0]!), tests };
  const existing = given.options.has("force") ? "overwrite" : "refuse";
  await writeNew(path, `${JSON.stringify(suite, null, 2)}\n`, existing, io.cwd);
  await writeLines(io.stderr, io.env, [[`${count(tests.length, "test")} written to ${path}`]]);
}

/** Options that only make sense with messages. */
const OF_MESSAGES = ["recipient", "sender", "markdown", "pin"] as const;

export function refuseWithoutMessages({ options }: Given): void {
  const given = OF_MESSAGES.find((name) => options.has(name));
  if (given !== undefined) throw new UsageError(`\`--${given}\` needs messages: name some`);
}

/** Without messages: compares what the domains do with all possible messages. */
async function diffOnAll(
  given: Given,
  before: RehearsedDomain,
  after: RehearsedDomain,
  io: CliIo,
): Promise<number> {
  refuseWithoutMessages(given);
  const { options } = given;
  const comparison = await compareAll(before, after);
  if (options.has("json")) await io.stdout.write(`${JSON.stringify(comparison)}\n`);
  else {
    const domains = [before.domain, after.domain] as const;
    await writeLines(io.stdout, io.env, showFullComparison(comparison, domains));
  }
  if (options.has("equal")) return comparison.verdict === "equal" ? EXIT.ok : EXIT.errorsFound;
  const isAllowed = comparison.verdict !== "different" || options.has("allow-changes");
  return isAllowed ? EXIT.ok : EXIT.errorsFound;
}

async function runDiff(given: Given, io: CliIo): Promise<number> {
  const [oldPath, newPath, ...paths] = given.arguments;
  const before = await usableDomain(oldPath!, io);
  const after = await usableDomain(newPath!, io);
  if (before === null || after === null) return EXIT.unusable;
  if (before.domain.name !== after.domain.name) {
    const [one, other] = [before.domain.name, after.domain.name];
    throw new UsageError(
      `\`${oldPath}\` is for \`${one}\` and \`${newPath}\` for \`${other}\`: compare one domain with itself`,
    );
  }
  if (paths.length === 0) return diffOnAll(given, before, after, io);
  if (given.options.has("equal")) {
    throw new UsageError("`--equal` speaks of all messages: leave the messages out");
  }
  const envelope = envelopeOf(given, before.domain);
  const pin = given.options.get("pin")?.[0];
  if (pin !== undefined) {
    await refusePin(pin, given, io);
    await writePins(pin, given, before, await mailAt(paths, io), envelope, io);
  }
  const comparison = await compareDomains(before, after, await mailAt(paths, io), envelope);
  await writeComparison(given, comparison, io);
  await hintAtRecipient(comparison, before.domain, io);
  if (comparison.decisions === 0) return EXIT.unusable;
  const isAllowed = comparison.changed === 0 || given.options.has("allow-changes");
  return isAllowed ? EXIT.ok : EXIT.errorsFound;
}

export const COMPARISON_OPTIONS: readonly Option[] = [
  RECIPIENT_OPTION,
  SENDER_OPTION,
  { name: "markdown", description: "as Markdown, fit for a pull request" },
  { name: "json", description: "one JSON object" },
];

export const diffCommand: Command = {
  name: "diff",
  summary: "tells which messages go another way by a changed domain, and why",
  arguments: [
    { name: "old.json", count: "one", description: "the domain as it is" },
    { name: "new.json", count: "one", description: "the domain as it would be" },
    { ...SOURCES_ARGUMENT, count: "any" },
  ],
  options: [
    ...COMPARISON_OPTIONS,
    { name: "equal", description: "without messages: end with 1 unless both are proved equal" },
    { name: "allow-changes", description: "end with 0 even if something changes" },
    {
      name: "pin",
      value: "file.mailtest.json",
      description: "write what <old.json> does with the messages as rule tests",
    },
    { name: "force", description: "overwrite the file of --pin" },
  ],
  notes: [
    "",
    "Without messages the two are compared on all messages that there can be: they are proved equal, or a message",
    "is shown for each pair of what decided before and what decides now.",
    "Changes are grouped by the rule that decided before and the rule that decides now, the largest group first,",
    "each with examples. The differences named as the cause were tried: with them alone the message goes the new",
    "way.",
    "Exit code: 0 nothing changes, 1 something does, 2 wrong use, a domain with errors, or nothing to compare.",
  ],
  examples: [
    "mailflow diff main/example.com.json example.com.json --equal",
    "mailflow diff example.com.json proposed.json archive.mbox",
    "mailflow diff main/example.com.json example.com.json Maildir/ --markdown > comment.md",
    "mailflow diff example.com.json example.com.json archive.mbox --pin example.com.mailtest.json",
  ],
  run: runDiff,
};
