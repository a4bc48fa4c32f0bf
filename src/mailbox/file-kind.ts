/** Tells from a file's first octets what it is, and whether it can be read as mail. */
import { firstFromLine } from "./mbox/mbox-from-line.ts";
import type { NotMailReason } from "./not-mail.ts";

/** The kinds of files; `kind` selects the reader. */
export type FileKind =
  | { readonly kind: "message" | "mbox" | "mmdf" | "babyl" | "emlx" | "tar" | "zip" | "empty" }
  | {
      readonly kind: "not mail";
      readonly reason: NotMailReason;
      /** Whether it holds mail or may hold it. */
      readonly mayBeMail: boolean;
      readonly message: string;
    };

interface Magic {
  readonly bytes: readonly number[];
  readonly reason: NotMailReason;
  readonly mayBeMail: boolean;
  readonly message: string;
}

const ascii = (text: string): readonly number[] => [...Buffer.from(text, "latin1")];
const archive = (bytes: readonly number[], name: string): Magic => ({
  bytes,
  reason: "archive",
  mayBeMail: true,
  message: `${name} cannot be read: unpack it first`,
});
const index = (bytes: readonly number[], message: string): Magic => ({
  bytes,
  reason: "index",
  mayBeMail: false,
  message,
});

const MAGIC: readonly Magic[] = [
  archive(ascii("LZIP"), "an lzip file"),
  archive(ascii("7z\xbc\xaf\x27\x1c"), "a 7-Zip archive"),
  archive(ascii("Rar!\x1a"), "a RAR archive"),
  archive([0x1f, 0x9d], "a file of `compress`"),
  archive([0x04, 0x22, 0x4d, 0x18], "an LZ4 file"),
  archive([0x5d, 0x00, 0x00], "an LZMA file"),
  archive(ascii("MSCF"), "a cabinet file"),
  archive(ascii("!BDN"), "an Outlook data file (.pst): export it as mbox, or"),
  archive([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "an Outlook message (.msg)"),
  archive([0xcf, 0xad, 0x12, 0xfe], "an Outlook Express folder (.dbx)"),
  index(ascii("// <!-- <mdb:mork"), "an index of Thunderbird"),
  index(ascii("bplist0"), "a property list"),
  index(ascii("SQLite format 3"), "a database"),
];

const FIELD = /^[!-9;-~]+[ \t]*:/;
const KNOWN_FIELDS =
  /^(?:from|to|cc|bcc|subject|date|sender|reply-to|received|return-path|message-id|delivered-to|mime-version|content-(?:type|transfer-encoding|disposition)|x-mailer|in-reply-to|references|list-id)[ \t]*:/gim;
const BLANK_LINE = /\r?\n[ \t]*\r?\n|\r[ \t]*\r(?!\n)/;

/** `given`: a person named the file, or its folder or name says that it is a message; `found`: neither. */
export type FileOrigin = "given" | "found";

function isUtf16(head: Buffer): boolean {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const start = head.subarray(0, 64);
  if (start.length < 8) return false;
  const nuls = (parity: number): number =>
    start.filter((byte, at) => at % 2 === parity && byte === 0).length;
  const half = start.length / 2;
  return (nuls(0) === 0 && nuls(1) > half * 0.9) || (nuls(1) === 0 && nuls(0) > half * 0.9);
}

/** A header of tar: its magic, or in the oldest form its checksum (POSIX.1-1988). */
function isTar(head: Buffer): boolean {
  if (head.length < 512) return false;
  if (head.toString("latin1", 257, 262) === "ustar") return true;
  const written = /^ *([0-7]+)[ \0]/.exec(head.toString("latin1", 148, 156))?.[1];
  if (written === undefined || head[0] === 0) return false;
  let sum = 0;
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 32 : head[at]!;
  return sum === Number.parseInt(written, 8);
}

function isMessage(head: Buffer, standing: FileOrigin): boolean {
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = head.toString("latin1", start);
  // A message without a header: only a person or the file's place can say that it is one.
  if (/^\r?\n|^\r(?!\n)/.test(text) && standing === "given") return true;
  const lines = text.replace(/^\s+|^>?From [^\r\n]*[\r\n]+/, "");
  const end = BLANK_LINE.exec(lines)?.index ?? lines.length;
  const block = lines.slice(0, end).replace(/\r(?!\n)/g, "\n");
  const known = block.match(KNOWN_FIELDS)?.length ?? 0;
  return FIELD.test(block) ? known > 0 || standing === "given" : known > 1;
}

const NOT_MAIL: FileKind = {
  kind: "not mail",
  reason: "not mail",
  mayBeMail: false,
  message: "it does not begin as a message does",
};

/** The kind of a file from its first octets. `rest`: whether more octets follow. */
export function fileKind(head: Buffer, standing: FileOrigin, rest: "more" | "ended"): FileKind {
  if (head.length === 0) return { kind: "empty" };
  const start = head.toString("latin1", 0, 64);
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return { kind: "zip" };
  const magic = MAGIC.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  if (magic !== undefined) return { kind: "not mail", ...magic };
  if (isUtf16(head)) {
    const message = "it is UTF-16: save it as UTF-8";
    return { kind: "not mail", reason: "UTF-16", mayBeMail: true, message };
  }
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*>\s*<!DOCTYPE plist/.test(head.toString("latin1", 0, 256))) {
    return { kind: "not mail", reason: "index", mayBeMail: false, message: "a property list" };
  }
  if (start.startsWith("\x01\x01\x01\x01")) return { kind: "mmdf" };
  if (start.startsWith("BABYL OPTIONS:")) return { kind: "babyl" };
  const from = firstFromLine(head, rest) ?? -1;
  if (from >= 0 && !/^From[ \t]+:/.test(head.toString("latin1", from, from + 64))) {
    return { kind: "mbox" };
  }
  if (isTar(head)) return { kind: "tar" };
  if (head.subarray(0, 512).includes(0)) return NOT_MAIL;
  const count = /^(\d{1,12})[ \t]*\n/.exec(start);
  if (count !== null && isMessage(head.subarray(count[0].length), "given")) return { kind: "emlx" };
  return isMessage(head, standing) ? { kind: "message" } : NOT_MAIL;
}
