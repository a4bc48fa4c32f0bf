/** The matcher `toRoute` for vitest and jest: `expect(domain).toRoute(message, { rule: "invoices" })`. */

import { renderDiagnostic } from "../../base/render-diagnostic.ts";
import { createCompiler } from "../../engine/routing/compile-domain.ts";
import { isRecord } from "../../engine/routing/config/config-fields.ts";
import type { RehearsedDomain } from "../rehearsed-domain.ts";
import { type InlineMessage, inlineFacts, withDomain } from "./inline-message.ts";
import { type Expectation, runTest } from "./rule-test.ts";
import { readSuite } from "./test-suite.ts";

/** As in a file of tests; a single destination needs no list. */
export interface RouteExpectation extends Omit<Expectation, "destinations"> {
  readonly destinations?: string | readonly string[] | undefined;
}

/** The result of a vitest matcher. */
export interface Matched {
  readonly pass: boolean;
  message(): string;
}

/** Keeps the rules it has compiled, so that a configuration that a test changes is compiled again at little cost. */
const compiler = createCompiler();

/** Whether it is what `rehearse` gave, with the rule types of a host. */
function isRehearsed(received: object): received is RehearsedDomain {
  return ["config", "domain", "options"].every((name) => Object.hasOwn(received, name));
}

function rehearsedOf(received: unknown): RehearsedDomain {
  if (received === null || typeof received !== "object") {
    throw new TypeError("expect(…).toRoute needs a domain: give its configuration");
  }
  if (isRehearsed(received)) return received;
  const result = compiler.compileDomain(received);
  if (!result.ok) {
    const said = result.diagnostics.map((each) => renderDiagnostic(each, received));
    throw new TypeError(`the domain does not compile:\n${said.join("\n")}`);
  }
  return { config: received as RehearsedDomain["config"], domain: result.domain, options: {} };
}

function describeMismatches(
  received: unknown,
  message: InlineMessage,
  expected: Expectation,
): string {
  const { mismatches, nearest } = runTest(rehearsedOf(received), inlineFacts(message), expected);
  const lines = mismatches.map(
    ({ field, wanted, got }) => `${field}: wanted ${wanted}, got ${got}`,
  );
  const [missed] = nearest?.candidates ?? [];
  const clause = missed?.failed[0];
  if (clause?.kind === "condition") lines.push(`\`${clause.source}\` was ${clause.value}`);
  if (clause?.kind === "pattern") lines.push(`/${clause.regex}/ was in none of its scopes`);
  if (missed?.takenBy)
    lines.push(`${missed.takenBy.kind} ${missed.takenBy.id} took the message first`);
  return lines.join("\n");
}

/** The message and the expectation, checked as in a test file. Throws a `TypeError` that lists all problems. */
function checked(message: InlineMessage, expectation: RouteExpectation): Expectation {
  const isObject = isRecord(expectation);
  const given = isObject
    ? Object.entries(expectation).filter(([, value]) => value !== undefined)
    : [];
  const expect = isObject || expectation === undefined ? Object.fromEntries(given) : expectation;
  // A text would be a file's name in a suite; here it is a message without a recipient.
  const written = typeof message === "string" ? {} : message;
  const result = readSuite({ tests: [{ name: "toRoute", message: written, expect }] });
  if (!result.ok) {
    const said = result.problems.map((problem) => problem.message.replaceAll("`expect`", "it"));
    throw new TypeError(`toRoute: ${said.join("; ")}`);
  }
  return result.suite.tests[0]!.expect;
}

/**
 * Whether the domain (its configuration, as the API returns it, or what `rehearse` made of it) does with the message
 * what is expected. A recipient without `@` is at the domain. Throws a `TypeError` for a domain that does not compile, for unknown or missing
 * fields of the message, and for an expectation that is empty or has unknown fields.
 */
export function toRoute(
  received: unknown,
  message: InlineMessage,
  expectation: RouteExpectation,
): Matched {
  const rehearsed = rehearsedOf(received);
  const expected = checked(message, expectation);
  const { recipient } = message;
  const address = withDomain(recipient, rehearsed.domain.name);
  const complete = { ...message, recipient: address };
  const { passed } = runTest(rehearsed, inlineFacts(complete), expected);
  return {
    pass: passed,
    message: () =>
      passed
        ? `the message for ${address} is routed as described, which was not expected`
        : describeMismatches(received, complete, expected),
  };
}
