/** Messages that are made to be costly, each of about as many octets as asked for. */

export type Bomb = (octets: number) => string;

const filled =
  (pattern: string): Bomb =>
  (octets) =>
    pattern.repeat(Math.ceil(octets / pattern.length));

/** Pieces that each tell their number. */
const counted =
  (piece: (at: number) => string): Bomb =>
  (octets) => {
    const pieces: string[] = [];
    for (let at = 0, length = 0; length < octets; at++)
      length += pieces[pieces.push(piece(at)) - 1]!.length;
    return pieces.join("");
  };

/** What a value of a header field may be filled with. */
const VALUES: Readonly<Record<string, Bomb>> = {
  "open comments": filled("("),
  "comments in comments": (octets) => `${"(".repeat(octets / 2)}${")".repeat(octets / 2)}`,
  "comments side by side": filled("(a) "),
  "open quotes": filled('"'),
  "quotes side by side": filled('"a" '),
  escapes: filled("\\"),
  "quoted escapes": (octets) => `"${'\\"'.repeat(octets / 2)}`,
  "escaped quotes before an address": (octets) => `${'\\"'.repeat(octets / 2)}@a.test`,
  "escaped quotes in brackets": (octets) => `<${'\\"'.repeat(octets / 2)}@a.test>`,
  "open brackets": filled("<"),
  "brackets side by side": filled("<a@b.test>"),
  "closing brackets": filled(">"),
  commas: filled(","),
  mailboxes: filled("a@b.test,"),
  "unusable mailboxes": filled("a@b.-,"),
  "unusable quoted mailboxes": filled('"a"@b.-,'),
  "unusable mailboxes of U-labels": filled("a@\xc3\xa9.-,"),
  groups: filled("a:;"),
  routes: filled("@a,"),
  "at signs": filled("@"),
  dots: filled("."),
  blanks: filled(" "),
  tabs: filled("\t"),
  folds: filled("\n "),
  "folds of CRLF": filled("\r\n\t"),
  "lone CRs": filled("\r"),
  NULs: filled("\0"),
  "octets above 127": filled("\xff"),
  "UTF-8": filled("\xc3\xa9"),
  "U-labels": (octets) => `a@${"\xc3\xa9".repeat(octets / 2)}.test`,
  punycode: (octets) => `a@xn--${"a".repeat(octets)}.test`,
  labels: (octets) => `a@${"a.".repeat(octets / 2)}test`,
  "open words": filled("=?utf-8?Q?"),
  "word beginnings": filled("=?"),
  "word ends": filled("?="),
  "short words": filled("=?utf-8?Q?a?= "),
  "long words": (octets) => `=?utf-8?B?${"YWFh".repeat(octets / 4)}?=`,
  "Q of equals signs": (octets) => `=?utf-8?Q?${"=".repeat(octets)}?=`,
  semicolons: filled(";"),
  parameters: filled("a=b; "),
  segments: (octets) => {
    let text = "a/b";
    for (let at = 0; text.length < octets; at++) text += `; n*${at}*=%41`;
    return text;
  },
  percents: (octets) => `a/b; n*=utf-8''${"%".repeat(octets)}`,
  "words without end": filled("a "),
  "words in a charset that nobody knows": filled("=?x-a?Q??=a"),
  "words in charsets that nobody knows": counted((at) => `=?x${at}?Q??=`),
  "words in two charsets in turn": filled("=?gb18030?Q??==?big5?Q??="),
  "words in escaped charsets in turn": filled("=?iso-2022-jp?Q?=1B$B?==?iso-2022-kr?Q?=1B$B?="),
  "words of single octets in turn": filled("=?koi8-r?Q?=E9?==?euc-kr?Q?=E9?="),
};

const FIELDS = ["From", "Subject", "Content-Type"] as const;

/** What a body may be filled with. */
const BODIES: Readonly<Record<string, Bomb>> = {
  blanks: filled(" "),
  "blanks before line ends": filled("         \n"),
  "equals signs": filled("="),
  "soft breaks": filled("=\n"),
  "soft breaks with blanks": filled("= \t"),
  "line ends": filled("\n"),
  CRs: (octets) => `\n${"\r".repeat(octets)}`,
  "one line": filled("x"),
  padding: filled("===="),
  base64: filled("QUJD"),
  "base64 and junk": filled("Q!"),
  "octets above 127": filled("\xe9"),
  "open tags": filled("<a "),
  tags: filled("<b>"),
  "quotes in tags": filled('<a b="'),
  "hidden elements": filled("<div hidden>"),
  "open comments": filled("<!--"),
  scripts: filled("<script>"),
  "closing tags": filled("</p>"),
  references: filled("&"),
  "numeric references": filled("&#65;"),
  lists: filled("<li>a"),
  attributes: (octets) => `<a ${"b=c ".repeat(octets / 4)}`,
  "styles that do not hide": filled('<b style="display:x">'),
  "attributes that may hide": (octets) => `<a display ${"b=c ".repeat(octets / 4)}>`,
  "names of references": filled("&ab"),
  "blanks before quotes": filled('<a b   "c" '),
  styles: (octets) => `<a style="${"display:".repeat(octets / 8)}">`,
  "a style of brackets": (octets) => `<b style="display:x${"(".repeat(octets)}">`,
  "a style of blanks": (octets) => `<b style="display:x${" ".repeat(octets)}x">`,
  "a style of semicolons": (octets) => `<b style="display${";".repeat(octets)}:x">`,
  "a style of escapes": (octets) => `<b style="display:x${"\\a ".repeat(octets / 3)}">`,
  "quote marks": filled(">"),
  "flowed lines": filled("> a \n"),
  "one-line paragraphs": filled("A paragraph of one line. \nIts end.\n"),
  "quoted paragraphs": filled("> A paragraph of one line. \n> Its end.\n"),
  "stuffed lines": filled(" A line that is stuffed.\n"),
  "lines of one letter": filled("x\n"),
  "soft lines of one letter": filled("x \n"),
  "escape sequences": filled("\x1b$B"),
  "line ends of two octets": filled("\r\n"),
  "lines of one letter that end with CRLF": filled("x\r\n"),
  "soft lines of one letter that end with CRLF": filled("x \r\n"),
  "one-line paragraphs that end with CRLF": filled("A paragraph of one line.\r\n\r\n"),
  "paragraphs of one letter": filled("<p>x</p>\r\n"),
  "paragraphs that each have a font": counted((at) => `<p><font color=${at}>x`),
  "paragraphs in formatting elements that stay open": (octets) =>
    `<p>${counted((at) => `<b id=${at}>`)(1_000)}${filled("<p>xx")(octets - 1_000)}`,
  "cells in formatting elements that stay open": (octets) =>
    `<p>${counted((at) => `<b id=${at}>`)(1_000)}<table>${filled("<tr><td>x")(octets - 1_000)}`,
  "formatting elements that end in another order": filled("<b><i><p></b>x</i>"),
  "formatting elements that a block parts": counted((at) => `<b id=${at}><div></b>`),
};

const KINDS: Readonly<Record<string, string>> = {
  text: "Content-Type: text/plain; format=flowed",
  HTML: "Content-Type: text/html",
  "quoted-printable": "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable",
};

const MIXED = "Content-Type: multipart/mixed; boundary=b\n\n";

function nested(octets: number): string {
  let text = "Content-Type: multipart/mixed; boundary=b0\n\n";
  for (let at = 0; text.length < octets; at++) {
    text += `--b${at}\nContent-Type: multipart/mixed; boundary=b${at + 1}\n\n`;
  }
  return text;
}

/** As many multiparts as may be open, of long boundaries that differ at the end, then lines that nearly are one. */
function nearlyDelimiters(octets: number): string {
  const boundary = (at: number): string => `${"b".repeat(60)}${at}`;
  let text = `Content-Type: multipart/mixed; boundary=${boundary(0)}\n\n`;
  for (let at = 0; at < 45; at++) {
    text += `--${boundary(at)}\nContent-Type: multipart/mixed; boundary=${boundary(at + 1)}\n\n`;
  }
  return text + `--${boundary(99)}\n`.repeat(octets / 65);
}

/** Bombs of header fields and of the MIME structure. */
const STRUCTURES: Readonly<Record<string, Bomb>> = {
  "header fields": filled("X: y\n"),
  "fields without a colon": filled("nonsense\n"),
  colons: filled(":\n"),
  "From fields": filled("From: <>\n"),
  "Subject fields": filled("Subject: =?utf-8?Q?a?=\n"),
  "Content-Type fields": filled("Content-Type: a/b\n"),
  "a field name without end": filled("X"),
  delimiters: (octets) => MIXED + "--b\n".repeat(octets / 4),
  "closing delimiters": (octets) => MIXED + "--b--\n".repeat(octets / 6),
  "padded delimiters": (octets) => `${MIXED}--b${" ".repeat(octets)}`,
  "lines of dashes": (octets) => MIXED + "--\n".repeat(octets / 3),
  "one line of dashes": (octets) => MIXED + "-".repeat(octets),
  "parts with heads": (octets) => MIXED + "--b\nContent-Type: text/html\n\nx\n".repeat(octets / 30),
  "heads without end": (octets) => `${MIXED}--b\n${"X: y\n".repeat(octets / 5)}`,
  "heads of nonsense": (octets) => `${MIXED}--b\n${"--c\n".repeat(octets / 4)}`,
  "multiparts in each other": nested,
  "nearly delimiters": nearlyDelimiters,
  "file names in charsets that nobody knows": (octets) =>
    MIXED +
    `--b\nContent-Disposition: attachment; filename="${counted((at) => `=?x${at}?Q??=`)(octets / 4)}"\n\n`.repeat(
      4,
    ),
  "a boundary of 60,000 letters": (octets) =>
    `Content-Type: multipart/mixed; boundary=${"b".repeat(octets / 2)}\n\n--${"b".repeat(octets / 2)}\n`,
};

/** Heads of a text whose charset has so many octets. */
const CHARSETS: Readonly<Record<string, Bomb>> = {
  "a text in a charset of semicolons": (octets) =>
    `Content-Type: text/plain; charset="${";".repeat(octets)}x"\n\n\xe9`,
  "texts in charsets of semicolons": (octets) =>
    MIXED +
    `--b\nContent-Type: text/plain; charset="${";".repeat(octets / 4)}x"\n\n\xe9\n`.repeat(4),
  "texts that declare charsets of blanks": (octets) =>
    MIXED +
    `--b\nContent-Type: text/html\n\n<meta charset="${" ".repeat(1_000)}>\n`.repeat(
      Math.ceil(octets / 1_050),
    ),
};

/** All bombs by name. */
export const BOMBS: readonly (readonly [string, Bomb])[] = [
  ...FIELDS.flatMap((field) =>
    Object.entries(VALUES).map(([name, value]): [string, Bomb] => [
      `${field}: ${name}`,
      (octets) => `${field}: ${value(octets - 12)}\n\n${"body ".repeat(6)}`,
    ]),
  ),
  ...Object.entries(KINDS).flatMap(([kind, head]) =>
    Object.entries(BODIES).map(([name, body]): [string, Bomb] => [
      `${kind}: ${name}`,
      (octets) => `${head}\n\n${body(octets)}`,
    ]),
  ),
  ...Object.entries({ ...STRUCTURES, ...CHARSETS }),
];
