/** Turns wishes about a message into changes that fulfil them. */
import { splitAddress } from "../../engine/facts/address.ts";
import type { AttachmentFact, Facts } from "../../engine/facts/facts.ts";
import { currentText, type FactPlace, type Wish } from "./cel-wishes.ts";
import type { MessageChange, TextFact } from "./message-change.ts";
import { examplesOf } from "./pattern-example.ts";

/** An address where any would do. */
const ANYBODY = "someone@elsewhere.example";

interface WrittenText {
  readonly text: string;
  readonly op: "set" | "add" | "remove";
  /** The text that was inserted or removed. */
  readonly part: string;
}

function withExample(text: string, regex: string): WrittenText {
  const example = examplesOf(regex)[0];
  if (example === undefined) return { text, op: "set", part: text };
  const { start, end, text: part } = example;
  if (text === "" || (start === "bound" && end === "bound")) return { text: part, op: "set", part };
  const joined = start === "bound" ? `${part} ${text}` : `${text} ${part}`;
  return { text: joined, op: "add", part };
}

function writeText(text: string, wish: Wish, place: FactPlace): WrittenText {
  if (!("text" in wish)) return { text, op: "set", part: text };
  const part = wish.text;
  const isAddress =
    place.kind === "text" && (place.fact === "sender" || place.fact === "recipient");
  const { localPart, domain } = splitAddress(text === "" ? ANYBODY : text);
  switch (wish.op) {
    case "equals":
      return { text: part, op: "set", part };
    case "starts": {
      if (!isAddress) return { text: part + text, op: "add", part };
      const address = part.includes("@") ? `${part}${domain}` : `${part}@${domain}`;
      const whole = part.endsWith("@") || !part.includes("@") ? address : part;
      return { text: whole, op: "set", part: whole };
    }
    case "ends": {
      if (!isAddress) return { text: text + part, op: "add", part };
      const whole = part.includes("@") ? `${localPart}${part}` : `${localPart}@elsewhere${part}`;
      const address = part.startsWith("@") || !part.includes("@") ? whole : part;
      return { text: address, op: "set", part: address };
    }
    case "contains": {
      if (!isAddress) {
        const joined = text === "" ? part : `${text} ${part}`;
        return { text: joined, op: text === "" ? "set" : "add", part };
      }
      const whole = part.includes("@")
        ? `${part.startsWith("@") ? localPart : ""}${part}${part.endsWith("@") ? domain : ""}`
        : `${part}@${domain}`;
      return { text: whole, op: "set", part: whole };
    }
    case "matches":
      return withExample(text, part);
    case "lacks":
      return { text: text.replaceAll(part, ""), op: "remove", part };
    case "differs": {
      const other = isAddress ? ANYBODY : "something else";
      return { text: other, op: "set", part: other };
    }
    default:
      return { text, op: "set", part: text };
  }
}

function changeOfText(fact: TextFact, wishes: readonly Wish[], facts: Facts): MessageChange[] {
  const place: FactPlace = { kind: "text", fact };
  const start = facts[fact] ?? "";
  const written = wishes
    .map((wish) => wish)
    .reduce<WrittenText>((done, wish) => writeText(done.text, wish, place), {
      text: start,
      op: "set",
      part: start,
    });
  if (written.text === start) return [];
  const op = wishes.length === 1 ? written.op : "set";
  return [{ fact, op, text: op === "set" ? written.text : written.part, to: written.text }];
}

/** The text for a place that has none yet. */
function newText(wishes: readonly Wish[], place: FactPlace, start: string): string {
  return wishes.reduce((text, wish) => writeText(text, wish, place).text, start);
}

/** The size that is wished for; undefined if there is none that a message can have. */
function wishedOctets(wishes: readonly Wish[]): number | undefined {
  const wanted = wishes.find((wish) => wish.op === "number")?.number;
  return Number.isSafeInteger(wanted) && wanted! >= 0 ? wanted : undefined;
}

function newAttachment(wishes: readonly Wish[]): AttachmentFact {
  const at = (field: string): Wish[] =>
    wishes.filter(({ place }) => place.kind === "attachment-field" && place.field === field);
  const text = (field: string, start: string): string => {
    const wanted = at(field);
    if (wanted.length === 0) return start;
    return newText(wanted, { kind: "attachment-field", field }, "");
  };
  return {
    filename: text("filename", "file"),
    contentType: text("contentType", "application/octet-stream"),
    size: wishedOctets(at("size")) ?? 1,
  };
}

function placeKey(place: FactPlace): string {
  if (place.kind === "attachment-field") return "new-attachment";
  return "name" in place
    ? `${place.kind} ${place.name}`
    : "fact" in place
      ? place.fact
      : place.kind;
}

function changesAt(
  place: FactPlace,
  wishes: readonly Wish[],
  facts: Facts,
): readonly MessageChange[] {
  const isAbsent = wishes.some(({ op }) => op === "absent");
  switch (place.kind) {
    case "text":
      return changeOfText(place.fact, wishes, facts);
    case "size": {
      const to = wishedOctets(wishes);
      return to === undefined ? [] : [{ fact: "size", op: "set", to }];
    }
    case "header":
      if (isAbsent) return [{ fact: "headers", op: "remove", name: place.name }];
      return [{ fact: "headers", op: "add", name: place.name, text: "x" }];
    case "header-value": {
      const text = newText(wishes, place, currentText(place, facts));
      return [{ fact: "headers", op: "set", name: place.name, text }];
    }
    case "new-header-value": {
      const text = newText(wishes, place, "");
      return [{ fact: "headers", op: "add", name: place.name, text }];
    }
    case "attachments":
      if (isAbsent) return [{ fact: "attachments", op: "remove" }];
      return [{ fact: "attachments", op: "add", attachment: newAttachment([]) }];
    case "new-attachment":
    case "attachment-field":
      return [{ fact: "attachments", op: "add", attachment: newAttachment(wishes) }];
  }
}

/** The changes that most likely fulfil all the wishes at once. */
export function fulfil(wishes: readonly Wish[], facts: Facts): readonly MessageChange[] {
  const places = new Map<string, { place: FactPlace; wishes: Wish[] }>();
  for (const wish of wishes) {
    const known = places.get(placeKey(wish.place));
    if (known === undefined)
      places.set(placeKey(wish.place), { place: wish.place, wishes: [wish] });
    else known.wishes.push(wish);
  }
  return [...places.values()].flatMap(({ place, wishes: here }) => changesAt(place, here, facts));
}
