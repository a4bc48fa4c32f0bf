/** Gates: what must hold of a message for a rule to do anything but miss or fail, tested without trying the rule. */
import type { FactName } from "../../facts/facts.ts";
import type { RequiredLiteral } from "../../pattern/syntax/required-literals.ts";
import type { MessageView } from "../message-view.ts";

/** What gates test: facts, and the recipient's local part. */
export const GATE_FACTS = [
  "localPart",
  "recipient",
  "sender",
  "subject",
  "headers",
  "body",
] as const;
/** What a gate tests: a fact, or the recipient's local part. */
export type GateFact = (typeof GATE_FACTS)[number];

/**
 * One way to be open: the fact is one of `values` (`headers`: it has a field of such a name; `localPart`: it, or its
 * user before a `+detail`, is one of them; `+x` has no user), contains one of `literals` (`starts`: starts with one), or is `searched`,
 * because nothing is known about what it must contain.
 */
export type Opening =
  | { readonly fact: GateFact; readonly kind: "values"; readonly values: readonly string[] }
  | {
      readonly fact: Exclude<GateFact, "headers">;
      readonly kind: "literals" | "starts";
      readonly literals: readonly RequiredLiteral[];
    }
  | { readonly fact: Exclude<GateFact, "headers">; readonly kind: "searched" };

/** Open if one of its openings is open, or one of their facts is unknown. */
export interface Gate {
  readonly openings: readonly Opening[];
  /** Other facts that keep it open while they are unknown. */
  readonly alsoNeeds: readonly FactName[];
}

/** The bit of each gate fact: sets of gate facts are masks. */
export const BIT_OF: Readonly<Record<GateFact, number>> = Object.fromEntries(
  GATE_FACTS.map((fact, nth) => [fact, 1 << nth]),
) as Record<GateFact, number>;

/** Only the gates of alias rules test this fact, and they test no other. */
export const ALIAS_FACT: GateFact = "localPart";

/** The text of a fact, if there is one; a body may have lone surrogates, which count as U+FFFD. Each is written out, because a property with a computed name costs 50 ns. */
export function gateText(
  message: MessageView,
  fact: Exclude<GateFact, "headers">,
): string | undefined {
  switch (fact) {
    case "localPart":
      return message.localPart;
    case "recipient":
      return message.recipient;
    case "sender":
      return message.sender;
    case "subject":
      return message.subject;
    case "body":
      return message.searchedBody;
  }
}
