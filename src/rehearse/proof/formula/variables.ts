/** The possible texts of a condition's variables: those of any message, and those that look like real mail. */
import type { PatternNode } from "../../../engine/pattern/syntax/pattern-tree.ts";
import {
  ANY_CHAR,
  type CharSet,
  intersectChars,
  lowerCaseChars,
  withoutChars,
} from "../text/char-set.ts";
import {
  anchored,
  charsNode,
  literalNode,
  sourceNode,
  type TextPattern,
} from "../text/text-program.ts";

/** Limits on a text in addition to the conditions of rules. */
export interface Language {
  /** Every text that a message can have: proofs cover all of these. */
  readonly possible: TextPattern | null;
  /** Texts like those of real mail: witnesses are sought among these first. */
  readonly likely: TextPattern;
  /** The characters that a witness prefers, in order. */
  readonly nice: string;
}

const LINE_BREAKS: CharSet = [
  [10, 10],
  [13, 13],
];
/** C0, DEL and C1, which are removed from header text. */
const CONTROLS: CharSet = [
  [0, 31],
  [127, 159],
];

const NICE_ADDRESS = "abcdefghijklmnopqrstuvwxyz0123456789.-_+@";
const NICE_TEXT =
  "abcdefghijklmnopqrstuvwxyz 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.,:;-_!?'\"()/@#$%&*+=";

function pattern(key: string, root: PatternNode): TextPattern {
  return { key, root, changes: [], suffix: "" };
}

function readLikely(source: string): TextPattern {
  return pattern(`/${source}/`, sourceNode(source)!);
}

function wholeText(key: string, chars: CharSet, min: number): TextPattern {
  return pattern(key, anchored(charsNode(chars, min, Number.POSITIVE_INFINITY), "both"));
}

/** The null sender, or a text with an `@`. Reading keeps `@x` and `a@`, and drops a bare `@`. */
function senderNode(chars: CharSet): PatternNode {
  const span = { start: 0, end: 0 };
  const some = charsNode(chars, 1, Number.POSITIVE_INFINITY);
  const any = charsNode(chars, 0, Number.POSITIVE_INFINITY);
  const at = literalNode("@");
  const branches: readonly PatternNode[] = [
    { kind: "empty", span },
    { kind: "concat", span, parts: [some, at, any] },
    { kind: "concat", span, parts: [at, some] },
  ];
  return anchored({ kind: "alternate", span, branches }, "both");
}

let languages: Readonly<Record<string, Language>> | undefined;

function buildLanguages(): Readonly<Record<string, Language>> {
  // ASSUMPTION(proof-texts): proofs speak of addresses in lower case with an `@`, of at most 1,024 characters, of a recipient that has a local part, and of subjects of one line
  const address = withoutChars(lowerCaseChars(), LINE_BREAKS);
  const local = "[a-z0-9]+(?:[._+-][a-z0-9]+)*";
  return {
    local: {
      possible: wholeText("local", address, 1),
      likely: readLikely(`\\A${local}\\z`),
      nice: NICE_ADDRESS,
    },
    sender: {
      possible: pattern("sender", senderNode(address)),
      likely: readLikely(`\\A${local}@(?:[a-z0-9]+(?:-[a-z0-9]+)*\\.)+[a-z]{2,12}\\z`),
      nice: NICE_ADDRESS,
    },
    subject: {
      possible: wholeText("subject", withoutChars(ANY_CHAR, CONTROLS), 0),
      likely: readLikely("\\A(?:[^\\s\\pC](?:(?: ?[^\\s\\pC])*))?\\z"),
      nice: NICE_TEXT,
    },
    body: {
      possible: null,
      likely: readLikely("\\A(?:[^\\s\\pC](?:(?:[ \\n]?[^\\s\\pC])*))?\\z"),
      nice: `${NICE_TEXT}\n`,
    },
  };
}

const CONTENT_TYPE = /\.contentType$/;
let contentType: Language | undefined;

/** The texts of a variable; a header's value and an attachment's field can have any text. */
export function languageOf(variable: string): Language {
  languages ??= buildLanguages();
  const own = Object.hasOwn(languages, variable) ? languages[variable] : undefined;
  if (own !== undefined) return own;
  if (!CONTENT_TYPE.test(variable)) return { ...languages.subject!, possible: null };
  contentType ??= {
    possible: wholeText("lower", intersectChars(lowerCaseChars(), ANY_CHAR), 0),
    likely: readLikely("\\A[a-z]+/[a-z0-9.+-]+\\z"),
    nice: NICE_ADDRESS,
  };
  return contentType;
}
