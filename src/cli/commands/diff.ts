/** `mailflow diff`: which messages a changed domain routes differently, and why. */
import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { compareDomains, type Sources } from "../../rehearse/diff/compare.ts";
import { compareAll } from "../../rehearse/proof/compare-all.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { placeAt } from "../../rehearse/replay/mail-place.ts";
import { refuseSources } from "../../rehearse/replay/output/own-files.ts";
import { type PinOptions, pinsOf } from "../../rehearse/test/pin.ts";
import { count } from "../../rehearse/words/count.ts";
import { type Command, type Given, type Option, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/find-messages.ts";
import {
  envelopeOf,
  hintAtRecipient,
  RECIPIENT_OPTION,
  SENDER_OPTION,
} from "../read/read-address.ts";
import { DOMAIN_FUEL, usableDomains } from "../read/read-domain.ts";
import { note, type Reports } from "../report.ts";
import { comparisonReport } from "../show/diff/show-comparison.ts";
import { showFullComparison } from "../show/diff/show-proofs.ts";
import { existsAlready, refuseDomain, writeNew } from "../write-new.ts";

/**
 * Refuses an output file for pins before anything is read: a domain or mail always, any other file unless `--force`
 * is given.
 */
async function refusePin(path: string, given: Given, io: CliIo): Promise<void> {
  const [oldPath, newPath, ...paths] = given.arguments;
  if (paths.includes("-")) throw new UsageError("`--pin` cannot use standard input: name files");
  const found = await stat(resolve(io.cwd, path)).catch(() => null);
  if (found === null || !found.isFile()) return;
  await refuseDomain("pin", path, [oldPath!, newPath!], io.cwd);
  const output = placeAt(path, io.cwd);
  const places = paths.map((each) => placeAt(each, io.cwd));
  const isSuite = path.endsWith(".mailtest.json");
  await refuseSources(places, [output], () => isSuite).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  if (!given.options.has("force")) throw existsAlready(path);
}

/** Resolves to the number of tests. */
async function writePins(
  path: string,
  given: Given,
  domain: RehearsedDomain,
  sources: Sources,
  envelope: PinOptions,
  io: CliIo,
): Promise<number> {
  const folder = dirname(resolve(io.cwd, path));
  const from = (name: string): string =>
    relative(folder, resolve(io.cwd, name)).replaceAll("\\", "/");
  const tests: object[] = [];
  for await (const { message, ...test } of pinsOf(domain, sources, envelope)) {
    if (message.startsWith("(stdin)")) {
      throw new UsageError("`--pin` cannot use standard input: name files");
    }
    const { name, ...rest } = test;
    tests.push({ name, message: from(message), ...rest });
  }
  const suite = { domain: from(given.arguments[0]!), tests };
  const existing = given.options.has("force") ? "overwrite" : "refuse";
  await writeNew(path, `${JSON.stringify(suite, null, 2)}\n`, existing, io.cwd);
  return tests.length;
}

/** Options that only make sense with messages. */
const OF_MESSAGES = ["recipient", "sender", "markdown", "pin"] as const;

export function refuseWithoutMessages({ options }: Given): void {
  const given = OF_MESSAGES.find((name) => options.has(name));
  if (given !== undefined) throw new UsageError(`\`--${given}\` needs messages: name some`);
}

/** Without messages: compares what the domains do with all possible messages. */
async function* diffOnAll(given: Given, before: RehearsedDomain, after: RehearsedDomain): Reports {
  refuseWithoutMessages(given);
  const { options } = given;
  const comparison = await compareAll(before, after);
  yield {
    text: () => showFullComparison(comparison, [before.domain, after.domain]),
    json: () => comparison,
  };
  if (options.has("equal")) return comparison.verdict === "equal" ? EXIT.ok : EXIT.errorsFound;
  const isAllowed = comparison.verdict !== "different" || options.has("allow-changes");
  return isAllowed ? EXIT.ok : EXIT.errorsFound;
}

async function* runDiff(given: Given, io: CliIo): Reports {
  const [oldPath, newPath, ...paths] = given.arguments;
  const domains = await usableDomains([oldPath!, newPath!], given, io);
  const [before, after] = [domains[0]!, domains[1]!];
  if (before.domain.name !== after.domain.name) {
    const [one, other] = [before.domain.name, after.domain.name];
    throw new UsageError(
      `\`${oldPath}\` is for \`${one}\` and \`${newPath}\` for \`${other}\`: compare one domain with itself`,
    );
  }
  if (paths.length === 0) return yield* diffOnAll(given, before, after);
  if (given.options.has("equal")) {
    throw new UsageError("`--equal` compares all possible messages: leave the messages out");
  }
  const envelope = envelopeOf(given, before.domain);
  const pin = optionOf(given, "pin");
  if (pin !== undefined) {
    await refusePin(pin, given, io);
    const tests = await writePins(pin, given, before, await mailAt(paths, io), envelope, io);
    yield note([`${count(tests, "test")} written to ${pin}`]);
  }
  const comparison = await compareDomains(before, after, await mailAt(paths, io), envelope);
  yield comparisonReport(comparison);
  yield* hintAtRecipient(comparison, before.domain);
  if (comparison.decisions === 0) return EXIT.unusable;
  const isAllowed = comparison.changed === 0 || given.options.has("allow-changes");
  return isAllowed ? EXIT.ok : EXIT.errorsFound;
}

export const COMPARISON_OPTIONS: readonly Option[] = [
  RECIPIENT_OPTION,
  SENDER_OPTION,
  { name: "markdown", excludes: ["json"], description: "Markdown, for a pull request" },
  DOMAIN_FUEL,
  { name: "json", description: "one JSON object" },
];

export const diffCommand: Command = {
  name: "diff",
  summary: "shows which messages a changed domain routes differently, and why",
  arguments: [
    { name: "old.json", count: "one", description: "the domain before the change" },
    { name: "new.json", count: "one", description: "the domain after the change" },
    { ...SOURCES_ARGUMENT, count: "any" },
  ],
  options: [
    ...COMPARISON_OPTIONS,
    { name: "equal", description: "without messages: exit with 1 unless both are proved equal" },
    {
      name: "allow-changes",
      excludes: ["equal"],
      description: "exit with 0 even if something changes",
    },
    {
      name: "pin",
      value: "file.mailtest.json",
      description: "write rule tests of what <old.json> does with the messages",
    },
    { name: "force", needs: ["pin"], description: "overwrite the file of --pin" },
  ],
  notes: [
    "",
    "Without messages, diff compares the domains on all possible messages. It proves them equal, or shows a message",
    "for each pair of the rule that decided before and the rule that decides now.",
    "With messages, changes are grouped by these pairs, the largest group first, each with examples. The differences",
    "shown as the cause were tried: they alone make the message go the new way.",
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
