/** Rule tests on the page: made from the current message, run on every edit, and kept in a suite that `mailflow test` reads. */
import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { outcomeOf } from "../../rehearse/outcome.ts";
import { type InlineMessage, inlineFacts } from "../../rehearse/test/inline-message.ts";
import { type Expectation, mismatchesOf } from "../../rehearse/test/rule-test.ts";
import type { RuleTest } from "../../rehearse/test/test-suite.ts";
import type { Decided } from "./decide.ts";
import { factsOf, type Mail, readMessage } from "./mail.ts";

/** A test of a suite. If its message is in a file beside the suite, `base64` is the content of that file. */
export interface KeptTest {
  readonly test: RuleTest;
  readonly base64?: string;
}

export interface PageTest {
  readonly test: RuleTest;
  readonly facts: Facts;
  /** The message on the page from which it was made; `null` for a test that was there before. */
  readonly madeFrom: Mail | null;
}

export interface TestRun {
  readonly name: string;
  /** `null` if it passes, otherwise what was wanted and what happened. */
  readonly failure: string | null;
}

function withDomain(recipient: string, domain: string): string {
  return recipient.includes("@") ? recipient : `${recipient}@${domain}`;
}

function inlineOf(mail: Mail): InlineMessage {
  const { recipient, sender, subject, body, headers, attachments, size } = mail;
  return {
    recipient,
    sender,
    subject,
    body,
    ...(headers.size > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(size > 0 ? { size } : {}),
  };
}

function freeName(wish: string, taken: readonly PageTest[]): string {
  const names = new Set(taken.map(({ test }) => test.name));
  let name = wish;
  for (let number = 2; names.has(name); number++) name = `${wish} (${number})`;
  return name;
}

/** A test that expects what happens to the message now. Its name differs from those of `taken`. */
export function testFrom(
  mail: Mail,
  { decision }: Decided,
  taken: readonly PageTest[] = [],
): PageTest {
  const { action, decidedBy, destinations } = outcomeOf(decision);
  const by = decidedBy?.kind === "rule" ? decidedBy.id : null;
  const where = action === "forward" ? `goes to ${destinations.join(", ")}` : `is ${action}ed`;
  const what = mail.subject === "" ? "a message without a subject" : `“${mail.subject}”`;
  const expect: Expectation = {
    ...(by === null ? { action } : { rule: by }),
    ...(action === "forward" ? { destinations } : {}),
  };
  const message = inlineOf(mail);
  const test = { name: freeName(`${what} ${where}`, taken), message, expect };
  return { test, facts: inlineFacts(message), madeFrom: mail };
}

/** The tests of a suite that the page can run: those whose message is there. */
export function readKeptTests(kept: readonly KeptTest[], domain: string): readonly PageTest[] {
  return kept.flatMap(({ test, base64 }): PageTest[] => {
    const { message } = test;
    if (typeof message !== "string") {
      const recipient = withDomain(message.recipient, domain);
      return [{ test, facts: inlineFacts({ ...message, recipient }), madeFrom: null }];
    }
    if (base64 === undefined) return [];
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const [mail] = readMessage(bytes, message, domain);
    const recipient = withDomain(test.recipient ?? mail!.recipient, domain);
    return [{ test, facts: factsOf({ ...mail!, recipient }), madeFrom: null }];
  });
}

export function runPageTest(domain: CompiledDomain, { test, facts }: PageTest): TestRun {
  const { name, expect } = test;
  const resolution = resolve(domain, facts);
  if (resolution.verdict !== "decided") return { name, failure: "the message is undecided" };
  const [first] = mismatchesOf(expect, outcomeOf(resolution));
  const failure = first === undefined ? null : `wanted ${first.wanted}, got ${first.got}`;
  return { name, failure };
}

/** A `mailtest.json`. */
export function testFile(domainFile: string, tests: readonly PageTest[]): string {
  const written = tests.map(({ test }) => test);
  return `${JSON.stringify({ domain: domainFile, tests: written }, null, 2)}\n`;
}
