/** A rule type of a host's own: a header field that contains a text, in any case. */
import { LIMITS } from "../../src/base/limits.ts";
import {
  type MessageView,
  type RuleMatcher,
  type RuleOutcome,
  type RuleType,
  ruleType,
  type Trial,
  textField,
} from "../../src/index.ts";

/** The text that was found, or the first one that was not. */
function search(
  message: MessageView,
  { guard }: Trial,
  header: string,
  contains: string,
): { readonly outcome: RuleOutcome; readonly actual?: string } {
  if (message.headers === undefined) return { outcome: { verdict: "undecided", needs: "header" } };
  const texts = message.headers.get(header) ?? [];
  for (const text of texts) {
    if (!guard.take(text.length + 1)) return { outcome: { verdict: "over-budget" } };
    if (text.toLowerCase().includes(contains)) {
      return { outcome: { verdict: "matched", parts: {} }, actual: text };
    }
  }
  return { outcome: { verdict: "missed" }, ...(texts[0] !== undefined && { actual: texts[0] }) };
}

function headerMatcher(header: string, contains: string): RuleMatcher {
  const untried = { type: "header", header, contains };
  return {
    groupCount: 0,
    gate: () => ({
      openings: [{ fact: "headers", kind: "values", values: [header] }],
      alsoNeeds: [],
    }),
    match: (message, trial) => search(message, trial, header, contains).outcome,
    explain(message, trial) {
      const { outcome, actual } = search(message, trial, header, contains);
      return { outcome, detail: actual === undefined ? untried : { ...untried, actual } };
    },
    untried: () => untried,
  };
}

const NAME = /^[!-9;-~]+$/;

export const headerRule: RuleType = ruleType<{ header: string; contains: string }>({
  type: "header",
  fields: {
    header: textField<string>(LIMITS.headerFieldBytesMax, (text) =>
      NAME.test(text)
        ? text.toLowerCase()
        : [{ code: "config/wrong-type", message: `\`${text}\` is not the name of a header field` }],
    ),
    contains: textField<string>(1_000, (text) => text.toLowerCase()),
  },
  compile: ({ header, contains }) => headerMatcher(header, contains),
});
