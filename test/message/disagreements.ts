/**
 * What reads otherwise than mailparser, by classes: who is right, and why. What changed since the list was first kept:
 * - gone from "undeclared octets": spam-1/00245 text, which is UTF-8 but for 15 octets, and is now read so, as by mailparser.
 * - gone from "addresses that none can be sent to": spam-2/00080, 00135 and 00136 from. The sender is the mailbox as written,
 *   deliverable or not, as with mailparser.
 * - the class "parts without a delimiter" is gone, with spam-1/00467 and spam-2/01214 text: a multipart in which no part begins has
 *   no text, as with mailparser.
 * - the class "unknown types of text" is new: easy-ham-1/00063, a text/enriched, which was of "flowed text" by its text alone, is plain text
 *   and no attachment.
 * - gone from "the last line end": spam-2/00615 and 00616 text. A part without text joins nothing, as with mailparser.
 * - new in "addresses that none can be sent to": spam-2/00646 cc, with a host that ends in a number.
 */

/** One field of one message, as both read it; lists are joined by line breaks. */
export interface Compared {
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
  /** The message, a code unit for each octet. */
  readonly source: string;
}

export interface DisagreementClass {
  readonly name: string;
  readonly right: "ours" | "theirs" | "either";
  readonly why: string;
  fits(compared: Compared): boolean;
}

const blanksAlike = (text: string): string => text.replace(/\s+/g, " ").trim();
const isAddresses = (field: string): boolean => ["from", "to", "cc"].includes(field);
const isUsable = (address: string): boolean =>
  /^[^\s@:;[\]\ufffd.]+(?:\.[^\s@:;[\]\ufffd.]+)*@[^\s@:;[\]]+\.(?!\d+$)[^\s@:;[\].]+$/.test(
    address,
  );
const lostLetters = (text: string): number => text.split("\ufffd").length - 1;

/** A message is of the first class that fits. */
export const CLASSES: readonly DisagreementClass[] = [
  {
    name: "folds",
    right: "ours",
    why: "unfolding takes out the line break and nothing else (RFC 5322 §2.2.3); mailparser takes the blanks too",
    fits: ({ field, ours, theirs }) =>
      field === "subject" && blanksAlike(ours) === blanksAlike(theirs),
  },
  {
    name: "undeclared octets",
    right: "ours",
    why: "octets above 127 without a charset are windows-1252 where they are not UTF-8; mailparser loses them",
    fits: ({ ours, theirs }) => lostLetters(theirs) > lostLetters(ours),
  },
  {
    name: "addresses that none can be sent to",
    right: "ours",
    why: "empty groups, hosts of one label or that end in a number, literals and two at signs are no mailboxes; mailparser gives them as addresses",
    fits: ({ field, ours, theirs }) =>
      isAddresses(field) &&
      theirs.split("\n").filter(isUsable).join("\n") ===
        ours.split("\n").filter(Boolean).join("\n"),
  },
  {
    name: "flowed text",
    right: "ours",
    why: "stuffed blanks are taken out behind the quote marks, and the last line end stays (RFC 3676 §4); mailparser moves the blank before the mark",
    fits: ({ field, ours, theirs, source }) =>
      field === "text" &&
      /format="?flowed/i.test(source) &&
      ours.replace(/[\s>]+/g, "") === theirs.replace(/[\s>]+/g, ""),
  },
  {
    name: "blanks in a local part",
    right: "ours",
    why: "`<Undisclosed Recipients@host>` is no address; mailparser takes its last word for one",
    fits: ({ field, source }) =>
      isAddresses(field) && /^(?:to|cc|from):[ \t]*<[\w.]+ [\w.]+@[\w.]+>/im.test(source),
  },
  {
    name: "embedded messages",
    right: "either",
    why: "a message or a report within the message is an attachment to us; mailparser adds its text, and opens it",
    fits: ({ field, source }) =>
      /^(?:text|html|attachment)/.test(field) &&
      /^content-type:\s*message\/(?:rfc822|delivery-status)/im.test(source),
  },
  {
    name: "a type without a semicolon",
    right: "ours",
    why: "`TEXT/PLAIN charset=US-ASCII` is text; mailparser takes it for an attachment",
    fits: ({ source }) => /^content-type:\s*text\/plain charset=/im.test(source),
  },
  {
    name: "an escape that a soft break parts",
    right: "theirs",
    why: "`==` before a line end and `3D` behind it was meant as `=3D`; mailparser happens to read it so, we keep the `=`",
    fits: ({ field, source, ours, theirs }) =>
      field === "html" && /==\r?\n3D/.test(source) && ours.replaceAll("=3D", "=") === theirs,
  },
  {
    name: "unknown types of text",
    right: "ours",
    why: "a text of a type that is not known is plain text (RFC 2046 §4.1.4); mailparser makes it an attachment",
    fits: ({ field, source }) =>
      /^(?:text|attachment)/.test(field) &&
      /^content-type:\s*text\/(?:enriched|richtext)/im.test(source),
  },
  {
    name: "texts joined",
    right: "ours",
    why: "the texts of one type are joined by a line end; mailparser counts the texts of the other type too",
    fits: ({ field, ours, theirs }) =>
      (field === "text" || field === "html") &&
      theirs.replaceAll("<br/>", "").trim() === ours.replaceAll("<br/>", "").trim() &&
      theirs.length > ours.length,
  },
  {
    name: "the last line end",
    right: "ours",
    why: "a text is kept to its last line end, which mailparser sometimes drops",
    fits: ({ field, ours, theirs }) =>
      (field === "text" || field === "html") && ours === `${theirs}\n`,
  },
  {
    name: "broken GB text",
    right: "either",
    why: "octets that are no GB text, some of them a footer in plain behind base64; both resume where they can",
    fits: ({ field, ours, theirs, source }) =>
      (field === "text" || field === "html") &&
      /charset="?(?:gb|big5)/i.test(source) &&
      theirs.slice(0, 60) === ours.slice(0, 60) &&
      Math.abs(ours.length - theirs.length) < 20,
  },
];
