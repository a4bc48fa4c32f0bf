/** Reads a file of rule tests, parsed from JSON or YAML; schema/mailtest.schema.json describes the same format. */
import { z } from "zod";
import type { Path } from "../../base/diagnostic.ts";
import { issuesOf } from "../../base/issues.ts";
import { nearestName } from "../../base/nearest-name.ts";
import { parseAddrSpec } from "../../engine/facts/address.ts";
import { isRecord } from "../../engine/routing/config/config-fields.ts";
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

type JsonFields = Readonly<Record<string, unknown>>;
interface Fault {
  readonly path?: PropertyKey[] | undefined;
  readonly input?: unknown;
}

/** The message for a value of another kind, and for one that is missing. */
function wanted(what: string, advice = what): { readonly error: (issue: Fault) => string } {
  return {
    error: ({ path = [], input }) =>
      input === undefined
        ? `\`${String(path.at(-1))}\` is missing: add it`
        : `\`${String(path.at(-1) ?? "the file")}\` is not ${what}: write ${advice}`,
  };
}

const text = z.string(wanted("a text"));
const count = z.int(wanted("a whole number from 0 on")).min(0, wanted("a whole number from 0 on"));

function oneOf(choices: readonly string[]): z.ZodType<string> {
  return z.enum(choices, wanted(`one of ${choices.map((each) => `\`${each}\``).join(", ")}`));
}

/** Checks an object even if zod has found a field of the wrong type in it, so that all problems are reported at once. */
const EVEN_IF_WRONG = {
  when: ({ value }: { readonly value: unknown }): boolean => isRecord(value),
};

/** Fields that are not in `shape` are reported with the field that was probably meant. */
function record(shape: z.ZodRawShape): z.ZodType<JsonFields> {
  const known = Object.keys(shape);
  const names = known.map((each) => `\`${each}\``).join(", ");
  return z.looseObject(shape, wanted("an object", "`{…}`")).superRefine((value, context) => {
    for (const name of Object.keys(value)) {
      if (known.includes(name) || name === "$schema") continue;
      const meant = nearestName(name, known);
      const hint = meant === undefined ? `use ${names}` : `did you mean \`${meant}\`?`;
      context.addIssue({ code: "custom", path: [name], message: `no field \`${name}\`: ${hint}` });
    }
  }, EVEN_IF_WRONG);
}

/** A text, or what `other` reads. A union of the two would report neither one's problems. */
function textOr(other: z.ZodType, own: z.ZodType = text): z.ZodType {
  return z.unknown().transform((value, { issues }) => {
    const schema = typeof value === "string" ? own : other;
    const read = schema._zod.run({ value, issues: [] }, {}) as z.core.ParsePayload;
    issues.push(...read.issues);
    return read.value;
  });
}

const inlineMessage = record({
  recipient: text,
  sender: text.optional(),
  subject: text.optional(),
  body: text.optional(),
  headers: z
    .record(
      z.string(),
      z.union([text, z.array(text)], wanted("a text or a list of texts")),
      wanted("an object of names and values"),
    )
    .optional(),
  attachments: z
    .array(
      record({ filename: text.optional(), contentType: text.optional(), size: count.optional() }),
      wanted("a list of attachments"),
    )
    .optional(),
  size: count.optional(),
});

/** No `forward` has a destination with a comma, but for addresses in quotes. */
const destination = text.superRefine((value, context) => {
  if (!value.includes(",") || parseAddrSpec(value) !== null) return;
  const list = value.split(",").map((each) => JSON.stringify(each.trim()));
  const message = `\`${value}\` is not one destination: write a list, \`[${list.join(", ")}]\``;
  context.addIssue({ code: "custom", message });
});

const expectation = record({
  action: oneOf(["forward", "discard", "reject"]).optional(),
  destinations: textOr(z.array(destination, wanted("a list of destinations")), destination)
    .transform((places) => (typeof places === "string" ? [places] : places))
    .optional(),
  rule: text.optional(),
  alias: text.optional(),
  reason: oneOf([
    "alias",
    "rule",
    "fallback",
    "no-match",
    "over-budget",
    "routing-disabled",
  ]).optional(),
}).refine(
  (value) => Object.keys(value).length > 0,
  "`expect` is empty: say what should become of the message",
);

const test = record({
  name: text,
  message: textOr(inlineMessage),
  recipient: text.optional(),
  sender: text.optional(),
  expect: expectation,
}).superRefine((value, context) => {
  if (typeof value.message !== "object" || value.message === null) return;
  for (const name of ["recipient", "sender"] as const) {
    if (value[name] === undefined) continue;
    const message = `\`${name}\` belongs in \`message\`, beside its subject`;
    context.addIssue({ code: "custom", path: [name], message });
  }
}, EVEN_IF_WRONG);

const suite = record({
  domain: text.optional(),
  tests: z
    .array(test, wanted("a list of tests"))
    .min(1, "`tests` is empty: add a test, or remove the file"),
});

/** Reads a suite; returns all problems at once. */
export function readSuite(value: unknown): SuiteResult {
  const result = suite.safeParse(value);
  if (!result.success) {
    const problems = issuesOf(result.error).map(({ path, message }) => ({ path, message }));
    return { ok: false, problems };
  }
  const { domain, tests } = result.data as unknown as TestSuite;
  return { ok: true, suite: domain === undefined ? { tests } : { domain, tests } };
}
