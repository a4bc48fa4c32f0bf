/** Conditions by which an administrator names one kind of message: who wrote it, to whom, or its subject. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import { isPatternAlias } from "../../engine/routing/aliases/alias-matcher.ts";
import type { ScopeTrace } from "../../engine/routing/resolution.ts";

/** Code units of a text that is worth writing into a rule. */
const TEXT_UNITS_MAX = 80;

/** A rule as it stands in a configuration, without `id`, `rank` and `forward`. */
export interface RuleDraft {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

function isShort(text: string): boolean {
  return text !== "" && text.length <= TEXT_UNITS_MAX && !/[\p{C}]/u.test(text);
}

/** A pattern that is found in this text alone. */
function wholePattern(text: string): string {
  return `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;
}

/** The pattern widened by an alternative for each text that is searched; a body is too long to be one. */
export function widerByText(regex: string, searched: readonly ScopeTrace[]): readonly string[] {
  return searched
    .filter(({ scope, actual = "" }) => scope !== "body" && isShort(actual))
    .map(({ actual = "" }) => `${regex}|${wholePattern(actual)}`);
}

/** The expression widened by the message's sender. */
export function widerBySender(expression: string, { sender }: Facts): readonly string[] {
  if (typeof sender !== "string" || !isShort(sender)) return [];
  // `a ? b : c || d` would be `a ? b : (c || d)`.
  const whole = expression.includes("?") ? `(${expression})` : expression;
  return [`${whole} || sender == ${JSON.stringify(sender)}`];
}

/** A rule for all mail of this sender. */
export function ruleForSender({ sender }: Facts): RuleDraft | null {
  if (typeof sender !== "string" || !isShort(sender)) return null;
  return { type: "regex", config: { regex: wholePattern(sender), scopes: ["sender"] } };
}

/** A rule for all mail to this address. */
export function ruleForRecipient({ recipient = "" }: Facts): RuleDraft | null {
  const { localPart } = splitAddress(recipient);
  const isLiteral = localPart !== "" && !isPatternAlias(localPart) && !localPart.includes("*");
  return isLiteral ? { type: "alias", config: { alias: localPart } } : null;
}
