/** Generated patterns of the RE2 dialect, whole and broken, and texts that they are likely to match. */
import fc from "fast-check";

/** Pieces that mean something to a reader of patterns; strung together they are mostly broken. */
const PIECES = [
  ..."abc0-^$.*+?|()[]{},:<>=!P\\/ \n\t_kKſéЖ😀\u0000",
  ..."\\d \\D \\s \\W \\pL \\pN \\PN \\p{Greek} \\p{^Greek} \\P{^Lu} \\p \\p{ \\p{Foo} \\pé".split(
    " ",
  ),
  ..."\\x41 \\x4 \\x{41} \\x{110000} \\x{} \\0 \\07 \\12 \\1 \\8 \\n \\v \\a \\_ \\- \\é \\.".split(
    " ",
  ),
  ..."\\A \\z \\b \\B \\C \\Z \\Q \\E \\Qa*\\E \\h \\k<n> \\u0041 \\cA \\e".split(" "),
  ..."(?: (?i) (?i: (?-s) (?m-i: (?U) (?- (?i-) (?--i (? (?z (?= (?! (?<= (?<! (?> (?#".split(" "),
  ..."(?P<n> (?<m> (?P<n (?P<> (?P<é> (?P=n) (?P>n)".split(" "),
  ..."{2} {2,} {2,3} {3,2} {,2} {02} {0} {1001} {2 *? +? ?? {2}? ** *+".split(" "),
  ..."[a-c] [^a] [] [^] []a] [^]a] [z-a] [a-\\d] [\\d-z] [a-] [-a] [a-b-c] [\\b] [\\x41-\\x43]".split(
    " ",
  ),
  ..."[[:alpha:]] [[:^digit:]] [[:foo:]] [[:] [[:a [: :] [[=a=]] [\\pL\\d] [^\\PL] [\\p{Foo}]".split(
    " ",
  ),
];

export const brokenPattern: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 8 })
  .map((pieces) => pieces.join(""));

const ATOMS = [
  ..."abk1 \n",
  ..."é ſ Ж 😀 . ^ $ \\A \\z \\b \\B \\d \\w \\s \\W \\pL \\PL \\n \\x{17f} \\x00".split(" "),
  ..."[ab] [^a] [a-k] [^\\n] [[:alpha:]] [^[:space:]] [\\pL1] [^\\d] [é-ž] [^😀]".split(" "),
  ..."(?i:k) (?i:S) (?i:[a-k]) (?i:[^s]) (?s:.) (?m:^) (?m:$) (?U:a*)".split(" "),
];

/** Patterns that every engine accepts. */
export const wholePattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string; atom: string }>(
  (tie) => ({
    atom: fc.oneof({ maxDepth: 4 }, fc.constantFrom(...ATOMS), tie("pattern")),
    pattern: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...ATOMS),
      fc.array(tie("atom"), { maxLength: 4 }).map((parts) => parts.join("")),
      fc.tuple(tie("atom"), tie("atom")).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(tie("atom"), tie("atom")).map(([a, b]) => `(${a}|${b})`),
      tie("atom").map((body) => `(${body})`),
      fc
        .tuple(
          tie("atom"),
          fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}?"),
        )
        .map(([body, repeat]) => `(?:${body})${repeat}`),
    ),
  }),
).pattern;

/** Texts over the letters of the patterns; half a surrogate pair and a byte order mark among them. */
export const text: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(..."aabbkK1 \n\r_séſЖ\u212a😀\u0000\ufeff", "\ud83d", "\ude00"), {
    maxLength: 14,
  })
  .map((units) => units.join(""));

/** Words that fold in unusual ways, share beginnings, or hold characters of two units. */
const WORDS = [
  ..."invoice invoices kiss Kiss KISS İstanbul ıstanbul σίσυφος straße STRASSE ﬅop µmeter Ωhm Åse".split(
    " ",
  ),
  ..."abab ababab aaaa aaaaaa xyz 😀😀😀 a😀b now! Re: 100% naïve K2 \u{10428}lend".split(" "),
];

const escapeWord = (plain: string): string => plain.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const word = fc.constantFrom(...WORDS);

/** The same word as others may write it: by the orbits of its letters, and by what only looks like them. */
const recase = (plain: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    plain,
    plain,
    plain.toUpperCase(),
    plain.toLowerCase(),
    plain.replace(/s/gi, "ſ"),
    plain.replace(/k/gi, "\u212a"),
    plain.replace(/å/gi, "\u212b").replace(/Ω/gi, "\u2126").replace(/µ/g, "μ"),
    plain.replace(/ς/g, "σ").replace(/ﬅ/g, "ﬆ"),
    plain.slice(1),
    plain + plain,
  );

/** Texts of those words in any case, whole and not, with lines between. */
export const wordText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: word.chain(recase) },
      { weight: 2, arbitrary: fc.constantFrom(" ", "\n", "a", "1", "x", "-", "s", "😀", "") },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join("").toWellFormed());

/** A piece of a pattern with a text that it may match. */
type Piece = readonly [source: string, sample: string];

const GAPS: readonly Piece[] = [
  ...(["\\s+", "\\W", "(?:\\b| )", "\\s{0,3}", "[^a]", ""] as const).map(
    (gap) => [gap, " "] as const,
  ),
  ...([".*", "(?s:.)*", "[^\\n]*", ".{0,3}", "\\pL"] as const).map((gap) => [gap, "x"] as const),
  ...(["", "x?", "\\W?", "\\b", "\\B", "$"] as const).map((gap) => [gap, ""] as const),
  ...(["\\n", "(?m:$)\\n", "\\n(?m:^)", "(?s:.)*", "\\s"] as const).map(
    (gap) => [gap, "\n"] as const,
  ),
  ["\\d+", "100"],
  ["(?i:s)", "ſ"],
];

const wordAtom: fc.Arbitrary<Piece> = fc
  .tuple(word, word, fc.nat(8))
  .chain(([one, other, kind]) => {
    const source = escapeWord(one);
    const letters = one.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
    const sources = [
      source,
      `(?i:${source})`,
      `(?:${source}|${escapeWord(other)})`,
      `(${source})+`,
      `(?:${source}){2}|${escapeWord(other)}`,
      `(${source})?`,
      `(?i:${escapeWord(other)}){0,2}${source}`,
      /[[\]]/.test(letters) && source === one ? letters : source,
      source === one ? one.replace(/[aeiou]/g, "[aeiou]") : source,
    ];
    const sample = kind === 4 ? fc.constantFrom(one + one, other) : recase(one);
    return sample.map(
      (text): Piece => [kind === 4 ? `(?:${sources[kind]})` : sources[kind]!, text],
    );
  });

/** A pattern of words, most of which it cannot match without, and a text that it often matches. */
export const wordCase: fc.Arbitrary<{ source: string; text: string }> = fc
  .record({
    flags: fc.constantFrom("", "", "(?i)", "(?m)", "(?s)", "(?im)", "^", "(?m)^", "\\b"),
    pieces: fc.array(fc.tuple(fc.constantFrom(...GAPS), wordAtom), { minLength: 1, maxLength: 3 }),
    odd: fc.option(wholePattern, { freq: 6 }),
    last: fc.constantFrom("", "", "$", "(?m)$", "\\b", "\\B", ".*"),
    before: wordText,
    after: wordText,
    alone: fc.boolean(),
  })
  .map(({ flags, pieces, odd, last, before, after, alone }) => {
    const parts = pieces.flat();
    const source = `${flags}${parts.map(([piece]) => piece).join("")}${odd ?? ""}${last}`;
    const sample = parts.map(([, text]) => text).join("");
    return { source, text: (alone ? sample : before + sample + after).toWellFormed() };
  });
