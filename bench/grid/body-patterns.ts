/** Patterns of the grid, as people write them for each kind of text, of the syntax that all engines read alike. */
import { randomFrom } from "../random.ts";
import { type GridCase, seedOf, type TextKind } from "./grid.ts";
import { type WordPair, Words } from "./words.ts";

/** Each keeps a text that a match must hold. */
const ASCII_FORMS: readonly ((pair: WordPair, n: number) => string)[] = [
  ({ one, two }) => `\\b${one} ${two}\\b`,
  ({ one, two }) => `${one} +${two}[a-z]*[.!]`,
  ({ one }, n) => `${one}[a-z]* [0-9]{2,${3 + (n % 4)}}`,
  ({ one, two }) => `https?://[a-z0-9.-]*${one}[a-z0-9/-]*${two}`,
  ({ one, two }) => `(?:${one}|${two})[ _-](?:offer|account|${two}er)s?\\b`,
  ({ one, two }) => `${one}.{0,40}${two}`,
  ({ one, two }) => `^${one}.*${two}$`,
  ({ one }) => `[A-Za-z]+${one}\\b`,
];
const CJK_FORMS: readonly ((pair: WordPair, n: number) => string)[] = [
  ({ one, two }) => `${one}.{0,20}${two}`,
  ({ one, two }) => `(?:${one}|${two})[、。]`,
  ({ one }) => `${one}[0-9]{1,6}`,
  ({ one, two }) => `${one}\\p{Han}{1,4}${two}`,
  ({ one, two }) => `「${one}」|${two}です`,
  ({ one }) => `[A-Za-z]+ ?${one}`,
];
const BASE64_FORMS: readonly ((pair: WordPair, n: number) => string)[] = [
  ({ one }) => `${one}[A-Za-z0-9+/]*==?`,
  ({ one, two }) => `${one}.{1,30}${two}`,
  ({ one, two }) => `(?:${one}|${two})[+/]`,
  ({ one }) => `\\b${one}[0-9]{2}`,
];

/** Classes of patterns that have no text in common with all their matches. */
const CLASSES = ["[0-9]", "[a-f]", "[A-F]", "[aeiou]", "[b-dx-z]", "[G-Z]", "[-._]", "[qxz0-4]"];
const CJK_CLASSES = ["\\p{Han}", "\\p{Hiragana}", "\\p{Katakana}", "[、。「」]", ...CLASSES];

/** Without a text that a match must hold. */
const OPEN_FORMS: readonly ((below: (max: number) => number) => string)[] = [
  (below) => `\\b[A-Z]{${2 + below(3)}}[0-9]{${4 + below(5)}}\\b`,
  (below) => `[0-9]{3}[-. ][0-9]{${3 + below(2)}}[-. ][0-9]{2,4}`,
  (below) => `\\b(?:[0-9]{4}[ -]?){${3 + below(2)}}[0-9]{1,4}\\b`,
  (below) => `\\b[0-9a-f]{${8 + below(12)},40}\\b`,
  (below) => `[A-Z]{${5 + below(5)}}[ !]+[A-Z]{${3 + below(4)}}`,
  (below) => `[a-z]+[0-9]{1,${2 + below(3)}}[A-Z]+[a-z]{${2 + below(5)},}`,
  (below) => `[^\\x00-\\x7f]{${1 + below(4)}}[0-9a-z]{${1 + below(3)}}[A-Z]`,
];

/** Text on which a pattern that must match nothing is tried. */
const SAMPLE_UNITS = 65_536;
const TRIES = 30;

/** The same pattern for JavaScript, which has no `(?i)` and names scripts in another way. */
export function toRegExp(pattern: string): RegExp {
  const isFolded = pattern.startsWith("(?i)");
  const source = (isFolded ? pattern.slice(4) : pattern).replace(/\\p\{(\w+)\}/g, "\\p{Script=$1}");
  const needsUnicode = /[^\0-\x7f]|\\p/.test(source);
  return new RegExp(source, `${isFolded ? "i" : ""}${needsUnicode ? "u" : ""}`);
}

function ofClasses(kind: TextKind, random: () => number): string {
  const classes = kind === "cjk" ? CJK_CLASSES : CLASSES;
  const parts = Array.from({ length: 4 + Math.floor(random() * 3) }, () => {
    const from = 1 + Math.floor(random() * 2);
    const repeat = random() < 0.3 ? `{${from},${from + 2}}` : `{${from}}`;
    return `${classes[Math.floor(random() * classes.length)]}${repeat}`;
  });
  return `${random() < 0.5 ? "\\b" : ""}${parts.join("")}`;
}

function withoutLiteral(kind: TextKind, random: () => number): string {
  const below = (max: number): number => Math.floor(random() * max);
  const pattern =
    random() < 0.5 ? ofClasses(kind, random) : OPEN_FORMS[below(OPEN_FORMS.length)]!(below);
  return random() < 0.5 ? `(?i)${pattern}` : pattern;
}

const formsOf = (kind: TextKind): typeof ASCII_FORMS =>
  kind === "cjk" ? CJK_FORMS : kind === "base64" ? BASE64_FORMS : ASCII_FORMS;

/** The patterns of a case by rank; each case of other text, outcome or share has others, whatever its sizes. */
export function gridPatterns({ kind, share, outcome, count }: GridCase): readonly string[] {
  const random = randomFrom(seedOf(`${kind}, ${share}, ${outcome}, ${count}`));
  const words = new Words(kind, outcome, random);
  const forms = formsOf(kind);
  const sample = words.sample(SAMPLE_UNITS);
  const withLiteral = (n: number): string => {
    const pattern = forms[Math.floor(random() * forms.length)]!(words.pair(), n);
    return random() < 0.5 ? `(?i)${pattern}` : pattern;
  };
  const open = (): string => {
    for (let tries = 0; tries < TRIES; tries++) {
      const pattern = withoutLiteral(kind, random);
      if (outcome === "words" || !toRegExp(pattern).test(sample)) return pattern;
    }
    throw new Error(`every pattern without a literal matches ${kind}`);
  };
  return Array.from({ length: count }, (_, n) =>
    random() * 100 < (share ?? 100) ? withLiteral(n) : open(),
  );
}
