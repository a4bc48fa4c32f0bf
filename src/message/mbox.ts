/** Splits an mbox file into its messages (RFC 4155; the variants mboxo, mboxrd, mboxcl and mboxcl2). */
import { assertOptions } from "../base/options.ts";
import { type MboxQuoting, unquoteFromLines } from "./mbox-quoting.ts";
import { type MboxBorder, type MboxPiece, MboxSplitter } from "./mbox-splitter.ts";
import { messageLimits, type ReadOptions } from "./message-limits.ts";
import { chunksOf, type MessageSource } from "./message-source.ts";

export type MboxVariant = "auto" | "mboxo" | "mboxrd" | "mboxcl" | "mboxcl2";

/** What is believed of an mbox: whether Content-Length counts, and what `>` before `From ` means. */
interface Belief {
  readonly lengths: "where they fit" | "never";
  readonly quoting: MboxQuoting;
}

const VARIANTS: Readonly<Record<MboxVariant, Belief>> = {
  auto: { lengths: "where they fit", quoting: "mboxrd" },
  mboxo: { lengths: "never", quoting: "mboxo" },
  mboxrd: { lengths: "never", quoting: "mboxrd" },
  mboxcl: { lengths: "where they fit", quoting: "mboxo" },
  mboxcl2: { lengths: "where they fit", quoting: "none" },
};

/** Of the limits only `messageBytesMax` counts here. */
export interface MboxOptions extends ReadOptions {
  /**
   * Default `auto`: a Content-Length counts where it fits, and a message that it holds together over `From ` lines was
   * not quoted; others were as in mboxrd.
   */
  readonly variant?: MboxVariant | undefined;
}

/** A message of an mbox. */
export interface MboxMessage {
  /** Without its `From ` line, the blank line before the next one, and the `>` that quotes a `From ` within. */
  readonly bytes: Uint8Array;
  /** Where it stands in the file, quoted: octets, half-open. */
  readonly start: number;
  readonly end: number;
  readonly quoting: MboxQuoting;
}

/** Whether a file that begins so is an mbox: its first line is `From `, and no field `From :`. */
export function looksLikeMbox(bytes: Uint8Array): boolean {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const start = Buffer.from(bytes.subarray(bom, bom + 5)).toString("latin1");
  let at = bom + 5;
  while (bytes[at] === 32 || bytes[at] === 9) at++;
  return start === "From " && bytes[at] !== 58;
}

/** Splits what begins at the file's start, or at `border`, and makes messages of the pieces. */
export interface MboxReader {
  readonly splitter: MboxSplitter;
  messageOf(piece: MboxPiece): MboxMessage;
}

/** Throws a TypeError for options it does not know. */
export function mboxReader(options: MboxOptions, border?: MboxBorder): MboxReader {
  assertOptions(options, ["variant", "limits"]);
  const variant = options.variant ?? "auto";
  if (!Object.hasOwn(VARIANTS, variant)) {
    const choice = Object.keys(VARIANTS).join(", ");
    throw new TypeError(`\`variant\` is \`${String(variant)}\`: give one of ${choice}`);
  }
  const { lengths, quoting: usual } = VARIANTS[variant];
  const { messageBytesMax } = messageLimits({ limits: options.limits });
  return {
    splitter: new MboxSplitter(lengths, messageBytesMax + 1, border),
    messageOf({ bytes, start, end, kind }) {
      const isPlain = kind === "before" || (kind === "held together" && variant === "auto");
      const quoting = isPlain ? "none" : usual;
      return { bytes: unquoteFromLines(bytes, quoting), start, end, quoting };
    },
  };
}

/**
 * The messages of an mbox, in order. One message is held at a time. Of a message larger than `messageBytesMax` that
 * many octets and one more are given, so that reading it tells `message-too-large`. What stands before the first
 * `From ` line is a message of its own, and no line of it is taken for quoted. Throws a TypeError for options it does
 * not know.
 */
// ASSUMPTION(mbox-separator): a line `From ` begins a message only at the start of the file or after a blank line.
// ASSUMPTION(mbox-content-length): a Content-Length counts only where a separator or the file's end follows at once.
export async function* mboxMessages(
  source: MessageSource,
  options: MboxOptions = {},
): AsyncGenerator<MboxMessage, void, void> {
  const { splitter, messageOf } = mboxReader(options);
  for await (const chunk of chunksOf(source)) {
    for (const piece of splitter.push(chunk)) yield messageOf(piece);
  }
  for (const piece of splitter.end()) yield messageOf(piece);
}

/** The bytes of each message; see `mboxMessages`. */
export async function* splitMbox(
  source: MessageSource,
  options: MboxOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  for await (const { bytes } of mboxMessages(source, options)) yield bytes;
}
