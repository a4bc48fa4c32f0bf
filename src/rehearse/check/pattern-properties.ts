/** Properties of a pattern that hold whatever text it is searched in. */
import type { Span } from "../../base/diagnostic.ts";
import { childrenOf, type PatternNode } from "../../engine/pattern/syntax/pattern-tree.ts";

function isCapital(codePoint: number): boolean {
  return codePoint >= 65 && codePoint <= 90;
}

/** Where every match has an ASCII capital, or `null`. A pattern with such a place matches no text in lower case. */
export function neededCapital(node: PatternNode): Span | null {
  switch (node.kind) {
    case "literal":
      return !node.fold && isCapital(node.codePoint) ? node.span : null;
    case "class": {
      const isPlain = !node.negated && !node.fold && node.unicode.length === 0;
      const isCapitals = node.ranges.every(([first, last]) => isCapital(first) && isCapital(last));
      return isPlain && node.ranges.length > 0 && isCapitals ? node.span : null;
    }
    case "concat":
      for (const part of node.parts) {
        const found = neededCapital(part);
        if (found !== null) return found;
      }
      return null;
    case "alternate": {
      const found = node.branches.map(neededCapital);
      return found.every((span) => span !== null) ? (found[0] ?? null) : null;
    }
    case "group":
      return neededCapital(node.body);
    case "repeat":
      return node.min > 0 ? neededCapital(node.body) : null;
    default:
      return null;
  }
}

/** Whether it matches the empty text at the start or the end of any text. */
function isEmptyAt(node: PatternNode, edge: "begin" | "end"): boolean {
  switch (node.kind) {
    case "empty":
      return true;
    case "assertion":
      return node.assertion === `${edge}-text` || node.assertion === `${edge}-line`;
    case "concat":
      return node.parts.every((part) => isEmptyAt(part, edge));
    case "alternate":
      return node.branches.some((branch) => isEmptyAt(branch, edge));
    case "group":
      return isEmptyAt(node.body, edge);
    case "repeat":
      return node.min === 0 || isEmptyAt(node.body, edge);
    default:
      return false;
  }
}

/** Whether it matches any text without line breaks from end to end: `.*`, `^.*$`. */
export function takesAnyLine(node: PatternNode): boolean {
  if (node.kind === "group") return takesAnyLine(node.body);
  if (node.kind === "repeat") {
    return node.body.kind === "any" && node.min === 0 && node.max === Number.POSITIVE_INFINITY;
  }
  if (node.kind !== "concat") return false;
  const rest = node.parts.filter((part) => part.kind !== "assertion");
  const isAnchored = node.parts.every(
    (part, index) =>
      part.kind !== "assertion" ||
      (part.assertion === "begin-text" && index === 0) ||
      (part.assertion === "end-text" && index === node.parts.length - 1),
  );
  return isAnchored && rest.length === 1 && takesAnyLine(rest[0]!);
}

/** Whether no match can contain an `@`. Some such patterns are not recognised. */
function lacksAt(node: PatternNode): boolean {
  switch (node.kind) {
    case "literal":
      return node.codePoint !== AT;
    case "class": {
      const isPlain = !node.negated && node.unicode.length === 0;
      return isPlain && node.ranges.every(([first, last]) => last < AT || AT < first);
    }
    case "empty":
    case "assertion":
      return true;
    case "concat":
    case "alternate":
    case "group":
    case "repeat":
      return childrenOf(node).every(lacksAt);
    default:
      return false;
  }
}

const AT = 64;

/** Whether it must match a text that is not empty from end to end, and that text can have no `@`: `^sales$`. */
export function isWholeWithoutAt(node: PatternNode): boolean {
  if (node.kind !== "concat") return false;
  const [first, last] = [node.parts[0], node.parts.at(-1)];
  const isWhole =
    first?.kind === "assertion" &&
    first.assertion === "begin-text" &&
    last?.kind === "assertion" &&
    last.assertion === "end-text";
  return isWhole && lacksAt(node) && !node.parts.every((part) => isEmptyAt(part, "begin"));
}

/** Whether it matches in every text, the empty one included. */
export function isInEveryText(node: PatternNode): boolean {
  return isEmptyAt(node, "begin") || isEmptyAt(node, "end");
}

function isNameCharacter(node: PatternNode | undefined): boolean {
  return node?.kind === "literal" && /^[a-z0-9-]$/i.test(String.fromCodePoint(node.codePoint));
}

/** Letters or digits required on either side of a dot for it to be one between labels. */
const LABEL_UNITS = 2;

/** Unescaped dots between two words, which match any character: `example.com`. */
export function bareDots(node: PatternNode): readonly Span[] {
  const below = childrenOf(node).flatMap(bareDots);
  if (node.kind !== "concat") return below;
  const { parts } = node;
  const areNames = (from: number): boolean =>
    Array.from({ length: LABEL_UNITS }, (_, index) => parts[from + index]).every(isNameCharacter);
  const here = parts.flatMap((part, index) => {
    const isBetween = areNames(index - LABEL_UNITS) && areNames(index + 1);
    return part.kind === "any" && isBetween ? [part.span] : [];
  });
  return [...below, ...here].sort((a, b) => a.start - b.start);
}
