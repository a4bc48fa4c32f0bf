/** Splits an mbox file into its messages (RFC 4155; the variants mboxo, mboxrd, mboxcl and mboxcl2). */
import { assertOptions } from "../../base/options.ts";
import { messageLimits, type ReadOptions } from "../../message/message-limits.ts";
import { chunksOf, type MessageSource } from "../../message/message-source.ts";
import { Collected } from "../../message/text/collected.ts";
import { dialectOfHead, HEAD_EVIDENCE_BYTES } from "./mbox-dialect.ts";
import { firstFromLine, type MboxDialect, type MboxDoubt } from "./mbox-from-line.ts";
import { type MboxQuoting, unquoteFromLines } from "./mbox-quoting.ts";
import { type MboxBorder, type MboxPiece, MboxSplitter } from "./mbox-splitter.ts";

export type MboxVariant = "auto" | "mboxo" | "mboxrd" | "mboxcl" | "mboxcl2";

/** How to read an mbox: whether Content-Length counts, and what `>` before `From ` means. */
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

/** Of the limits, only `messageBytesMax` counts here. */
export interface MboxOptions extends ReadOptions {
  /**
   * Default `auto`: a Content-Length counts where it fits, and a message that it holds together over `From ` lines
   * was not quoted; other messages were quoted as in mboxrd.
   */
  readonly variant?: MboxVariant | undefined;
}

/** A message of an mbox. */
export interface MboxMessage {
  /** Without its `From ` line, the blank line before the next one, and the `>` that quotes lines with `From `. */
  readonly bytes: Uint8Array;
  /** Octets of the file that hold it, quoted as it is there, half-open. */
  readonly start: number;
  readonly end: number;
  readonly quoting: MboxQuoting;
}

/** Whether a file with this beginning is an mbox: its first line begins with `From `, but not with `From :`. */
export function looksLikeMbox(bytes: Uint8Array): boolean {
  const start = firstFromLine(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    "ended",
  );
  if (start === null || start < 0) return false;
  let at = start + "From ".length;
  while (bytes[at] === 32 || bytes[at] === 9) at++;
  return bytes[at] !== 58;
}

/** Splits octets that begin at the file's start, or at `border`, and makes messages of the pieces. */
export interface MboxReader {
  readonly splitter: MboxSplitter;
  messageOf(piece: MboxPiece): MboxMessage;
}

/** Makes a reader. Throws a TypeError for options it does not know. */
export function mboxReader(
  options: MboxOptions,
  dialect: MboxDialect,
  border?: MboxBorder,
): MboxReader {
  assertOptions(options, ["variant", "limits"]);
  const variant = options.variant ?? "auto";
  if (!Object.hasOwn(VARIANTS, variant)) {
    const choice = Object.keys(VARIANTS).join(", ");
    throw new TypeError(`\`variant\` is \`${String(variant)}\`: give one of ${choice}`);
  }
  const { lengths, quoting: usual } = VARIANTS[variant];
  const { messageBytesMax } = messageLimits({ limits: options.limits });
  return {
    splitter: new MboxSplitter(lengths, messageBytesMax + 1, dialect, border),
    messageOf({ bytes, start, end, kind }) {
      const isPlain = kind === "before" || (kind === "held together" && variant === "auto");
      const quoting = isPlain ? "none" : usual;
      return { bytes: unquoteFromLines(bytes, quoting), start, end, quoting };
    },
  };
}

/**
 * The messages of an mbox, in order. One message is held at a time. A message larger than `messageBytesMax` gives
 * that many octets and one more, so that reading it reports `message-too-large`. Text before the first `From ` line
 * is a message of its own, without quoted lines. Throws a TypeError for options it does not know.
 */
// ASSUMPTION(mbox-content-length): a Content-Length counts only where a separator or the file's end follows at once.
export async function* mboxMessages(
  source: MessageSource,
  options: MboxOptions = {},
): AsyncGenerator<MboxMessage, void, void> {
  yield* readMbox(source, options);
}

/** What was learned about an mbox while it was read. */
export interface MboxFindings {
  readonly dialect: MboxDialect;
  readonly doubts: ReadonlyMap<MboxDoubt, number>;
}

/** Like `mboxMessages`, and returns its findings. `dialect`: the dialect, if known. */
export async function* readMbox(
  source: MessageSource,
  options: MboxOptions = {},
  dialect?: MboxDialect,
): AsyncGenerator<MboxMessage, MboxFindings, void> {
  // Invalid options throw before anything is read.
  mboxReader(options, dialect ?? dialectOfHead(new Uint8Array(0), "ended"));
  const head = new Collected(Buffer.allocUnsafe);
  let found = dialect;
  let reader = found === undefined ? null : mboxReader(options, found);
  const begin = (rest: "more" | "ended"): MboxReader => {
    found = dialectOfHead(head.bytes, rest);
    return mboxReader(options, found);
  };
  function* pushed(to: MboxReader, chunk: Uint8Array): Generator<MboxMessage> {
    for (const piece of to.splitter.push(chunk)) yield to.messageOf(piece);
  }
  try {
    for await (const chunk of chunksOf(source)) {
      if (reader !== null) {
        yield* pushed(reader, chunk);
        continue;
      }
      head.push(chunk);
      if (head.length < HEAD_EVIDENCE_BYTES) continue;
      reader = begin("more");
      yield* pushed(reader, head.bytes);
    }
  } catch (error) {
    // All messages that are whole before the failure.
    if (reader === null) yield* pushed(begin("more"), head.bytes);
    throw error;
  }
  if (reader === null) {
    reader = begin("ended");
    yield* pushed(reader, head.bytes);
  }
  for (const piece of reader.splitter.end()) yield reader.messageOf(piece);
  return { dialect: found!, doubts: reader.splitter.doubts };
}

/** The bytes of each message; see `mboxMessages`. */
export async function* splitMbox(
  source: MessageSource,
  options: MboxOptions = {},
): AsyncGenerator<Uint8Array, void, void> {
  for await (const { bytes } of mboxMessages(source, options)) yield bytes;
}
