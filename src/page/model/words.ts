/** What a rule matches and where it sends mail, in a few words for its card. */
import type { RuleDraft } from "./domain.ts";

export interface CardWords {
  /** `alias`, `pattern`, `expression`, or the type's own name. */
  readonly kind: string;
  /** Before the code, for example `subject or body has`. */
  readonly lead: string;
  readonly code: string;
}

/** Most code units of a pattern or an expression on a card. */
const CODE_UNITS_MAX = 80;

export function shorten(text: string, units: number = CODE_UNITS_MAX): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= units ? line : `${line.slice(0, units - 1)}…`;
}

/** A rule's name; for a UUID its first digits, which are enough to distinguish the rules of a domain. */
export function ruleName(id: string): string {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(id) ? id.slice(0, 8) : id;
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export function cardWords({ type, config }: RuleDraft): CardWords {
  switch (type) {
    case "alias":
      return { kind: "alias", lead: "to", code: `${shorten(text(config.alias))}@` };
    case "regex": {
      const scopes = Array.isArray(config.scopes) ? config.scopes.map(text) : [];
      return { kind: "pattern", lead: `${oneOf(scopes)} has`, code: shorten(text(config.regex)) };
    }
    case "cel":
      return { kind: "expression", lead: "", code: shorten(text(config.expression)) };
    default:
      return { kind: type || "rule", lead: "", code: shorten(JSON.stringify(config)) };
  }
}

export interface DestinationWords {
  readonly kind: "mailbox" | "webhook" | "discard";
  readonly text: string;
}

/** The destinations of a `forward`, webhooks without their scheme. */
export function destinationsOf({ config }: Pick<RuleDraft, "config">): readonly DestinationWords[] {
  if (isDiscard(config.forward)) return [{ kind: "discard", text: "discard" }];
  return splitForward(text(config.forward)).map((each) =>
    /^https?:\/\//i.test(each)
      ? { kind: "webhook", text: each.replace(/^https?:\/\//i, "") }
      : { kind: "mailbox", text: each },
  );
}

/** `null`, or the word, discards the message. */
export function isDiscard(forward: unknown): boolean {
  return forward === null || (typeof forward === "string" && forward.trim() === "null");
}

export function splitForward(forward: string): readonly string[] {
  return forward
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
