/** Rule tests on the page: made from the message at hand, run on every edit, kept as a test file. */
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { outcomeOf, samePlaces } from "../../rehearse/outcome.ts";
import type { Decided } from "./decide.ts";
import { factsOf, type Mail } from "./mail.ts";

/** One test, with the message it was made from. */
export interface PageTest {
  readonly name: string;
  readonly mail: Mail;
  readonly expect: {
    readonly rule?: string;
    readonly action?: string;
    readonly destinations?: readonly string[];
  };
}

export interface TestRun {
  readonly test: PageTest;
  /** `null`: it passes; else what was wanted and what came. */
  readonly failure: string | null;
}

/** A test that holds what the message does now. */
export function testFrom(mail: Mail, { decision }: Decided): PageTest {
  const { action, decidedBy, destinations } = outcomeOf(decision);
  const by = decidedBy?.kind === "rule" ? decidedBy.id : null;
  const where = action === "forward" ? `goes to ${destinations.join(", ")}` : `is ${action}ed`;
  const what = mail.subject === "" ? "a message without a subject" : `“${mail.subject}”`;
  return {
    name: `${what} ${where}`,
    mail,
    expect: {
      ...(by === null ? { action } : { rule: by }),
      ...(action === "forward" ? { destinations } : {}),
    },
  };
}

export function runPageTest(domain: CompiledDomain, test: PageTest): TestRun {
  const resolution = resolve(domain, factsOf(test.mail));
  if (resolution.verdict !== "decided") return { test, failure: "the message is undecided" };
  const outcome = outcomeOf(resolution);
  const { rule, action, destinations } = test.expect;
  const by = outcome.decidedBy?.id ?? outcome.reason;
  if (rule !== undefined && by !== rule) return { test, failure: `wanted rule ${rule}, got ${by}` };
  if (action !== undefined && outcome.action !== action) {
    return { test, failure: `wanted ${action}, got ${outcome.action}` };
  }
  if (destinations !== undefined && !samePlaces(destinations, outcome.destinations)) {
    const got = outcome.destinations.join(", ") || outcome.action;
    return { test, failure: `wanted ${destinations.join(", ")}, got ${got}` };
  }
  return { test, failure: null };
}

/** A `mailtest.json` with the messages written in. */
export function testFile(domainFile: string, tests: readonly PageTest[]): string {
  const written = tests.map(({ name, mail, expect }) => ({
    name,
    message: {
      recipient: mail.recipient,
      sender: mail.sender,
      subject: mail.subject,
      body: mail.body,
      ...(mail.headers.size > 0 ? { headers: Object.fromEntries(mail.headers) } : {}),
      ...(mail.attachments.length > 0 ? { attachments: mail.attachments } : {}),
      ...(mail.size > 0 ? { size: mail.size } : {}),
    },
    expect: {
      ...expect,
      ...(expect.destinations === undefined
        ? {}
        : { destinations: expect.destinations.join(", ") }),
    },
  }));
  return `${JSON.stringify({ domain: domainFile, tests: written }, null, 2)}\n`;
}
