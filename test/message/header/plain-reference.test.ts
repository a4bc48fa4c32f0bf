/** What is read fast is what plain code reads: each fast path against a regular expression or a loop of letters. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { isDomainName } from "../../../src/engine/facts/address.ts";
import { parseMailboxes, readMailboxes } from "../../../src/message/header/address-list.ts";
import { rawHeaderText } from "../../../src/message/header/header-text.ts";
import { parseMimeField } from "../../../src/message/mime/mime-field.ts";
import { decodeCharset } from "../../../src/message/text/charset.ts";

const RUNS = { seed: 20_261_120, numRuns: 4_000 };

/** Texts of up to 20 of the tokens. */
const textOf = (...tokens: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((all) => all.join(""));

/** Letter by letter: what the `;` part, without comments. */
function plainPieces(text: string): string[] {
  const pieces: string[] = [];
  let [piece, depth, isQuoted] = ["", 0, false];
  for (let index = 0; index < text.length; index++) {
    const letter = text[index]!;
    if (letter === "\\" && depth > 0) index++;
    else if (letter === "\\" && isQuoted) piece += letter + (text[++index] ?? "");
    else if (depth > 0) depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    else if (!isQuoted && letter === "(" && /(?:^|[ \t])$/.test(piece)) depth = 1;
    else if (!isQuoted && letter === ";") {
      pieces.push(piece);
      piece = "";
    } else {
      if (letter === '"') isQuoted = !isQuoted;
      piece += letter;
    }
  }
  return [...pieces, piece];
}

test("MIME fields: pieces, quotes and comments", () => {
  const quoted = /^"((?:[^"\\]|\\.|\\$)*)/s;
  const unquote = (text: string): string => {
    const inner = quoted.exec(text.trim())?.[1];
    return (inner === undefined ? text : inner.replace(/\\(.)/gs, "$1")).trim();
  };
  const fields = textOf(
    "a",
    "b",
    "=",
    ";",
    '"',
    "\\",
    "(",
    ")",
    " ",
    "\t",
    "text/plain",
    "name",
    ".",
  );
  fc.assert(
    fc.property(fields, (text) => {
      const pieces = plainPieces(text);
      // The semicolon may be missing behind the value: two words, the second with an equals sign.
      const [, word, more] = /^([^\s="]+)[ \t]+([^\s="]+[ \t]*=.*)$/s.exec(pieces[0]!.trim()) ?? [];
      if (more !== undefined) pieces.splice(0, 1, word!, more);
      const [first, ...rest] = pieces;
      const expected = new Map<string, string>();
      for (const piece of rest) {
        const [, name, value] = /^([^=]*)=(.*)$/s.exec(piece) ?? [];
        const key = name?.trim().toLowerCase();
        if (key !== undefined && !expected.has(key))
          expected.set(key, unquote(value!).replaceAll("\t", " "));
      }
      const { value, parameters } = parseMimeField(text, decodeCharset);
      expect([value, [...parameters]]).toEqual([
        unquote(first!).replaceAll("\t", " ").toLowerCase(),
        [...expected],
      ]);
    }),
    RUNS,
  );
});

test("domain names: labels by a regular expression", () => {
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
  const names = textOf("a", "B", "-", ".", "_", "1", " ", "xn--", "a".repeat(31));
  fc.assert(
    fc.property(names, (name) => {
      const labels = name.split(".");
      const isShort = name.length <= LIMITS.domainOctetsMax;
      const isName = isShort && labels.length > 1 && !/^\d+$/.test(labels.at(-1)!);
      expect(isDomainName(name)).toBe(isName && labels.every((each) => label.test(each)));
    }),
    RUNS,
  );
});

test("the first mailbox is the first of all", () => {
  const fields = textOf(
    ...[
      "a",
      "b.test",
      "@",
      "x@y.test",
      "<",
      ">",
      "<x@y.test>",
      "(",
      ")",
      '"',
      "\\",
      " ",
      ",",
      ";",
      ":",
      ".",
    ],
    ...["é", "é.test", "=?", "Ada", "@c.test", "-"],
  );
  let found = 0;
  fc.assert(
    fc.property(fields, (text) => {
      const all = parseMailboxes(text);
      const { mailboxes } = readMailboxes(text, "first written", LIMITS);
      if (all.length > 0) found++;
      // The first as written stands at or before the first that mail can be sent to.
      if (all.length > 0) expect(mailboxes).toHaveLength(1);
      expect(all.indexOf(mailboxes[0]!)).toBeLessThan(1);
    }),
    RUNS,
  );
  expect(found).toBeGreaterThan(500);
});

test("folds are taken out of long values as of short ones", () => {
  const folded = textOf("\n ", "\r\n\t", "\r", "a", " ", "\xc3\xa9");
  fc.assert(
    fc.property(folded, fc.constantFrom(1, 400), (text, times) => {
      const value = text.repeat(times);
      const octets = Buffer.from(value, "latin1").toString("utf8");
      expect(rawHeaderText(value, decodeCharset)).toBe(octets.replace(/[\r\n]+/g, "").trim());
    }),
    { ...RUNS, numRuns: 500 },
  );
});
