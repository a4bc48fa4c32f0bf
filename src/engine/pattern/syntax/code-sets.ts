/** What one character of a pattern matches, as ranges of code points. */
import { RE2JS } from "re2js";
import { caseOrbits, orbitOf } from "./case-orbits.ts";
import { CODE_POINT_MAX, type CodeRange, complement } from "./class-tables.ts";
import type { PatternNode } from "./pattern-tree.ts";

const NEWLINE: readonly CodeRange[] = [[10, 10]];

/** The range of letters with a case beyond the basic plane; newer Unicode adds more of them. */
const FAR_CASED: CodeRange = [0x10000, 0x1efff];

function merge(ranges: readonly CodeRange[]): CodeRange[] {
  return complement(complement(ranges));
}

/** Answers of the engine, by the source of the class. */
const asked = new Map<string, readonly CodeRange[]>();
const ASKED_MAX = 256;

/** A mark besides the class, so that its program is one instruction with ranges, whatever the class contains. */
const MARK = 1;

/**
 * The ranges of a class as the default engine has them: its tables decide on names of Unicode, and on what folds
 * beyond the basic plane. `source` is a class, or one character.
 */
function askEngine(source: string, fold: boolean): readonly CodeRange[] {
  const key = `${fold ? "(?i)" : ""}(?:\\x{${MARK.toString(16)}}|${source})`;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const ranges: CodeRange[] = [];
  const program = RE2JS.compile(key).re2().prog as {
    readonly inst: readonly { readonly runes?: ArrayLike<number> }[];
  };
  for (const { runes } of program.inst) {
    for (let at = 0; runes !== undefined && at < runes.length; at += 2) {
      ranges.push([runes[at]!, runes[at + 1] ?? runes[at]!]);
    }
  }
  const hasMark = RE2JS.compile(`${fold ? "(?i)" : ""}${source}`).test(String.fromCharCode(MARK));
  const held = hasMark ? merge(ranges) : complement([...complement(ranges), [MARK, MARK]]);
  if (asked.size >= ASKED_MAX) asked.clear();
  asked.set(key, held);
  return held;
}

/** Adds the code points that fold with members; undefined if only the engine knows them. */
function foldRanges(ranges: readonly CodeRange[]): CodeRange[] | undefined {
  const [farFirst, farLast] = FAR_CASED;
  for (const [first, last] of ranges) {
    const apart = last < farFirst || first > farLast;
    if (!apart && (first > farFirst || last < farLast)) return undefined;
  }
  const holds = (unit: number) => ranges.some(([first, last]) => first <= unit && unit <= last);
  const added: CodeRange[] = [];
  for (const orbit of caseOrbits().values()) {
    const held = orbit.filter(holds).length;
    if (held === 0 || held === orbit.length) continue;
    // `\W` and the like are complements of folded sets, not folded complements.
    if (ranges.some(([, last]) => last === CODE_POINT_MAX)) return undefined;
    for (const unit of orbit) added.push([unit, unit]);
  }
  return merge([...ranges, ...added]);
}

function classRanges(
  node: PatternNode & { readonly kind: "class" },
  source: string,
): readonly CodeRange[] {
  if (node.unicode.length === 0) {
    const listed = merge(node.ranges);
    const folded = node.fold ? foldRanges(listed) : listed;
    if (folded !== undefined) return node.negated ? complement(folded) : folded;
  }
  return askEngine(source.slice(node.span.start, node.span.end), node.fold);
}

function literalRanges(codePoint: number, fold: boolean): readonly CodeRange[] {
  if (!fold) return [[codePoint, codePoint]];
  if (codePoint <= 0xffff) return orbitOf(codePoint).map((unit): CodeRange => [unit, unit]);
  const isCased = codePoint >= FAR_CASED[0] && codePoint <= FAR_CASED[1];
  return isCased ? askEngine(`\\x{${codePoint.toString(16)}}`, true) : [[codePoint, codePoint]];
}

/** The ranges of a literal, a class or `.`, in a pattern with this source. */
export function rangesOf(node: PatternNode, source: string): readonly CodeRange[] {
  switch (node.kind) {
    case "literal":
      return literalRanges(node.codePoint, node.fold);
    case "any":
      return node.newline === "included" ? [[0, CODE_POINT_MAX]] : complement(NEWLINE);
    case "class":
      return classRanges(node, source);
    default:
      return [];
  }
}
