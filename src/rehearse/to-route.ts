/** The matcher `toRoute` for vitest and jest: `expect(domain).toRoute(message, { rule: "invoices" })`. */
import { type InlineMessage, inlineFacts } from "./inline-message.ts";
import { type RehearsedDomain, rehearse } from "./rehearsed-domain.ts";
import { type Expectation, runTest } from "./rule-test.ts";

/** As in a file of tests: one destination may stand without a list. */
export interface RouteExpectation extends Omit<Expectation, "destinations"> {
  readonly destinations?: string | readonly string[] | undefined;
}

export interface Matched {
  readonly pass: boolean;
  message(): string;
}

/** Compiled once for each configuration object. */
const known = new WeakMap<object, RehearsedDomain>();

function rehearsedOf(received: unknown): RehearsedDomain {
  if (received === null || typeof received !== "object") {
    throw new TypeError("expect(…).toRoute needs a domain: give its configuration");
  }
  const earlier = known.get(received);
  if (earlier !== undefined) return earlier;
  const result = rehearse(received);
  if (!result.ok) {
    const [first] = result.diagnostics;
    throw new TypeError(`the domain does not compile: ${first?.message}`);
  }
  known.set(received, result.rehearsed);
  return result.rehearsed;
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

/**
 * Whether the domain (its configuration, as the API returns it) does with the message what is expected. A recipient
 * without `@` is at the domain.
 */
export function toRoute(
  received: unknown,
  message: InlineMessage,
  expectation: RouteExpectation,
): Matched {
  const rehearsed = rehearsedOf(received);
  const { recipient } = message;
  const address = recipient.includes("@") ? recipient : `${recipient}@${rehearsed.domain.name}`;
  const { destinations } = expectation;
  const expected: Expectation = {
    ...expectation,
    destinations: typeof destinations === "string" ? [destinations] : destinations,
  };
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
