/** Conditions with which an administrator describes one kind of message: its sender, its recipient, or its subject. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import { isPatternAlias } from "../../engine/routing/rules/alias-rule.ts";
import type { ScopeTrace } from "../../engine/routing/rules/regex-rule.ts";

/** Longest text, in code units, to write into a rule. */
const TEXT_UNITS_MAX = 80;

/** A rule as in a configuration, without `id`, `rank` and `forward`. */
export interface RuleProposal {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

function isShort(text: string): boolean {
  return text !== "" && text.length <= TEXT_UNITS_MAX && !/[\p{C}]/u.test(text);
}

/** A pattern that matches only this text. */
function wholePattern(text: string): string {
  return `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;
}

/** The pattern with an alternative for each searched text, except a body, which is too long. */
export function widerByText(regex: string, searched: readonly ScopeTrace[]): readonly string[] {
  return searched
    .filter(({ scope, actual = "" }) => scope !== "body" && isShort(actual))
    .map(({ actual = "" }) => `${regex}|${wholePattern(actual)}`);
}

/** The expression with the message's sender as an alternative. */
export function widerBySender(expression: string, { sender }: Facts): readonly string[] {
  if (typeof sender !== "string" || !isShort(sender)) return [];
  // Without parentheses, `a ? b : c || d` means `a ? b : (c || d)`.
  const whole = expression.includes("?") ? `(${expression})` : expression;
  return [`${whole} || sender == ${JSON.stringify(sender)}`];
}

/** A rule for all mail of this sender. */
export function ruleForSender({ sender }: Facts): RuleProposal | null {
  if (typeof sender !== "string" || !isShort(sender)) return null;
  return { type: "regex", config: { regex: wholePattern(sender), scopes: ["sender"] } };
}

/** A rule for all mail to this address. */
export function ruleForRecipient({ recipient = "" }: Facts): RuleProposal | null {
  const { localPart } = splitAddress(recipient);
  const isLiteral = localPart !== "" && !isPatternAlias(localPart) && !localPart.includes("*");
  return isLiteral ? { type: "alias", config: { alias: localPart } } : null;
}
