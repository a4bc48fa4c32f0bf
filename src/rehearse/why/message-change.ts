/** Changes to a message's facts, and the facts after them. */
import type { AttachmentFact, Facts } from "../../engine/facts/facts.ts";

export type TextFact = "recipient" | "sender" | "subject" | "body";

/** One change of a message, such as a text added to its subject. */
export type MessageChange =
  /** `set`: the whole text becomes `to`; `add`, `remove`: `text` is inserted or removed, which gives `to`. */
  | {
      readonly fact: TextFact;
      readonly op: "set" | "add" | "remove";
      readonly text: string;
      readonly to: string;
    }
  /** `text` replaces `replaced`, which gives `to`. */
  | {
      readonly fact: TextFact;
      readonly op: "replace";
      readonly replaced: string;
      readonly text: string;
      readonly to: string;
    }
  | {
      readonly fact: "headers";
      readonly op: "add" | "set";
      readonly name: string;
      readonly text: string;
    }
  | { readonly fact: "headers"; readonly op: "remove"; readonly name: string }
  | { readonly fact: "attachments"; readonly op: "add"; readonly attachment: AttachmentFact }
  | { readonly fact: "attachments"; readonly op: "remove" }
  | { readonly fact: "size"; readonly op: "set"; readonly to: number };

const encoder = new TextEncoder();

function octets(text: string): number {
  return encoder.encode(text).length;
}

/** Header fields with the same content as a fact. */
const FIELD_OF: Partial<Record<TextFact, string>> = { sender: "from", subject: "subject" };

function changeText(facts: Facts, fact: TextFact, to: string): Facts {
  const size = (facts.size ?? 0) + octets(to) - octets(facts[fact] ?? "");
  const field = FIELD_OF[fact];
  if (field === undefined) return { ...facts, [fact]: to, size };
  return {
    ...facts,
    [fact]: to,
    size,
    headers: new Map([...(facts.headers ?? []), [field, [to]]]),
  };
}

function changeHeaders(facts: Facts, change: Extract<MessageChange, { fact: "headers" }>): Facts {
  const headers = new Map(facts.headers ?? []);
  const { name } = change;
  if (change.op === "remove") headers.delete(name);
  else if (change.op === "set") headers.set(name, [change.text]);
  else headers.set(name, [...(headers.get(name) ?? []), change.text]);
  const changed = { ...facts, headers };
  if (name !== "subject") return changed;
  return { ...changed, subject: headers.get("subject")?.[0] ?? "" };
}

function makeChange(facts: Facts, change: MessageChange): Facts {
  switch (change.fact) {
    case "headers":
      return changeHeaders(facts, change);
    case "attachments": {
      if (change.op === "remove") return { ...facts, attachments: [] };
      const attachments = [...(facts.attachments ?? []), change.attachment];
      return { ...facts, attachments, size: (facts.size ?? 0) + change.attachment.size };
    }
    case "size":
      return { ...facts, size: change.to };
    default:
      return changeText(facts, change.fact, change.to);
  }
}

/** The facts after the changes, made one after the other. */
export function changeFacts(facts: Facts, changes: readonly MessageChange[]): Facts {
  return changes.reduce(makeChange, facts);
}

/** How much a person must write or delete; of two sufficient edits, the cheaper one is the smaller. */
export function costOf(changes: readonly MessageChange[]): number {
  const each = 1_000;
  return changes.reduce((sum, change) => {
    const written = "text" in change ? change.text.length : 10;
    // A message has a single recipient and sender, and changing the recipient makes it mail for somebody else.
    const rank = change.fact === "recipient" ? each : change.fact === "sender" ? each / 2 : 0;
    return sum + each + written + rank;
  }, 0);
}
