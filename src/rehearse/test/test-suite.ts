/** Reads a file of rule tests, parsed from JSON or YAML; schema/mailtest.schema.json describes the same format. */
import type { Path } from "../../base/diagnostic.ts";
import { nearestName } from "../../base/nearest-name.ts";
import type { InlineMessage } from "./inline-message.ts";
import type { Expectation } from "./rule-test.ts";

/** One test: a message, and its expected result. */
export interface RuleTest {
  readonly name: string;
  /** A file, relative to the file of tests; or the message itself, whose recipient may be a local part. */
  readonly message: string | InlineMessage;
  /** The recipient, for a file that names none or several. */
  readonly recipient?: string;
  /** Envelope sender, for a file. */
  readonly sender?: string;
  readonly expect: Expectation;
}

/** The tests of one file. */
export interface TestSuite {
  /** The domain file, relative to the file of tests. */
  readonly domain?: string;
  readonly tests: readonly RuleTest[];
}

/** A problem in a test file, with its path. */
export interface SuiteProblem {
  readonly message: string;
  readonly path: Path;
}

/** A suite, or all problems in it. */
export type SuiteResult =
  | { readonly ok: true; readonly suite: TestSuite }
  | { readonly ok: false; readonly problems: readonly SuiteProblem[] };

type Check = (value: unknown, path: Path, report: (problem: SuiteProblem) => void) => void;
type Checks = Readonly<
  Record<string, { readonly check: Check; readonly need: "required" | "optional" }>
>;

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function expecting(what: string, holds: (value: unknown) => boolean): Check {
  return (value, path, report) => {
    if (!holds(value))
      report({ path, message: `\`${path.at(-1)}\` is not ${what}: write ${what}` });
  };
}

const isText = (value: unknown): boolean => typeof value === "string";
const text: Check = expecting("a text", isText);
const count: Check = expecting(
  "a whole number from 0 on",
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

function oneOf(choices: readonly string[]): Check {
  const choice = choices.map((each) => `\`${each}\``).join(", ");
  return expecting(`one of ${choice}`, (value) => choices.includes(value as string));
}

function listOf(what: string, check: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) {
      report({ path, message: `\`${path.at(-1)}\` is not a list of ${what}` });
      return;
    }
    for (const [index, each] of value.entries()) check(each, [...path, index], report);
  };
}

function record(checks: Checks): Check {
  return (value, path, report) => {
    if (!isRecord(value)) {
      report({ path, message: `\`${path.at(-1) ?? "the file"}\` is not an object: write \`{…}\`` });
      return;
    }
    for (const [name, { check, need }] of Object.entries(checks)) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given !== undefined) check(given, [...path, name], report);
      else if (need === "required") report({ path, message: `\`${name}\` is missing: add it` });
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(checks, name) || name === "$schema") continue;
      const meant = nearestName(name, Object.keys(checks));
      const known = Object.keys(checks).map((each) => `\`${each}\``);
      const hint = meant === undefined ? `use ${known.join(", ")}` : `did you mean \`${meant}\`?`;
      report({ path: [...path, name], message: `no field \`${name}\`: ${hint}` });
    }
  };
}

const headers: Check = (value, path, report) => {
  if (!isRecord(value)) {
    report({ path, message: "`headers` is not an object of names and values" });
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    if (isText(field) || (Array.isArray(field) && field.every(isText))) continue;
    report({ path: [...path, name], message: `\`${name}\` is neither a text nor a list of texts` });
  }
};

const optional = (check: Check): { check: Check; need: "optional" } => ({
  check,
  need: "optional",
});
const required = (check: Check): { check: Check; need: "required" } => ({
  check,
  need: "required",
});

const attachment: Check = record({
  filename: optional(text),
  contentType: optional(text),
  size: optional(count),
});

const inlineMessage: Check = record({
  recipient: required(text),
  sender: optional(text),
  subject: optional(text),
  body: optional(text),
  headers: optional(headers),
  attachments: optional(listOf("attachments", attachment)),
  size: optional(count),
});

const message: Check = (value, path, report) => {
  if (!isText(value)) inlineMessage(value, path, report);
};

const destinations: Check = (value, path, report) => {
  if (!isText(value)) listOf("destinations", text)(value, path, report);
};

const expectation: Check = (value, path, report) => {
  const checks: Checks = {
    action: optional(oneOf(["forward", "discard", "reject"])),
    destinations: optional(destinations),
    rule: optional(text),
    alias: optional(text),
    reason: optional(
      oneOf(["alias", "rule", "fallback", "no-match", "over-budget", "routing-disabled"]),
    ),
  };
  record(checks)(value, path, report);
  if (!isRecord(value) || Object.keys(value).length > 0) return;
  report({ path, message: "`expect` is empty: say what should become of the message" });
};

const test: Check = (value, path, report) => {
  const checks: Checks = {
    name: required(text),
    message: required(message),
    recipient: optional(text),
    sender: optional(text),
    expect: required(expectation),
  };
  record(checks)(value, path, report);
  if (!isRecord(value) || !isRecord(value.message)) return;
  for (const name of ["recipient", "sender"] as const) {
    if (value[name] === undefined) continue;
    report({
      path: [...path, name],
      message: `\`${name}\` belongs into \`message\`, beside its subject`,
    });
  }
};

const tests: Check = (value, path, report) => {
  listOf("tests", test)(value, path, report);
  if (Array.isArray(value) && value.length === 0) {
    report({ path, message: "`tests` is empty: add a test, or remove the file" });
  }
};

const suite: Check = record({ domain: optional(text), tests: required(tests) });

function normal(given: RuleTest): RuleTest {
  const { destinations: places } = given.expect as { destinations?: string | readonly string[] };
  if (typeof places !== "string") return given;
  return { ...given, expect: { ...given.expect, destinations: [places] } };
}

/** Reads a suite; returns all problems at once. */
export function readSuite(value: unknown): SuiteResult {
  const problems: SuiteProblem[] = [];
  suite(value, [], (problem) => problems.push(problem));
  if (problems.length > 0) return { ok: false, problems };
  const { domain, tests } = value as TestSuite;
  const read = tests.map(normal);
  return { ok: true, suite: domain === undefined ? { tests: read } : { domain, tests: read } };
}
