/** What is kept of a message that passes by: its texts up to the bound, and the size of other contents. */
import { type Collected, collectedBytes } from "../text/collected.ts";
import { type SizeCounter, sizeCounter } from "./decoded-size.ts";
import type { PartHead } from "./part-head.ts";
import type { ContentKeeper, MimePart } from "./part-reader.ts";

/** Subtypes of text that readers know and show in another way, or not at all. */
const OTHER_TEXT = new Set(
  (
    "calendar vcard x-vcard directory rtf css javascript ecmascript xml xsl xml-external-parsed-entity " +
    "rfc822-headers x-amp-html watch-html"
  )
    .split(" ")
    .map((name) => `text/${name}`),
);

/** Whether the part is text of the message and not an attachment. Unknown types of text are plain (RFC 2046 §4.1.4). */
// ASSUMPTION(unknown-text): an inline text of a type that no reader knows is plain text of the message.
export function isText(
  part: Pick<PartHead, "contentType" | "disposition">,
  contentType: "text/plain" | "text/html",
): boolean {
  if (part.disposition !== "inline") return false;
  if (part.contentType === "text/html" || contentType === "text/html") {
    return part.contentType === contentType;
  }
  return part.contentType.startsWith("text/") && !OTHER_TEXT.has(part.contentType);
}

const NOTHING = new Uint8Array(0);

/**
 * Keeps `textBytesMax` octets of plain text and as many of HTML, and of each part one octet more, which shows that it
 * was cut.
 */
export class KeptContents implements ContentKeeper {
  readonly #rooms: Record<"text/plain" | "text/html", number>;
  #kind: "text/plain" | "text/html" = "text/plain";
  #text: Collected | null = null;
  #counter: SizeCounter | null = null;

  constructor(textBytesMax: number) {
    this.#rooms = { "text/plain": textBytesMax, "text/html": textBytesMax };
  }

  open(head: PartHead): void {
    const kinds = ["text/plain", "text/html"] as const;
    const kind = kinds.find((each) => isText(head, each));
    this.#text = kind === undefined ? null : collectedBytes();
    this.#counter = kind === undefined ? sizeCounter(head.transferEncoding) : null;
    if (kind !== undefined) this.#kind = kind;
  }

  push(octets: Uint8Array): void {
    this.#counter?.push(octets);
    if (this.#text === null) return;
    const most = this.#rooms[this.#kind] + 1 - this.#text.length;
    if (most > 0) this.#text.push(octets.length > most ? octets.subarray(0, most) : octets);
  }

  close(): Pick<MimePart, "content" | "decodedSize"> {
    if (this.#text === null) return { content: NOTHING, decodedSize: this.#counter?.end() ?? 0 };
    const content = this.#text.bytes;
    this.#rooms[this.#kind] -= Math.min(content.length, this.#rooms[this.#kind]);
    return { content };
  }
}
