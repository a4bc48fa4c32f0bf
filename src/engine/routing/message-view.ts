/** A message as the engine compares it: addresses canonical, texts well-formed and bounded, local part split off. */
import { LIMITS } from "../../base/limits.ts";
import { quote } from "../../base/quote.ts";
import { jsTypeName } from "../../base/type-name.ts";
import { canonicalAddress } from "../facts/address.ts";
import type { AttachmentFact, FactName, Facts } from "../facts/facts.ts";
import { isTexts } from "./config/config-fields.ts";

/** The user before the `+detail` of a local part (RFC 5233); `null` if it has no user or no `+`. The detail may have a `+`, too. */
export function userOf(localPart: string): string | null {
  const at = localPart.indexOf("+");
  return at <= 0 ? null : localPart.slice(0, at);
}

/** A lone surrogate would swallow its neighbour in the pattern engines, and so evade a rule. */
function bounded(text: string, unitsMax: number): string {
  const cut = text.slice(0, unitsMax);
  return cut.isWellFormed() ? cut : cut.toWellFormed();
}

function boundedAddress(address: string): string {
  return canonicalAddress(bounded(address, LIMITS.addressUnitsMax));
}

const LATER = "or leave it out while it is unknown";

function refuse(place: string, value: unknown, wanted: string, shown = jsTypeName(value)): never {
  throw new TypeError(`\`${place}\` is ${shown}: give ${wanted}`);
}

function checkText(name: FactName, value: string | undefined): string | undefined {
  if (value !== undefined && typeof value !== "string") refuse(name, value, `a string, ${LATER}`);
  return value;
}

function checkOctets(place: string, value: unknown, later = ""): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  const shown = typeof value === "number" ? String(value) : undefined;
  refuse(place, value, `a whole number of octets${later}`, shown);
}

const WANTED_HEADERS = "a `Map` of field names in lower case to lists of values";

function refuseHeld(held: string): never {
  throw new TypeError(`\`headers\` has ${held}: give ${WANTED_HEADERS}, each a string`);
}

/** Hosts give maps of other readers, which hold a text, an object or a date where a field is expected once. */
function checkedHeaders(headers: Facts["headers"]): Facts["headers"] {
  if (headers === undefined) return undefined;
  let lists: Iterable<unknown>;
  let names: Iterable<unknown>;
  try {
    // A map of another realm is not an instance of this `Map`, but this works on it. Its entries would take twice as long.
    lists = Map.prototype.values.call(headers);
    names = Map.prototype.keys.call(headers);
  } catch {
    refuse("headers", headers, `${WANTED_HEADERS}, ${LATER}`);
  }
  for (const name of names) {
    if (typeof name !== "string") refuseHeld(`${jsTypeName(name)} for a field name`);
  }
  for (const list of lists) {
    if (isTexts(list)) continue;
    const shown = Array.isArray(list) ? "an array of other values than strings" : jsTypeName(list);
    const [name] = [...headers].find(([, each]) => !isTexts(each))!;
    refuseHeld(`${shown} for ${quote(name)}`);
  }
  return headers;
}

function areWellFormed(headers: NonNullable<Facts["headers"]>): boolean {
  for (const name of headers.keys()) if (!name.isWellFormed()) return false;
  // As in `isTexts`: a call for each value takes longer.
  for (const values of headers.values())
    for (let nth = 0; nth < values.length; nth++) if (!values[nth]!.isWellFormed()) return false;
  return true;
}

/** Headers as rules see them: the same map, unless a text has a lone surrogate. */
function wellFormedHeaders(headers: Facts["headers"]): Facts["headers"] {
  if (headers === undefined || areWellFormed(headers)) return headers;
  const made = new Map<string, string[]>();
  for (const [given, values] of headers) {
    const name = given.toWellFormed();
    const list = made.get(name) ?? [];
    for (const value of values) list.push(value.toWellFormed());
    made.set(name, list);
  }
  return made;
}

const ATTACHMENT = "an object with `filename`, `contentType` and `size`";

function checkedAttachments(attachments: Facts["attachments"]): Facts["attachments"] {
  if (attachments === undefined) return undefined;
  if (!Array.isArray(attachments)) {
    refuse("attachments", attachments, `an array, of each attachment ${ATTACHMENT}, ${LATER}`);
  }
  let isPlain = true;
  // Counted, because other loops skip the holes of an array.
  for (let nth = 0; nth < attachments.length; nth++) {
    const one: AttachmentFact | null | undefined = attachments[nth];
    const place = `attachments[${nth}]`;
    if (typeof one !== "object" || one === null) refuse(place, one, ATTACHMENT);
    const { filename, contentType, size } = one;
    if (typeof filename !== "string") refuse(`${place}.filename`, filename, "a string");
    if (typeof contentType !== "string") refuse(`${place}.contentType`, contentType, "a string");
    checkOctets(`${place}.size`, size);
    isPlain &&= filename.isWellFormed() && contentType.isWellFormed();
  }
  if (isPlain) return attachments;
  return attachments.map(({ filename, contentType, size }) => ({
    filename: filename.toWellFormed(),
    contentType: contentType.toWellFormed(),
    size,
  }));
}

/**
 * Facts as rules see them; unknown facts stay unknown. Each is read once, before any rule is tried, and made canonical
 * on first use: a body that no rule reads costs nothing.
 */
export class MessageView implements Facts {
  readonly attachments: Facts["attachments"];
  readonly size: number | undefined;
  readonly #given: readonly (string | undefined)[];
  readonly #facts: Facts;
  #givenHeaders: Facts["headers"];
  #headers: Facts["headers"];
  #recipient: string | undefined;
  #localPart: string | undefined;
  #sender: string | undefined;
  #subject: string | undefined;
  #body: string | undefined;

  constructor(facts: Facts) {
    const { recipient, sender, subject, body, attachments, size } = facts;
    this.#given = [
      checkText("recipient", recipient),
      checkText("sender", sender),
      checkText("subject", subject),
      checkText("body", body),
    ];
    if (size !== undefined) checkOctets("size", size, `, ${LATER}`);
    this.#facts = facts;
    // A plain value is checked with the other facts; a getter is not called until a rule needs the headers.
    if (Object.getOwnPropertyDescriptor(facts, "headers")?.get === undefined) {
      this.#givenHeaders = checkedHeaders(facts.headers);
    }
    this.attachments = checkedAttachments(attachments);
    this.size = size;
  }

  get headers(): Facts["headers"] {
    if (this.#headers === undefined) {
      this.#headers = wellFormedHeaders(this.#givenHeaders ?? checkedHeaders(this.#facts.headers));
    }
    return this.#headers;
  }

  get recipient(): string | undefined {
    const recipient = this.#given[0];
    if (recipient !== undefined) this.#recipient ??= boundedAddress(recipient);
    return this.#recipient;
  }

  /** The recipient's local part in lower case; unknown while the recipient is. */
  get localPart(): string | undefined {
    if (this.#localPart !== undefined) return this.#localPart;
    const { recipient } = this;
    if (recipient === undefined) return undefined;
    // A local part has an `@` only if it is quoted, and searching from the front takes a third of the time.
    let at = recipient.indexOf("@");
    if (recipient.indexOf("@", at + 1) >= 0) at = recipient.lastIndexOf("@");
    this.#localPart = at < 0 ? recipient : recipient.slice(0, at);
    return this.#localPart;
  }

  get sender(): string | undefined {
    const sender = this.#given[1];
    if (sender !== undefined) this.#sender ??= boundedAddress(sender);
    return this.#sender;
  }

  get subject(): string | undefined {
    const subject = this.#given[2];
    if (subject !== undefined) this.#subject ??= bounded(subject, LIMITS.factUnitsMax);
    return this.#subject;
  }

  get body(): string | undefined {
    const body = this.#given[3];
    if (body !== undefined) this.#body ??= bounded(body, LIMITS.factUnitsMax);
    return this.#body;
  }

  /** The body for patterns and literals, which take a lone surrogate for U+FFFD: checking it takes longer than most searches. @internal */
  get searchedBody(): string | undefined {
    return this.#given[3]?.slice(0, LIMITS.factUnitsMax);
  }
}

// ASSUMPTION(address-case): addresses are compared, and shown to rules, in lower case with domains as A-labels, local parts without needless quotes
// ASSUMPTION(recipient-domain): the host chose the domain by the recipient's; aliases compare the local part only
/** Linear in the facts' length. Throws a `TypeError` on facts of the wrong type. */
export function viewMessage(facts: Facts): MessageView {
  // Lists, maps and promises that were not awaited would be a message of which nothing is known.
  const isObject = typeof facts === "object" && facts !== null;
  const isList = isObject && Symbol.iterator in facts;
  if (!isObject || isList || "then" in facts) {
    const shown = isList ? "a list or a map" : jsTypeName(facts);
    const wanted = "give an object such as `{ recipient, sender, subject }`";
    throw new TypeError(`the facts are ${shown}: ${wanted}`);
  }
  return new MessageView(facts);
}
