/** The result of a message in a form to compare, count and keep. */
import { canonicalDestination } from "../engine/facts/address.ts";
import type {
  Action,
  DecidedBy,
  Decision,
  Destination,
  Reason,
} from "../engine/routing/resolution.ts";

/** A decision with its destinations as text. */
export interface Outcome {
  readonly action: Action;
  readonly reason: Reason;
  readonly decidedBy: DecidedBy | null;
  /** Mailboxes and URLs, in the order of the `forward`. */
  readonly destinations: readonly string[];
}

export function destinationText(destination: Destination): string {
  return destination.kind === "mailbox" ? destination.address : destination.url;
}

/** A decision in the form that comparisons and tests use. */
export function outcomeOf({ action, reason, decidedBy, destinations }: Decision): Outcome {
  return { action, reason, decidedBy, destinations: destinations.map(destinationText) };
}

/** Whether both lists have the same places, in any order. */
export function samePlaces(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [a, b].map((texts) => new Set(texts.map(canonicalDestination)));
  return one!.size === other!.size && [...one!].every((text) => other!.has(text));
}

/** Whether mail goes the same way, whatever decided it. */
export function sameOutcome(a: Outcome, b: Outcome): boolean {
  return a.action === b.action && samePlaces(a.destinations, b.destinations);
}

/** What decided: an alias, a rule, or the reason why neither did. */
export type Decider =
  | { readonly kind: "alias" | "rule"; readonly id: string; readonly name: string }
  | Unmatched;
type Unmatched = { readonly kind: Exclude<Reason, "alias" | "rule"> };

export function deciderOf({ decidedBy, reason }: Outcome): Decider {
  if (decidedBy !== null) {
    const { kind, id } = decidedBy;
    return { kind, id, name: kind === "alias" ? decidedBy.alias : id };
  }
  return { kind: reason as Unmatched["kind"] };
}

/** A text that identifies a decider, for maps. */
export function deciderKey(decider: Decider): string {
  return "id" in decider ? `${decider.kind} ${decider.id}` : decider.kind;
}
