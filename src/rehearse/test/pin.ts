/** Pins: rule tests that fix what a domain does with messages today. */
import { canonicalAddress } from "../../engine/facts/address.ts";
import type { CompareOptions, Sources } from "../diff/compare.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { answer, readerOf, recipientsNamed } from "../route-message.ts";
import type { Expectation } from "./rule-test.ts";
import type { RuleTest } from "./test-suite.ts";

function expectationOf({ action, reason, decidedBy, destinations }: Outcome): Expectation {
  const decider =
    decidedBy === null
      ? { reason }
      : decidedBy.kind === "rule"
        ? { rule: decidedBy.id }
        : { alias: decidedBy.alias };
  return action === "forward" ? { ...decider, destinations } : { ...decider, action };
}

/** Recipients of every message, by default those that it names at the domain, and its envelope sender. */
export type PinOptions = Pick<CompareOptions, "recipients" | "sender">;

/**
 * One test for each message and recipient, in the order of the source; a message is named by its path. Messages that
 * cannot be read, or that name no recipient at the domain, give no test.
 */
export async function* pinsOf(
  { domain }: RehearsedDomain,
  sources: Sources,
  { recipients, sender }: PinOptions = {},
): AsyncGenerator<RuleTest & { readonly message: string }, void, void> {
  for await (const source of sources) {
    if ("failure" in source) continue;
    const reader = readerOf(source);
    for (const recipient of recipients ?? (await recipientsNamed(domain, reader))) {
      const question = { domain, recipient, sender, senderSource: "header" } as const;
      const { decision } = await answer({ ...question, trace: "nothing" }, reader);
      yield {
        name: `${source.name} for ${recipient}`,
        message: source.name,
        recipient: canonicalAddress(recipient),
        ...(sender === undefined ? {} : { sender }),
        expect: expectationOf(outcomeOf(decision)),
      };
    }
  }
}
