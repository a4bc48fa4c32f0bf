/** `mailflow shadow`: which messages one new rule would take, and from which rules, before it is saved. */
import { formatPath } from "../../base/diagnostic.ts";
import { type ChangeGroup, type Comparison, compareDomains } from "../../rehearse/diff/compare.ts";
import { withNewRule } from "../../rehearse/diff/shadow.ts";
import { compareAll } from "../../rehearse/proof/compare-all.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { count, number } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { type Command, CommandFailure, type Given, numberOf } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { readJson } from "../read/files.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/find-messages.ts";
import { envelopeOf, hintAtRecipient } from "../read/read-address.ts";
import { usableDomain } from "../read/read-domain.ts";
import type { Reports } from "../report.ts";
import { describeOwner } from "../show/diff/describe-delta.ts";
import { comparisonReport, partText, showGroups } from "../show/diff/show-comparison.ts";
import { showFullComparison } from "../show/diff/show-proofs.ts";
import { COMPARISON_OPTIONS, refuseWithoutMessages } from "./diff.ts";

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
  return [[`  ${count(place, "rule")} before it; \`--rank ${first}\` would put it first`]];
}

function nameOf(id: string, { domain }: RehearsedDomain): Line {
  const { rank } = domain.rules.find((rule) => rule.id === id)!;
  return [styled("bold", `rule ${id}`), ` at rank ${rank} `];
}

function showTaken(id: string, after: RehearsedDomain, comparison: Comparison): Line[] {
  const { groups, decisions, changed } = comparison;
  const name = nameOf(id, after);
  const all = count(decisions, "decision");
  if (changed === 0) {
    return [[...name, `would change nothing on ${all}`], ...hintAtRank(id, after)];
  }
  return [
    [...name, `would change ${number(changed)} of ${all}:`],
    ...groups.map((group): Line => ["  it takes ", taken(group)]),
    [],
    ...showGroups(comparison),
  ];
}

/** Without messages: whether the rule can take any at all, and from which rules. */
async function* shadowOnAll(
  given: Given,
  id: string,
  before: RehearsedDomain,
  after: RehearsedDomain,
): Reports {
  refuseWithoutMessages(given);
  const comparison = await compareAll(before, after);
  const name = nameOf(id, after);
  yield {
    text: () =>
      comparison.verdict === "equal"
        ? [[...name, "would change nothing, whatever message comes"], ...hintAtRank(id, after)]
        : [
            [...name, "would change:"],
            ...showFullComparison(comparison, [before.domain, after.domain]),
          ],
    json: () => comparison,
  };
  return EXIT.ok;
}

async function* runShadow(given: Given, io: CliIo): Reports {
  const [domainPath, rulePath, ...paths] = given.arguments;
  const before = await usableDomain(domainPath!, given, io);
  const rule = await readJson(rulePath!, io.cwd, "a file with a rule");
  const rank = numberOf(given, "rank", "a number, decimals allowed", () => true);
  const added = withNewRule(before, rule, rank ?? null);
  if (!added.ok) {
    const lines = added.diagnostics.map(
      ({ code, message, path }): Line => [
        styled("bold", `${rulePath}: `),
        styled("red", `error[${code}] ${formatPath(path)}: ${message}`),
      ],
    );
    throw new CommandFailure(EXIT.unusable, lines);
  }
  const { id, rehearsed } = added;
  if (paths.length === 0) return yield* shadowOnAll(given, id, before, rehearsed);
  const envelope = envelopeOf(given, before.domain);
  const comparison = await compareDomains(before, rehearsed, await mailAt(paths, io), envelope);
  const text = () => showTaken(id, rehearsed, comparison);
  yield { ...comparisonReport(comparison), text };
  yield* hintAtRecipient(comparison, before.domain);
  return comparison.decisions === 0 ? EXIT.unusable : EXIT.ok;
}

export const shadowCommand: Command = {
  name: "shadow",
  summary: "shows which messages one new rule would take, and from which rules",
  arguments: [
    { name: "domain.json", count: "one", description: "the domain without the rule" },
    {
      name: "rule.json",
      count: "one",
      description: "the rule, in the form of the API; it replaces a rule with the same id",
    },
    { ...SOURCES_ARGUMENT, count: "any" },
  ],
  options: [
    {
      name: "rank",
      value: "number",
      description: "rank of the rule (default: its own, or after all others)",
    },
    ...COMPARISON_OPTIONS,
  ],
  notes: [
    "",
    "Without messages, shadow shows whether the rule can take any message at all, from which rules, and an example",
    "of each kind.",
    "Exit code: 0 answered, 2 wrong use, a domain or a rule with errors, or nothing to route.",
  ],
  examples: [
    "mailflow shadow example.com.json rule.json archive.mbox",
    "mailflow shadow example.com.json rule.json Maildir/ --rank 15",
    "mailflow shadow example.com.json rule.json",
  ],
  run: runShadow,
};
