/** Domains made to be expensive to compile and to plan, each as large as the budget of a domain allows. */

export interface DomainCase {
  readonly name: string;
  /** So many rules or aliases fit into `LIMITS.domainFuelMax`. */
  readonly count: number;
  readonly rule?: (nth: number) => { readonly type: string; readonly config: object };
  readonly alias?: (nth: number) => string;
}

const ALL = ["sender", "recipient", "subject", "body"];

function regex(source: string, scopes: readonly string[] = ["body"], forward = "m@x.test") {
  return { type: "regex", config: { regex: source, scopes, forward } };
}

function cel(expression: string) {
  return { type: "cel", config: { expression, forward: "m@x.test" } };
}

/** As many pieces as fit into `units` code units. */
function filled(units: number, separator: string, piece: (at: number) => string): string {
  let source = "";
  for (let at = 0; ; at++) {
    const next = (at === 0 ? "" : separator) + piece(at);
    if (source.length + next.length > units) return source;
    source += next;
  }
}

/** A word of its own for each rule and place. */
function word(nth: number, at: number, units: number): string {
  const number = Math.imul(nth * 131 + at * 7_919, 2_654_435_761) >>> 0;
  return number.toString(36).padStart(units, "q").slice(0, units);
}

const words = (nth: number): string => filled(895, "|", (at) => word(nth, at, 6));

/** Classes that hold all but one character, beside classes of many ranges. */
const allButOne = (nth: number): string =>
  `\\pL\\pN\\pS\\pM\\pP\\p{Common}${filled(900, "", (at) => `[^${String.fromCharCode(0x100 + nth + 2 * at)}]`)}${nth}`;

const macros = (nth: number): string =>
  `${filled(2_900, "&&", () => "[1].all(a,[1].all(b,[1].all(c,[1].all(d,[1].all(e,a>0)))))")}&&size==${nth}`;

const destinations = (nth: number): string =>
  filled(9_990, ",", (at) => `u${at}-${"y".repeat(50)}@${nth}.${"z".repeat(40)}.example`);

export const DOMAIN_CASES: readonly DomainCase[] = [
  {
    name: "ordinary patterns",
    count: 18_600,
    rule: (nth) => regex(`(?i)invoice ${nth} \\d+`),
  },
  {
    name: "groups in groups",
    count: 755,
    rule: (nth) => regex(`${filled(1_000, "", () => `${"(".repeat(49)}x${")".repeat(49)}`)}${nth}`),
  },
  {
    name: "[ab]{7}. and again",
    count: 650,
    rule: (nth) => regex(`${filled(1_000, "", () => "[ab]{7}.")}${nth}`),
  },
  {
    name: "x?zq and again",
    count: 600,
    rule: (nth) =>
      regex(`${filled(1_000, "", (at) => `${String.fromCharCode(97 + (at % 26))}?zq`)}${nth}`),
  },
  { name: "128 words", count: 540, rule: (nth) => regex(words(nth)) },
  { name: "128 words in each scope", count: 262, rule: (nth) => regex(words(nth), ALL) },
  {
    name: "[ab][cd][ef][gh]… in each scope",
    count: 2_680,
    rule: (nth) => regex(`[ab][cd][ef][gh]ijk${nth}`, ALL),
  },
  {
    name: "[a-e]… in each scope",
    count: 7_300,
    rule: (nth) => regex(`[a-e]${word(nth, 0, 6)}`, ALL),
  },
  {
    name: "long literals in each scope",
    count: 735,
    rule: (nth) =>
      regex(
        filled(1_003, "", (at) => word(nth, at, 10)),
        ALL,
      ),
  },
  { name: "[^c] beside classes of Unicode", count: 811, rule: (nth) => regex(allButOne(nth)) },
  {
    name: "100 destinations",
    count: 655,
    rule: (nth) => regex(`(x)${nth}`, ["body"], destinations(nth)),
  },
  { name: "expressions of macros", count: 262, rule: (nth) => cel(macros(nth)) },
  {
    name: "expressions of lists",
    count: 255,
    rule: (nth) => cel(`size in [${filled(2_960, ",", (at) => String(at % 10))},${nth}]`),
  },
  { name: "shortest expressions", count: 36_000, rule: () => cel("true") },
  { name: "short macros", count: 22_000, rule: (nth) => cel(`[1].all(x,x>${nth})`) },
  { name: "100,000 aliases", count: 100_000, alias: (nth) => `user.name${nth}` },
  { name: "wildcard aliases", count: 23_000, alias: (nth) => `user${nth}-*` },
  { name: "pattern aliases", count: 15_900, alias: (nth) => `^(in|out)voice-${nth}$` },
];
