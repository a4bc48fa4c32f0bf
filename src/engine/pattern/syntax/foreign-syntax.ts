/** What other dialects of patterns have and this one does not, with what to write instead. */

const LINEAR = "which a linear-time pattern cannot have";

/** Escapes of other dialects, with what to write instead. */
export const FOREIGN_ESCAPES: Readonly<Record<string, string>> = {
  k: `a back-reference, ${LINEAR}: write out what it should match`,
  g: `a back-reference, ${LINEAR}: write out what it should match`,
  C: "a single byte of a character: write `.`",
  Z: "an end before a final line break: write `\\n?\\z`",
  G: "the end of the last match: leave it out",
  K: "a reset of the match's start: use a group",
  R: "any line break: write `(?:\\r\\n|[\\n-\\r])`",
  X: "a grapheme: write `\\PM\\pM*`",
  N: "any character but a line break: write `[^\\n]`",
  h: "a horizontal blank: write `[\\t ]`",
  H: "all but a horizontal blank: write `[^\\t ]`",
  V: "all but a vertical blank: write `[^\\n-\\r]`",
  u: "another dialect's code point: write `\\x{…}`",
  U: "another dialect's code point: write `\\x{…}`",
  c: "a control character: write `\\x` and two hexadecimal digits",
  e: "the escape character: write `\\x1b`",
};

/** Openings of other dialects, with what they are and what to do. */
export const FOREIGN_GROUPS: Readonly<Record<string, string>> = {
  "(?<=": `look-behind, ${LINEAR}: match the text before as well, and use a group for the rest`,
  "(?<!": `look-behind, ${LINEAR}: list what may come before, such as \`(?:^|[^x])\``,
  "(?P=": `a back-reference, ${LINEAR}: write out what it should match`,
  "(?P>": `a call of a group, ${LINEAR}: write out what it should match`,
  "(?=": `look-ahead, ${LINEAR}: match the text after as well, and use a group for the rest`,
  "(?!": `look-ahead, ${LINEAR}: list what may follow, such as \`(?:[^x]|$)\``,
  "(?>": "an atomic group, which a linear-time pattern does not need: write `(?:`",
  "(?#": "a comment: leave it out",
  "(?|": "a branch reset: number the groups one after the other",
  "(?(": `a condition, ${LINEAR}: write both cases with \`|\``,
  "(?R": `recursion, ${LINEAR}: write out the depth that is needed`,
  "(?'": "a named group of another dialect: write `(?P<name>…)`",
};
