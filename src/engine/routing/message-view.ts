/** A message as the engine compares it: addresses canonical, texts well-formed and bounded, local part split off. */
import { LIMITS } from "../../base/limits.ts";
import { quote } from "../../base/quote.ts";
import { canonicalAddress } from "../facts/address.ts";
import type { AttachmentFact, FactName, Facts } from "../facts/facts.ts";
import { isTexts, jsTypeName } from "./config/config-fields.ts";

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

function refuse(name: FactName, value: unknown, wanted: string): never {
  throw new TypeError(
    `\`${name}\` is ${jsTypeName(value)}: give ${wanted}, or leave it out while it is unknown`,
  );
}

function checkText(name: FactName, value: string | undefined): string | undefined {
  if (value !== undefined && typeof value !== "string") refuse(name, value, "a string");
  return value;
}

const WANTED_HEADERS = "a `Map` of field names in lower case to lists of values";

/** Hosts give maps of other readers, which hold a text, an object or a date where a field is expected once. */
function checkedHeaders(headers: Facts["headers"]): Facts["headers"] {
  if (headers === undefined) return undefined;
  let lists: Iterable<unknown>;
  try {
    // A map of another realm is not an instance of this `Map`, but this works on it. Names in addition take twice as long.
    lists = Map.prototype.values.call(headers);
  } catch {
    refuse("headers", headers, WANTED_HEADERS);
  }
  for (const list of lists) {
    if (isTexts(list)) continue;
    const shown = Array.isArray(list) ? "an array of other values than strings" : jsTypeName(list);
    const [name] = [...headers].find(([, each]) => !isTexts(each))!;
    const held = `${shown} for ${quote(String(name))}`;
    throw new TypeError(`\`headers\` has ${held}: give ${WANTED_HEADERS}, each a string`);
  }
  return headers;
}

function isAttachment(value: unknown): value is AttachmentFact {
  const { filename, contentType, size } = (value ?? {}) as Partial<AttachmentFact>;
  return (
    typeof filename === "string" && typeof contentType === "string" && typeof size === "number"
  );
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
    if (attachments !== undefined) {
      const wanted = "an array of objects with `filename`, `contentType` and `size`";
      if (!Array.isArray(attachments) || !attachments.every(isAttachment)) {
        refuse("attachments", attachments, wanted);
      }
    }
    if (size !== undefined && typeof size !== "number") refuse("size", size, "a number");
    this.#facts = facts;
    // A plain value is checked with the other facts; a getter is not called until a rule needs the headers.
    if (Object.getOwnPropertyDescriptor(facts, "headers")?.get === undefined) void this.headers;
    this.attachments = attachments;
    this.size = size;
  }

  get headers(): Facts["headers"] {
    this.#headers ??= checkedHeaders(this.#facts.headers);
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
  if (typeof facts !== "object" || facts === null) {
    throw new TypeError(`the facts are ${jsTypeName(facts)}: give an object`);
  }
  return new MessageView(facts);
}
