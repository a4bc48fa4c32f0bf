/** What a browser's parser and stylesheet say about each element (HTML §13.2, §15.3), by name. */

/** How the parser handles an element's start tag in a body (HTML §13.2.6.4.7). */
export type StartRule =
  | "inline"
  | "block"
  | "heading"
  | "form"
  | "list item"
  | "description"
  | "plaintext"
  | "button"
  | "link"
  | "formatting"
  | "nobr"
  | "marked"
  | "table"
  | "void inline"
  | "input"
  | "void"
  | "rule"
  | "raw"
  | "raw block"
  | "raw inline"
  | "select"
  | "option"
  | "option group"
  | "ruby"
  | "ruby text"
  | "foreign"
  | "root"
  | "template"
  | "table part"
  | "frameset";

/** How the parser handles its end tag. */
export type EndRule =
  | "any"
  | "block"
  | "form"
  | "p"
  | "list item"
  | "description"
  | "heading"
  | "formatting"
  | "marked"
  | "br"
  | "root"
  | "template"
  | "table part"
  | "ignored";

/** How an element lays out its content, where that separates words or hides them. */
export type Display =
  | "none"
  | "inline"
  | "block"
  | "inline block"
  | "contents"
  | "flex"
  | "inline flex"
  | "table"
  | "inline table"
  | "row group"
  | "row"
  | "cell"
  | "column"
  /** A line that keeps all boxes inside it. */
  | "ruby"
  /** Only options count. */
  | "select"
  /** Only text within SVG's text elements, or MathML's tokens. */
  | "foreign";

/** The insertion mode that an open element causes (HTML §13.2.4.1); `""` keeps that of the element around it. */
export type InsertionMode =
  | ""
  | "body"
  | "table"
  | "table body"
  | "row"
  | "cell"
  | "caption"
  | "columns";

export interface Traits {
  readonly name: string;
  readonly id: number;
  readonly start: StartRule;
  readonly end: EndRule;
  readonly mode: InsertionMode;
  readonly display: Display;
  readonly isSpecial: boolean;
  /** Whether the search `has an element in scope` stops at it. Likewise for the button, list and table scopes. */
  readonly isScope: boolean;
  readonly isButtonScope: boolean;
  readonly isListScope: boolean;
  readonly isTableScope: boolean;
  /** Whether the search for a list item to close stops at it. */
  readonly isItemBound: boolean;
  readonly isEndImplied: boolean;
  /** Whether its start tag leaves SVG or MathML. */
  readonly leavesForeign: boolean;
  readonly keepsWhiteSpace: boolean;
  /** Whether its content stays hidden under any style. */
  readonly isNeverShown: boolean;
  /** Whether it is a block, or out of the line, under any style. */
  readonly isAlwaysBlock: boolean;
}

const words = (list: string): readonly string[] => list.split(" ");

const START: Readonly<Partial<Record<StartRule, string>>> = {
  block:
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header " +
    "hgroup main menu nav ol p search section summary ul pre listing",
  heading: "h1 h2 h3 h4 h5 h6",
  form: "form",
  "list item": "li",
  description: "dd dt",
  plaintext: "plaintext",
  button: "button",
  link: "a",
  formatting: "b big code em font i s small strike strong tt u",
  nobr: "nobr",
  marked: "applet marquee object",
  table: "table",
  "void inline": "area br embed img image keygen wbr",
  input: "input",
  void: "param source track base basefont bgsound link meta",
  rule: "hr",
  raw: "noframes script style title",
  "raw block": "xmp",
  "raw inline": "iframe noembed textarea",
  select: "select",
  option: "option",
  "option group": "optgroup",
  ruby: "rb rtc",
  "ruby text": "rp rt",
  foreign: "math svg",
  root: "html body",
  template: "template",
  "table part": "caption col colgroup frame head tbody td tfoot th thead tr",
  frameset: "frameset",
};

const END: Readonly<Partial<Record<EndRule, string>>> = {
  block:
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer " +
    "header hgroup listing main menu nav ol pre search section select summary ul",
  form: "form",
  p: "p",
  "list item": "li",
  description: "dd dt",
  heading: "h1 h2 h3 h4 h5 h6",
  formatting: "a b big code em font i nobr s small strike strong tt u",
  marked: "applet marquee object",
  br: "br",
  root: "body html head",
  template: "template",
  "table part": "caption tbody td tfoot th thead tr table",
  ignored: "col colgroup frame frameset",
};

const MODES: Readonly<Partial<Record<InsertionMode, string>>> = {
  body: "html body template",
  table: "table",
  "table body": "tbody tfoot thead",
  row: "tr",
  cell: "td th",
  caption: "caption",
  columns: "colgroup",
};

const DISPLAYS: Readonly<Partial<Record<Display, string>>> = {
  none:
    "area base basefont datalist link meta noembed noframes param rp script style template title head audio video " +
    "iframe meter progress textarea frameset",
  block:
    "address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p " +
    "plaintext pre search section summary ul xmp",
  "inline block": "button marquee",
  table: "table",
  "row group": "tbody tfoot thead",
  row: "tr",
  cell: "td th",
  column: "col colgroup",
  contents: "slot",
  ruby: "ruby rt",
  select: "select",
  foreign: "svg math",
};

/** The standard counts `search` as special; Chromium does not. */
const SPECIAL = new Set(
  words(
    "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd " +
      "details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header " +
      "hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript " +
      "object ol p param plaintext pre script section select source style summary table tbody td template " +
      "textarea tfoot th thead title tr track ul wbr xmp",
  ),
);
const SCOPE = new Set(words("applet caption html marquee object select table td template th"));
const END_IMPLIED = new Set(words("dd dt li optgroup option p rb rp rt rtc"));
const LEAVES_FOREIGN = new Set(
  words(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta " +
      "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
  ),
);
const NEVER_SHOWN = new Set(
  words("template noembed iframe embed textarea audio video meter progress head"),
);
const ALWAYS_BLOCKS = new Set(words("legend dialog"));
const KEEPS_WHITE_SPACE = new Set(words("pre listing xmp plaintext"));

function ruleOf<Rule extends string>(
  rules: Readonly<Partial<Record<Rule, string>>>,
  name: string,
  otherwise: Rule,
): Rule {
  const found = Object.entries<string | undefined>(rules).find(([, names]) =>
    words(names ?? "").includes(name),
  );
  return (found?.[0] ?? otherwise) as Rule;
}

function traitsOf(name: string, id: number): Traits {
  return {
    name,
    id,
    start: ruleOf(START, name, "inline"),
    end: ruleOf(END, name, "any"),
    mode: ruleOf<InsertionMode>(MODES, name, ""),
    display: ruleOf<Display>(DISPLAYS, name, "inline"),
    isSpecial: SPECIAL.has(name),
    isScope: SCOPE.has(name),
    isButtonScope: SCOPE.has(name) || name === "button",
    isListScope: SCOPE.has(name) || name === "ol" || name === "ul",
    isTableScope: name === "html" || name === "table" || name === "template",
    isItemBound: SPECIAL.has(name) && name !== "address" && name !== "div" && name !== "p",
    isEndImplied: END_IMPLIED.has(name),
    leavesForeign: LEAVES_FOREIGN.has(name),
    keepsWhiteSpace: KEEPS_WHITE_SPACE.has(name),
    isNeverShown: NEVER_SHOWN.has(name),
    isAlwaysBlock: ALWAYS_BLOCKS.has(name),
  };
}

const NAMES: readonly string[] = [
  ...new Set(
    [START, END, MODES, DISPLAYS]
      .flatMap((rules) => Object.values<string>(rules))
      .concat("ruby span sub sup var font noscript")
      .flatMap(words),
  ),
];

const KNOWN: ReadonlyMap<string, Traits> = new Map(
  NAMES.map((name, id) => [name, traitsOf(name, id)]),
);
/** Slots of the table below: a power of two, four for each name, so that nearly every name has its own slot. */
const PLACES = 512;

/** Adds a letter, in either case, to the hash of a name. */
export function nextHash(hash: number, unit: number): number {
  return Math.imul(hash, 33) ^ (unit | 32);
}

/** The known elements by the hash of their names; elements with the same hash are next to each other. */
const BY_HASH: readonly (Traits | undefined)[] = (() => {
  const table: (Traits | undefined)[] = new Array(PLACES).fill(undefined);
  for (const [name, traits] of KNOWN) {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = nextHash(hash, name.charCodeAt(at));
    while (table[hash & (PLACES - 1)] !== undefined) hash++;
    table[hash & (PLACES - 1)] = traits;
  }
  return table;
})();

/** Letters of the longest name, and zeros. */
const NAME_UNITS = 16;
/** The letters of the names of all known elements, in the order of their ids. */
const LETTERS: Uint8Array = new Uint8Array(KNOWN.size * NAME_UNITS);
for (const { name, id } of KNOWN.values()) {
  for (let at = 0; at < name.length; at++) LETTERS[id * NAME_UNITS + at] = name.charCodeAt(at);
}

/**
 * The known element that `[start, end)` names in any case, found by its hash; `null` if there is none. Cuts out no
 * string.
 */
export function knownAt(
  units: Uint16Array,
  start: number,
  end: number,
  hash: number,
): Traits | null {
  const length = end - start;
  for (let place = hash; ; place++) {
    const traits = BY_HASH[place & (PLACES - 1)];
    if (traits === undefined) return null;
    if (traits.name.length !== length) continue;
    const letters = traits.id * NAME_UNITS;
    let at = 0;
    for (; at < length; at++) {
      const unit = units[start + at]!;
      if ((unit >= 65 && unit <= 90 ? unit | 32 : unit) !== LETTERS[letters + at]) break;
    }
    if (at === length) return traits;
  }
}

/** The known elements, indexed by id. */
export const ALL_KNOWN: readonly Traits[] = [...KNOWN.values()];

/** Number of elements in this table; the ids of others follow. */
export const KNOWN_ELEMENTS: number = KNOWN.size;

/** The element of a name in this table. */
export function known(name: string): Traits {
  return KNOWN.get(name)!;
}

/** The elements that one document names in addition to the known ones. */
export class Elements {
  readonly #others = new Map<string, Traits>();

  /** An element that `knownAt` did not find; `given` may be in any case. */
  other(given: string): Traits {
    const name = given.toLowerCase();
    const found = KNOWN.get(name) ?? this.#others.get(name);
    if (found !== undefined) return found;
    const traits = { ...PLAIN, name, id: KNOWN.size + this.#others.size };
    this.#others.set(name, traits);
    return traits;
  }
}

const PLAIN: Traits = traitsOf("", -1);
