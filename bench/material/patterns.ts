/** Body patterns and texts: ASCII, and of the syntax that all engines read alike. */
import { randomFrom } from "../random.ts";
import { parsedMail } from "./mail.ts";

const SOURCES = 256;

/** How authors write a pattern around words; each keeps at least one word that a match must hold. */
const WORD_FORMS: readonly ((one: string, two: string, n: number) => string)[] = [
  (one, two) => `(?i)\\b${one} ${two}\\b`,
  (one, two) => `${one} +${two}[a-z]*[.!]`,
  (one, _two, n) => `${one}[a-z]* [0-9]{2,${3 + (n % 4)}}`,
  (one, two) => `https?://[a-z0-9.-]*${one}[a-z0-9/-]*${two}`,
  (one, two) => `(?i)(?:${one}|${two}) (?:offer|account|${two}er)s?\\b`,
];

/** Classes of patterns that have no text in common with all their matches. */
const CLASSES = ["[0-9]", "[a-f]", "[A-F]", "[aeiou]", "[b-dx-z]", "[G-Z]", "[-._]", "[qxz0-4]"];

function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/\b[a-z]{5,12}\b/g) ?? []);
  return [...new Set(words)];
}

function withoutLiteral(random: () => number): string {
  const parts = Array.from({ length: 4 + Math.floor(random() * 3) }, () => {
    const from = 1 + Math.floor(random() * 2);
    const repeat = random() < 0.3 ? `{${from},${from + 2}}` : `{${from}}`;
    return `${CLASSES[Math.floor(random() * CLASSES.length)]}${repeat}`;
  });
  return `${random() < 0.5 ? "\\b" : ""}${parts.join("")}`;
}

/** `count` patterns, of which `literalShare` have a text that each of their matches holds. */
export async function bodyPatterns(count: number, literalShare: number): Promise<string[]> {
  const random = randomFrom(20261120);
  const mail = parsedMail(SOURCES, "other");
  const words = wordsOf(mail.map(({ body }) => body));
  const word = (): string => words[Math.floor(random() * words.length)]!;
  const literals = Math.round(count * literalShare);
  return Array.from({ length: count }, (_, index) => {
    // Spread evenly: the k-th with a literal stands where k/literals of all are behind it.
    const isLiteral =
      Math.floor(((index + 1) * literals) / count) > Math.floor((index * literals) / count);
    if (!isLiteral) return withoutLiteral(random);
    return WORD_FORMS[index % WORD_FORMS.length]!(word(), word(), index);
  });
}

/** Texts of exactly `units` characters, cut from bodies put one behind the other. */
export async function bodyTexts(count: number, units: number): Promise<string[]> {
  const mail = parsedMail(SOURCES, "sample");
  const all = mail.map(({ body }) => body.replace(/[^\n\x20-\x7e]/g, " ")).join("\n");
  if (all.length < units) throw new Error("too little mail for a text that long");
  const step = Math.floor((all.length - units) / count);
  return Array.from({ length: count }, (_, index) => {
    // Flat text of its own: a slice would keep, and lead to, the whole.
    return Buffer.from(all.slice(index * step, index * step + units), "latin1").toString("latin1");
  });
}
