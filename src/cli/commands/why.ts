/** `mailflow why`: why a message did not go where it should have. */

import { nearestName } from "../../base/nearest-name.ts";
import { parseAddrSpec } from "../../engine/facts/address.ts";
import { destinationText } from "../../rehearse/outcome.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { readerOf, recipientsNamed, wholeFacts } from "../../rehearse/route-message.ts";
import type { Target } from "../../rehearse/why/candidate.ts";
import { type WhyNot, why } from "../../rehearse/why/why.ts";
import { type Command, type Given, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { type Line, styled } from "../line.ts";
import { fileFailure } from "../read/files.ts";
import { oneMessage } from "../read/one-message.ts";
import { readRecipient, readSender, SENDER_OPTION } from "../read/read-address.ts";
import { DOMAIN_ARGUMENT, usableDomain } from "../read/read-domain.ts";
import type { Reports } from "../report.ts";
import { showDecision } from "../show/show-decision.ts";
import { showMissed } from "../show/show-why.ts";

/** The target that `--to` names: the id of a rule, an alias or its id, or a destination. */
function readTarget(written: string, { domain }: RehearsedDomain): Target {
  const rule = domain.rules.find(({ id }) => id === written);
  if (rule !== undefined) return { kind: "rule", id: rule.id };
  const alias = domain.aliases.find(
    ({ id, matcher }) => id === written || matcher.alias === written,
  );
  if (alias !== undefined) return { kind: "alias", id: alias.id };
  if (parseAddrSpec(written) !== null || /^https?:\/\//i.test(written)) {
    return { kind: "destination", destination: written };
  }
  const meant = nearestName(
    written,
    domain.rules.map(({ id }) => id),
  );
  const hint =
    meant === undefined ? "name a rule by its id, or a destination" : `did you mean \`${meant}\`?`;
  throw new UsageError(`\`${written}\` is neither a rule nor a destination: ${hint}`);
}

function destinationsOf({ domain }: RehearsedDomain): readonly string[] {
  const forwards = [...domain.rules, ...domain.aliases].map(({ forward }) => forward);
  return [...forwards, domain.fallback]
    .flatMap((forward) => forward?.templates ?? [])
    .map(destinationText);
}

async function onlyRecipient(
  { options }: Given,
  { domain }: RehearsedDomain,
  reader: ReturnType<typeof readerOf>,
): Promise<string> {
  const [written, second] = options.get("recipient") ?? [];
  if (second !== undefined) throw new UsageError("`--recipient` is given twice: give it once");
  if (written !== undefined) return readRecipient(written, domain);
  const named = await recipientsNamed(domain, reader);
  if (named.length === 1) return named[0]!;
  if (named.length === 0) {
    throw new UsageError(
      `the message names no recipient at \`${domain.name}\`: add \`--recipient somebody@${domain.name}\``,
    );
  }
  const choice = named.map((address) => `\`${address}\``).join(" or ");
  throw new UsageError(`the message is for ${choice}: add \`--recipient\` with one of them`);
}

function noSuchTarget({ target }: WhyNot, rehearsed: RehearsedDomain): UsageError {
  const wanted = target.kind === "destination" ? target.destination : target.id;
  const meant = nearestName(wanted, destinationsOf(rehearsed));
  const hint = meant === undefined ? "" : `: did you mean \`${meant}\`?`;
  return new UsageError(`no rule or alias of the domain sends mail to \`${wanted}\`${hint}`);
}

function titleOf({ target, verdict }: WhyNot): Line {
  const wanted = target.kind === "destination" ? target.destination : `${target.kind} ${target.id}`;
  return verdict === "reached"
    ? [styled("green", "it did go there: "), wanted]
    : ["why not ", styled("bold", wanted), "?"];
}

function jsonOf(answered: WhyNot, message: string, recipient: string): object {
  const { target, verdict, decision, candidates } = answered;
  const { action, reason, decidedBy, destinations } = decision;
  const told = candidates.map(({ takenBy, ...rest }) => ({
    ...rest,
    takenBy: takenBy === null ? null : { kind: takenBy.kind, id: takenBy.id },
  }));
  const decided = { action, reason, decidedBy, destinations };
  return { message, recipient, target, verdict, ...decided, candidates: told };
}

async function* runWhy(given: Given, io: CliIo): Reports {
  const [domainPath, messagePath] = given.arguments;
  const file = await usableDomain(domainPath!, io);
  const written = optionOf(given, "to");
  if (written === undefined) {
    throw new UsageError(
      "`--to` is missing: say where the message should go, `--to <destination or rule id>`",
    );
  }
  const target = readTarget(written, file);
  const source = await oneMessage(messagePath!, io);
  const reader = readerOf(source);
  const sender = readSender(optionOf(given, "sender"));
  try {
    const recipient = await onlyRecipient(given, file, reader);
    const facts = await wholeFacts(file.domain, recipient, sender, reader);
    const answered = why(file, facts, target);
    if (answered.verdict === "no-such-target") throw noSuchTarget(answered, file);
    yield {
      text: () => [
        ...showDecision(source.name, recipient, answered.decision, file.domain, answered.trace),
        [],
        titleOf(answered),
        ...answered.candidates.flatMap((each) => [[], ...showMissed(each)]),
      ],
      json: () => jsonOf(answered, source.name, recipient),
    };
    return EXIT.ok;
  } catch (error) {
    throw new UsageError(fileFailure(error, source.name, "a message"));
  }
}

export const whyCommand: Command = {
  name: "why",
  summary: "explains why a message did not go somewhere, and what would change that",
  arguments: [
    DOMAIN_ARGUMENT,
    {
      name: "message",
      count: "one",
      description: "a message, one of an mbox (`archive.mbox#3`), or - for standard input",
    },
  ],
  options: [
    {
      name: "to",
      value: "destination or rule id",
      description: "where it should have gone, or the rule that should have taken it",
    },
    {
      name: "recipient",
      value: "address",
      repeats: "repeats",
      description: "recipient of the message (default: the one at the domain that it names)",
    },
    SENDER_OPTION,
    { name: "json", description: "one JSON object" },
  ],
  notes: [
    "",
    "For each rule that could have sent it there, why shows the conditions that failed (what the rule wanted, and what",
    "the message had), the earlier rule that took the message, and the smallest changes to the message and to the",
    "rules that send it there. Every change shown was tried.",
    "Exit code: 0 answered, 2 wrong use, an unreadable file, or a destination that no rule sends to.",
  ],
  examples: [
    "mailflow why example.com.json message.eml --to ledger@books.example",
    "mailflow why example.com.json message.eml --to invoices --recipient sales@example.com",
  ],
  run: runWhy,
};
