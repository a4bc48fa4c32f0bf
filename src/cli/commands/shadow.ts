/** `mailflow shadow`: what one new rule would take, and from which rules, before it is saved. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { formatPath } from "../../base/diagnostic.ts";
import { findJsonMistake } from "../../base/json-text.ts";
import { type ChangeGroup, type Comparison, compareDomains } from "../../rehearse/diff/compare.ts";
import { withNewRule } from "../../rehearse/diff/shadow.ts";
import { compareAll } from "../../rehearse/proof/compare-all.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { count, number } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { type Line, styled, writeLines } from "../line.ts";
import { fileFailure } from "../read/file-failure.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import { envelopeOf, hintAtRecipient } from "../read/read-address.ts";
import { describeOwner } from "../show/diff/describe-delta.ts";
import { partText, showComparison } from "../show/diff/show-comparison.ts";
import { showFullComparison } from "../show/diff/show-proofs.ts";
import {
  COMPARISON_OPTIONS,
  refuseWithoutMessages,
  usableDomain,
  writeComparison,
} from "./diff.ts";

async function readRule(path: string, io: CliIo): Promise<unknown> {
  const text = await readFile(resolve(io.cwd, path), "utf8").catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a file with a rule"));
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const said = findJsonMistake(text)?.message ?? (error as Error).message;
    throw new UsageError(`\`${path}\` is not JSON: ${said}`);
  }
}

function readRank({ options }: Given): number | null {
  const written = options.get("rank")?.[0];
  if (written === undefined) return null;
  const rank = Number(written);
  if (written.trim() !== "" && Number.isFinite(rank)) return rank;
  throw new UsageError(`\`--rank\` cannot be \`${written}\`: write a number, decimals allowed`);
}

/** `2 of the 3 messages that rule invoices has`. */
function taken({ from, count: moved, fromHad }: ChangeGroup): string {
  return `${partText(moved, fromHad)} ${describeOwner(from, "present")}`;
}

/** For a rule that takes nothing: the rank at which it would be tried first. */
function hintAtRank(id: string, { domain }: RehearsedDomain): Line[] {
  const active = domain.rules.filter((rule) => rule.active);
  const place = active.findIndex((rule) => rule.id === id);
  if (place <= 0) return [];
  const first = Math.min(...active.map(({ rank }) => rank)) - 1;
  return [[`  ${count(place, "rule")} before it; first it would be with \`--rank ${first}\``]];
}

function summary(
  id: string,
  rehearsed: RehearsedDomain,
  { groups, decisions, changed }: Comparison,
): Line[] {
  const name = `rule ${id}`;
  const { rank } = rehearsed.domain.rules.find((rule) => rule.id === id)!;
  const at = ` at rank ${rank} `;
  if (changed === 0) {
    return [
      [styled("bold", name), at, `would change nothing on ${count(decisions, "decision")}`],
      ...hintAtRank(id, rehearsed),
    ];
  }
  return [
    [
      styled("bold", name),
      at,
      `would change ${number(changed)} of ${count(decisions, "decision")}:`,
    ],
    ...groups.map((group): Line => ["  it takes ", taken(group)]),
    [],
  ];
}

/** Without messages: whether the rule can take any at all, and from which rules. */
async function shadowOnAll(
  given: Given,
  id: string,
  before: RehearsedDomain,
  after: RehearsedDomain,
  io: CliIo,
): Promise<number> {
  refuseWithoutMessages(given);
  const comparison = await compareAll(before, after);
  if (given.options.has("json")) {
    await io.stdout.write(`${JSON.stringify(comparison)}\n`);
    return EXIT.ok;
  }
  const { rank } = after.domain.rules.find((rule) => rule.id === id)!;
  const name: Line = [styled("bold", `rule ${id}`), ` at rank ${rank} `];
  const domains = [before.domain, after.domain] as const;
  await writeLines(io.stdout, io.env, [
    ...(comparison.verdict === "equal"
      ? [[...name, "would change nothing, whatever message comes"], ...hintAtRank(id, after)]
      : [[...name, "would change:"], ...showFullComparison(comparison, domains)]),
  ]);
  return EXIT.ok;
}

async function runShadow(given: Given, io: CliIo): Promise<number> {
  const [domainPath, rulePath, ...paths] = given.arguments;
  const before = await usableDomain(domainPath!, io);
  if (before === null) return EXIT.unusable;
  const added = withNewRule(before, await readRule(rulePath!, io), readRank(given));
  if (!added.ok) {
    const lines = added.diagnostics.map(
      ({ code, message, path }): Line => [
        styled("bold", `${rulePath}: `),
        styled("red", `error[${code}] ${formatPath(path)}: ${message}`),
      ],
    );
    await writeLines(io.stderr, io.env, lines);
    return EXIT.unusable;
  }
  const { id, rehearsed } = added;
  if (paths.length === 0) return shadowOnAll(given, id, before, rehearsed, io);
  const envelope = envelopeOf(given, before.domain);
  const comparison = await compareDomains(before, rehearsed, await mailAt(paths, io), envelope);
  if (given.options.has("json") || given.options.has("markdown")) {
    await writeComparison(given, comparison, io);
  } else {
    const [, , , ...rest] = showComparison(comparison);
    await writeLines(io.stdout, io.env, [
      ...summary(id, rehearsed, comparison),
      ...(comparison.changed === 0 ? [] : rest.slice(0, -1)),
    ]);
  }
  await hintAtRecipient(comparison, before.domain, io);
  return comparison.decisions === 0 ? EXIT.unusable : EXIT.ok;
}

export const shadowCommand: Command = {
  name: "shadow",
  summary: "tells what one new rule would take, and from whom, before it is saved",
  arguments: [
    { name: "domain.json", count: "one", description: "the domain as it is" },
    {
      name: "rule.json",
      count: "one",
      description:
        "the rule, as the API takes it; with the id of a rule that there is, instead of it",
    },
    { ...SOURCES_ARGUMENT, count: "any" },
  ],
  options: [
    {
      name: "rank",
      value: "number",
      description: "its rank; default: its own, else behind all others",
    },
    ...COMPARISON_OPTIONS,
  ],
  notes: [
    "",
    "Without messages: whether the rule can take any message at all, from whom, and a message of each kind.",
    "Exit code: 0 answered, 2 wrong use, a domain or a rule with errors, or nothing to route.",
  ],
  examples: [
    "mailflow shadow example.com.json rule.json archive.mbox",
    "mailflow shadow example.com.json rule.json Maildir/ --rank 15",
    "mailflow shadow example.com.json rule.json",
  ],
  run: runShadow,
};
