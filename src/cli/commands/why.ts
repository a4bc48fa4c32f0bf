/** `mailflow why`: why a message did not go where it should have. */

import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { readerOf, recipientsNamed, wholeFacts } from "../../rehearse/route-message.ts";
import { type WhyNot, why } from "../../rehearse/why/why.ts";
import { showMissed } from "../../rehearse/words/show-why.ts";
import { noSuchTarget, readTarget, titleOf } from "../../rehearse/words/why-target.ts";
import { type Command, type Given, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { fileFailure } from "../read/files.ts";
import { oneMessage } from "../read/one-message.ts";
import { readRecipient, readSender, SENDER_OPTION } from "../read/read-address.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import type { Reports } from "../report.ts";
import { showDecision } from "../show/show-decision.ts";

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
  const file = await usableDomain(domainPath!, given, io);
  const written = optionOf(given, "to");
  if (written === undefined) {
    throw new UsageError(
      "`--to` is missing: say where the message should go, `--to <destination or rule id>`",
    );
  }
  const target = readTarget(written, file);
  if (typeof target === "string") throw new UsageError(target);
  const source = await oneMessage(messagePath!, io);
  const reader = readerOf(source);
  const sender = readSender(optionOf(given, "sender"));
  try {
    const recipient = await onlyRecipient(given, file, reader);
    const facts = await wholeFacts(file.domain, recipient, sender, reader);
    const answered = why(file, facts, target);
    if (answered.verdict === "no-such-target") {
      throw new UsageError(noSuchTarget(answered, file));
    }
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
    DOMAIN_FUEL,
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
