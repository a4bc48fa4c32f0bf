/** Reads from a `style` attribute whether and how an element is displayed (CSS Syntax 3, Cascade 4). */
import type { Display } from "./elements.ts";
import { isWhiteSpace } from "./tokens.ts";

/** `default`: as in the browser's stylesheet; `inherit`: as for the parent element. */
export type StyledDisplay = Display | "default" | "inherit";
export type StyledVisibility = "inherit" | "visible" | "hidden";

export interface InlineStyle {
  /** `null` if the attribute does not set it. */
  readonly display: StyledDisplay | null;
  readonly visibility: StyledVisibility;
  /** Whether floating or positioning turns it into a block. */
  readonly isOutOfFlow: boolean;
  /** Whether `content-visibility` hides its content, unless it is an inline box. */
  readonly hidesContent: boolean;
}

const DISPLAYS: Readonly<Record<string, StyledDisplay>> = {
  none: "none",
  inline: "inline",
  block: "block",
  "inline-block": "inline block",
  "flow-root": "block",
  "list-item": "block",
  contents: "contents",
  flex: "flex",
  grid: "flex",
  "-webkit-box": "flex",
  "-webkit-flex": "flex",
  "inline-flex": "inline flex",
  "inline-grid": "inline flex",
  "-webkit-inline-box": "inline flex",
  "-webkit-inline-flex": "inline flex",
  table: "table",
  "inline-table": "inline table",
  "table-row-group": "row group",
  "table-header-group": "row group",
  "table-footer-group": "row group",
  "table-row": "row",
  "table-cell": "cell",
  "table-caption": "block",
  "table-column": "column",
  "table-column-group": "column",
  ruby: "ruby",
  "ruby-text": "ruby",
  math: "inline",
  "block math": "block",
  inherit: "inherit",
  initial: "inline",
  unset: "inline",
  revert: "default",
  "revert-layer": "default",
};
const VISIBILITIES: Readonly<Record<string, StyledVisibility>> = {
  visible: "visible",
  hidden: "hidden",
  collapse: "hidden",
  inherit: "inherit",
  initial: "visible",
  unset: "inherit",
  revert: "inherit",
  "revert-layer": "inherit",
};
const OUT_OF_FLOW: Readonly<Record<string, Readonly<Record<string, boolean>>>> = {
  float: {
    left: true,
    right: true,
    "inline-start": true,
    "inline-end": true,
    none: false,
    inherit: false,
    initial: false,
    unset: false,
    revert: false,
    "revert-layer": false,
  },
  position: {
    absolute: true,
    fixed: true,
    static: false,
    relative: false,
    sticky: false,
    inherit: false,
    initial: false,
    unset: false,
    revert: false,
    "revert-layer": false,
  },
};
const CONTENT: Readonly<Record<string, boolean>> = {
  hidden: true,
  visible: false,
  auto: false,
  inherit: false,
  initial: false,
  unset: false,
  revert: false,
  "revert-layer": false,
};

/** The two and three words of CSS Display 3 §2.6: an outer type, an inner type, and `list-item`, in any order. */
function displayOfWords(value: string): StyledDisplay | undefined {
  const outer: string[] = [];
  const inner: string[] = [];
  let isListItem = false;
  for (const word of value.split(" ")) {
    if (word === "block" || word === "inline") outer.push(word);
    else if (/^(?:flow|flow-root|table|flex|grid|ruby|math)$/.test(word)) inner.push(word);
    else if (word === "list-item" && !isListItem) isListItem = true;
    else return undefined;
  }
  if (outer.length > 1 || inner.length > 1) return undefined;
  const [box = inner[0] === "ruby" || inner[0] === "math" ? "inline" : "block"] = outer;
  const [layout = "flow"] = inner;
  if (isListItem) return /^flow/.test(layout) ? (box === "block" ? "block" : "inline") : undefined;
  if (layout === "table") return box === "block" ? "table" : "inline table";
  if (layout === "flex" || layout === "grid") return box === "block" ? "flex" : "inline flex";
  if (layout === "flow-root") return box === "block" ? "block" : "inline block";
  return box === "block" ? "block" : "inline";
}

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** One token: comment, string, escape, bracket, or one of the marks that separate declarations. */
const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n\r\f]|\\[\s\S])*("|$|(?=[\n\r\f]))|'(?:[^'\\\n\r\f]|\\[\s\S])*('|$|(?=[\n\r\f]))|\\(?:[0-9a-f]{1,6}(?:\r\n|[ \t\n\r\f])?|[^\n\r\f])|[()[\]{};:!]|[^\\"'()[\]{};:!/]+|[\s\S]/gi;

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

interface Declaration {
  readonly name: string;
  /** Lower case, single blanks, without `!important`. */
  readonly value: string;
  readonly isImportant: boolean;
}

function unescaped(token: string): string {
  const hex = /^\\([0-9a-f]{1,6})/i.exec(token)?.[1];
  if (hex === undefined) return token.slice(1);
  const point = Number.parseInt(hex, 16);
  const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : "\ufffd";
}

/** An escaped blank or mark becomes part of a name, and no property that counts has such a name. */
const NAME_LETTER = /^[\w\-\u0080-\u{10ffff}]$/u;

/** White space of CSS; a no-break space counts as a letter. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function letterOf(token: string): string {
  const letter = unescaped(token);
  return NAME_LETTER.test(letter) ? letter : "\ufffd";
}

/** The declarations of an attribute, without invalid ones. */
function declarationsOf(style: string): Declaration[] {
  const declarations: Declaration[] = [];
  const open: string[] = [];
  let name: string | null = null;
  let text = "";
  const end = (): void => {
    if (name !== null) declarations.push(declarationOf(name, text));
    name = null;
    text = "";
  };
  for (const [token] of style.matchAll(TOKEN)) {
    if (token.startsWith("/*")) {
      // A comment separates the text around it.
      text += " ";
      continue;
    }
    const closing = CLOSING[token];
    if (closing !== undefined) {
      open.push(closing);
      text += token;
    } else if (open.length > 0) {
      // The end of the attribute closes all open brackets.
      if (token === open.at(-1)) open.pop();
      text += token;
    } else if (token === ";") {
      end();
    } else if (token === ":" && name === null) {
      name = trimmed(text).toLowerCase();
      text = "";
    } else {
      text += token.startsWith("\\") && token.length > 1 ? letterOf(token) : token;
    }
  }
  end();
  return declarations;
}

function declarationOf(name: string, text: string): Declaration {
  const value = trimmed(text.toLowerCase()).replace(/[ \t\n\r\f]+/g, " ");
  const plain = value.replace(/ ?! ?important$/, "");
  return { name, value: plain, isImportant: plain !== value };
}

/** The declarations that count, in a style without the characters of `NEEDS_TOKENS`. */
function plainDeclarations(style: string): Declaration[] {
  const declarations: Declaration[] = [];
  let colon = -1;
  for (let start = 0; start < style.length; ) {
    const semicolon = style.indexOf(";", start);
    const end = semicolon < 0 ? style.length : semicolon;
    if (colon < start) colon = style.indexOf(":", start);
    if (colon < 0) break;
    if (colon < end) {
      const name = trimmed(style.slice(start, colon)).toLowerCase();
      if (PROPERTIES.has(name)) declarations.push(declarationOf(name, style.slice(colon + 1, end)));
    }
    start = end + 1;
  }
  return declarations;
}

/**
 * Functions whose value is unknown before the cascade. A declaration with one wins the cascade and then has no
 * effect.
 */
const SUBSTITUTED = /(?:^|[^\w-])(?:var|env|attr|if)\(/;

function displayOf(value: string): StyledDisplay | undefined {
  if (SUBSTITUTED.test(value)) return "inline";
  return own(DISPLAYS, value) ?? displayOfWords(value);
}

/** The last valid value of a property, with `!important` before others; `undefined` if there is none. */
function winner<Value>(
  declarations: readonly Declaration[],
  property: string,
  read: (value: string) => Value | undefined,
): Value | undefined {
  let won: Value | undefined;
  let isImportant = false;
  for (const declaration of declarations) {
    const isOther = declaration.name !== property && declaration.name !== "all";
    if (isOther || (isImportant && !declaration.isImportant)) continue;
    const isGlobal = declaration.name !== "all" || /^[a-z-]+$/.test(declaration.value);
    const value = isGlobal ? read(declaration.value) : undefined;
    if (value === undefined) continue;
    won = value;
    isImportant = declaration.isImportant;
  }
  return won;
}

/** Whether a style with this text can affect display. */
const MAY_COUNT = /display|visibility|float|position|all|\\|&/i;
/** Characters for which the style must be read token by token to find the declarations. */
const NEEDS_TOKENS = /[\\"'()[\]{}!/]/;
/** The properties that count. */
const PROPERTIES = new Set("display visibility float position content-visibility all".split(" "));

/** A style that does not affect display. */
export const NO_STYLE: InlineStyle = {
  display: null,
  visibility: "inherit",
  isOutOfFlow: false,
  hidesContent: false,
};

/** Reads the value of a `style` attribute; `decode` decodes its character references. */
export function inlineStyle(value: string, decode: (text: string) => string): InlineStyle {
  if (!MAY_COUNT.test(value)) return NO_STYLE;
  const style = value.includes("&") ? decode(value) : value;
  const declarations = NEEDS_TOKENS.test(style) ? declarationsOf(style) : plainDeclarations(style);
  if (declarations.length === 0) return NO_STYLE;
  const last = (property: string): boolean =>
    winner(declarations, property, (each) => own(OUT_OF_FLOW[property]!, each)) ?? false;
  return {
    display: winner(declarations, "display", displayOf) ?? null,
    visibility:
      winner(declarations, "visibility", (each) =>
        SUBSTITUTED.test(each) ? "inherit" : own(VISIBILITIES, each),
      ) ?? "inherit",
    isOutOfFlow: last("float") || last("position"),
    hidesContent: winner(declarations, "content-visibility", (each) => own(CONTENT, each)) ?? false,
  };
}
