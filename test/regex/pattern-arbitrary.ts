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
