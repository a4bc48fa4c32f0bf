/** What the engine makes of a golden case, in the shape of its `expected.json`. */
import { canonicalAddress } from "../../src/engine/facts/address.ts";
import { type Facts, STAGES } from "../../src/engine/facts/facts.ts";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import type { Explanation } from "../../src/engine/routing/explain.ts";
import { explain } from "../../src/engine/routing/explain.ts";
import type { Destination, Resolution } from "../../src/engine/routing/resolution.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { headerFacts, messageFacts, toFacts } from "../../src/message/index.ts";
import {
  DEFAULT_REVERSE_PATH,
  type Expected,
  type ExpectedDecision,
  type ExpectedFacts,
  type GoldenCase,
} from "./golden-case.ts";

/** What each way of resolving one recipient answered. */
export interface Ways {
  /** From the facts of the envelope, then the header, then the whole message. */
  readonly staged: readonly [Resolution, Resolution, Resolution];
  /** From the whole message. */
  readonly explanation: Explanation;
}

export interface Outcome {
  /** The `expected.json` that the engine would have written; what the case leaves unsaid is left out. */
  readonly actual: Expected;
  readonly ways: readonly Ways[];
}

function textOf(destination: Destination): string {
  return destination.kind === "mailbox" ? destination.address : destination.url;
}

function decisionAsExpected(
  { staged, explanation }: Ways,
  asked: ExpectedDecision,
): ExpectedDecision {
  const whole = staged[2];
  if (whole.verdict !== "decided") throw new Error("undecided although every fact is known");
  const { action, reason, decidedBy, destinations, reply } = whole;
  const failed = explanation.trace
    .filter(({ verdict }) => verdict === "failed")
    .map(({ id }) => id);
  const decidedAt = STAGES[staged.findIndex(({ verdict }) => verdict === "decided")]!;
  return {
    action,
    reason,
    ...(decidedBy === null ? {} : { decidedBy: `${decidedBy.kind} ${decidedBy.id}` }),
    ...(destinations.length === 0 ? {} : { destinations: destinations.map(textOf) }),
    ...(reply === undefined ? {} : { reply: `${reply.code} ${reply.enhanced}` }),
    ...(failed.length === 0 ? {} : { failed }),
    ...(asked.decidedAt === undefined ? {} : { decidedAt }),
  };
}

function factsAsExpected(facts: Facts, asked: ExpectedFacts): ExpectedFacts {
  const { subject, body } = facts;
  const sender = canonicalAddress(facts.sender ?? "");
  const attachments = facts.attachments?.map(({ filename }) => filename);
  const seen = Object.entries({ sender, subject, body, attachments });
  return Object.fromEntries(seen.filter(([name]) => name in asked));
}

/** Runs a case on the bytes given, which are its message with one kind of line ending. */
export async function runCase(golden: GoldenCase, bytes: Uint8Array): Promise<Outcome> {
  const { expected } = golden;
  const compiled = compileDomain(golden.domain);
  if (!compiled.ok) throw new Error(`refused: ${JSON.stringify(compiled.diagnostics)}`);
  const sender = expected.envelope?.sender ?? DEFAULT_REVERSE_PATH;
  const options = { senderSource: expected.senderSource };
  const [header, message] = [await headerFacts(bytes), await messageFacts(bytes)];

  const ways: Ways[] = [];
  const recipients: Record<string, ExpectedDecision> = {};
  let facts: ExpectedFacts = {};
  for (const [recipient, asked] of Object.entries(expected.recipients)) {
    const envelope = { recipient, sender };
    const whole = toFacts(envelope, message, options);
    const way: Ways = {
      staged: [
        resolve(compiled.domain, toFacts(envelope, undefined, options)),
        resolve(compiled.domain, toFacts(envelope, header, options)),
        resolve(compiled.domain, whole),
      ],
      explanation: explain(compiled.domain, whole),
    };
    ways.push(way);
    recipients[recipient] = decisionAsExpected(way, asked);
    facts = factsAsExpected(whole, expected.facts ?? {});
  }
  return { actual: { ...expected, ...(expected.facts && { facts }), recipients }, ways };
}
