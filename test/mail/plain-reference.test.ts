/** What is read fast is what plain code reads: each fast path against a regular expression or a loop of letters. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { isDomainName } from "../../src/mail/address.ts";
import { parseMailboxes, readMailboxes } from "../../src/mail/address-list.ts";
import { rawHeaderText } from "../../src/mail/header-text.ts";
import { decodeEntities } from "../../src/mail/html-entities.ts";
import { htmlToText } from "../../src/mail/html-text.ts";
import { parseMimeField } from "../../src/mail/mime-field.ts";
import { decodeCharset } from "../../src/message/charset.ts";
import { BOMBS } from "../message/bombs.ts";
import { plainHtmlText } from "./plain-html-text.ts";

const RUNS = { seed: 20_261_120, numRuns: 4_000 };

/** Texts of up to 20 of the tokens. */
const textOf = (...tokens: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((all) => all.join(""));

const html = textOf(
  ...[
    "<",
    ">",
    "&",
    "&amp;",
    "&#65",
    "&#x41;",
    "&nbsp;",
    "&notit;",
    "&lt",
    "&#10;",
    "&#128512;",
    "\ud83d",
  ],
  ...[
    " ",
    "\n",
    "\t",
    "\u00a0",
    "\u2003",
    "a",
    "b",
    "<p>",
    "</p>",
    "<PRE>",
    "</pre>",
    "<td>",
    "<Br/>",
  ],
  ...[
    "<div hidden>",
    "<div style='display:none'>",
    "</div>",
    "<template>",
    "</TEMPLATE>",
    "<p hidden>",
  ],
  ...[
    "<!--",
    "-->",
    "<!x>",
    "</ x>",
    "<script>",
    "</script>",
    "<style>",
    "'",
    '"',
    "=",
    '<a b="',
    "<li>",
  ],
);

describe("HTML", () => {
  test("any text of tags, references and blanks", () => {
    fc.assert(
      fc.property(html, (text) => {
        expect(htmlToText(text)).toBe(plainHtmlText(text));
      }),
      RUNS,
    );
  });

  test("bombs", () => {
    for (const [name, bomb] of BOMBS) {
      const text = bomb(2_000);
      expect(htmlToText(text), name).toBe(plainHtmlText(text));
    }
  });

  test("references one by one", () => {
    const reference = /&(?:#x[0-9a-f]{1,8}|#[0-9]{1,10}|[a-z][a-z0-9]{1,15});?/gi;
    const references = textOf(
      "&",
      "#",
      "x",
      "X",
      "amp",
      "lt",
      ";",
      "a",
      "1",
      "65",
      "0",
      "g",
      "é",
      " ",
    );
    fc.assert(
      fc.property(references, (text) => {
        expect(decodeEntities(text)).toBe(
          text.replace(reference, (found) => decodeEntities(found)),
        );
      }),
      RUNS,
    );
  });
});

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
      const [first, ...rest] = plainPieces(text);
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
      const isName = name.length <= LIMITS.domainOctetsMax && labels.length > 1;
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
      const { mailboxes } = readMailboxes(text, "first", LIMITS);
      if (all.length > 0) found++;
      expect(mailboxes).toEqual(all.slice(0, 1));
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
