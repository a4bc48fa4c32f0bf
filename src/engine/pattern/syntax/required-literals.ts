/** Texts without which a pattern cannot match: a plan looks for the pattern only where one of them occurs. */
import { LIMITS } from "../../../base/limits.ts";
import { caseFolds } from "./case-orbits.ts";
import { measurePattern, type PatternCost, unitsTimes } from "./cost.ts";
import { literalBits } from "./literal-rarity.ts";
import { bare, type PatternNode, type PatternTree } from "./pattern-tree.ts";

/** A text that occurs in every match; `fold`: in any case, by the orbits of simple case folding. */
export interface RequiredLiteral {
  readonly text: string;
  readonly fold: boolean;
}

/** A key that is the same for literals that are found in the same places. */
export function literalKey({ fold, text }: RequiredLiteral): string {
  return fold ? `i${text}` : `c${text}`;
}

/** Every text that the pattern matches contains at least one of `literals`. */
export interface RequiredLiterals {
  readonly literals: readonly RequiredLiteral[];
  /** Code units of a match before the literal, at most; `Infinity` if they have no bound. */
  readonly unitsBefore: number;
  /** Code units of the longest match; `Infinity` if it has no bound. */
  readonly unitsMax: number;
  /** Whether a match can contain a line feed. */
  readonly crossesLines: boolean;
}

type Literals = readonly RequiredLiteral[];

/** Literals of which every match contains one. */
interface Required {
  readonly literals: Literals;
  /** Code units of a match before it, at most. */
  readonly unitsBefore: number;
  /** How well they tell a match from other text. */
  readonly score: number;
}

/** What is known about a part of a pattern. */
interface KnownLiterals {
  /** Code units of its longest match. */
  readonly units: number;
  /** All texts that it matches, each as it is or, if folded, in any case; undefined if these are too many. */
  readonly exact: Literals | undefined;
  /** The rarest literals that were found besides these. */
  readonly required?: Required | undefined;
}

/** An end without a bound. */
const MORE: KnownLiterals = { units: Number.POSITIVE_INFINITY, exact: undefined };
const EMPTY: Literals = [{ text: "", fold: false }];

/** Beyond the basic plane, letters with a case lie below this code point; newer Unicode adds more of them. */
const CASELESS_FROM = 0x1f000;

/** Members of a class that are read one by one; a larger class counts as unknown. */
const CLASS_MEMBERS_MAX = 5;

/** How rare the commonest of `literals` is, less the more there are; 0 if a text is too short to be useful. */
function scoreOf(literals: Literals): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { text } of literals) {
    if (text.length < LIMITS.literalUnitsMin) return 0;
    least = Math.min(least, literalBits(text));
  }
  return least - Math.log2(literals.length);
}

function better(one: Required | undefined, other: Required | undefined): Required | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.score > one.score ? other : one;
}

function requiredOf(literals: Literals, unitsBefore: number): Required {
  return { literals, unitsBefore, score: scoreOf(literals) };
}

function rarest({ exact, required }: KnownLiterals): Required | undefined {
  return better(exact && requiredOf(exact, 0), required);
}

/** Replaces every unit by the one that represents its orbit. */
export function foldText(text: string): string {
  const folds = caseFolds();
  let folded = "";
  for (let at = 0; at < text.length; at++)
    folded += String.fromCharCode(folds[text.charCodeAt(at)]!);
  return folded;
}

/** The literals of all sets, without duplicates; undefined if a set is not known, or if there are too many. */
function union(sets: readonly (Literals | undefined)[]): Literals | undefined {
  const kept = new Map<string, RequiredLiteral>();
  for (const set of sets) {
    for (const literal of set ?? []) kept.set(literalKey(literal), literal);
    if (set === undefined || kept.size > LIMITS.requiredLiteralsMax) return undefined;
  }
  return [...kept.values()];
}

const joinLiterals = (head: RequiredLiteral, tail: RequiredLiteral): RequiredLiteral => ({
  text: head.text + tail.text,
  fold: head.fold || tail.fold,
});

/**
 * Literals that may still be joined in one pattern. Without a bound, 1,000 units of `[ab]{7}.` took 13 ms; joining one takes 0.4 µs.
 * Then what a pattern's literals take depends on its length, by which a domain pays for it.
 */
interface Joins {
  left: number;
}

const JOINS_MIN = 64;
const JOINS_PER_UNIT = 4;

/** Each of `heads` followed by each of `tails`; undefined if that is too many, or too long. */
function product(heads: Literals, tails: Literals, joins: Joins): Literals | undefined {
  const count = heads.length * tails.length;
  const isOne = count === 1;
  if (count > LIMITS.requiredLiteralsMax || (!isOne && count > joins.left)) return undefined;
  if (!isOne) joins.left -= count;
  const joined = isOne ? [joinLiterals(heads[0]!, tails[0]!)] : [];
  if (!isOne) {
    for (const head of heads) for (const tail of tails) joined.push(joinLiterals(head, tail));
  }
  if (joined.some(({ text }) => text.length > LIMITS.literalUnitsMax)) return undefined;
  return isOne ? joined : union([joined]);
}

/** The literals of one code point, in any case if `fold`; undefined if its other cases are not known. */
function readCharacter(codePoint: number, fold: boolean): Literals | undefined {
  const isNear = codePoint <= 0xffff;
  if (fold && isNear) return [{ text: String.fromCharCode(caseFolds()[codePoint]!), fold }];
  if (fold && codePoint < CASELESS_FROM) return undefined;
  return [{ text: String.fromCodePoint(codePoint), fold: false }];
}

/** A class of few members. If all fold alike, as in `[Kk]`, it is one folded literal. */
function readClass(node: PatternNode & { readonly kind: "class" }): Literals | undefined {
  if (node.negated || node.unicode.length > 0) return undefined;
  const members: number[] = [];
  for (const [first, last] of node.ranges) {
    if (members.length + last - first >= CLASS_MEMBERS_MAX) return undefined;
    for (let member = first; member <= last; member++) members.push(member);
  }
  const alike = new Set(members.map((member) => caseFolds()[member] ?? member));
  const fold = node.fold || (alike.size === 1 && members.length > 1);
  return union(members.map((member) => readCharacter(member, fold)));
}

/** What a sequence of parts matches; each run of parts that are known exactly is one candidate. */
function readSequence(
  count: number,
  partAt: (nth: number) => KnownLiterals,
  joins: Joins,
): KnownLiterals {
  let run = EMPTY;
  let isWhole = true;
  let best: Required | undefined;
  // Code units before the run, and before the next part, at most.
  let runFrom = 0;
  let units = 0;
  for (let nth = 0; nth < count; nth++) {
    const part = partAt(nth);
    const before = units;
    units += part.units;
    const joined = part.exact && product(run, part.exact, joins);
    if (joined !== undefined) {
      run = joined;
      continue;
    }
    isWhole = false;
    const required = rarest(part);
    best = better(best, requiredOf(run, runFrom));
    if (required !== undefined) {
      best = better(best, { ...required, unitsBefore: before + required.unitsBefore });
    }
    // The next parts may continue the run of this one.
    run = part.exact ?? EMPTY;
    runFrom = part.exact === undefined ? units : before;
  }
  if (isWhole) return { units, exact: run };
  return { units, exact: undefined, required: better(best, requiredOf(run, runFrom)) };
}

function readRepeat(node: PatternNode & { readonly kind: "repeat" }, joins: Joins): KnownLiterals {
  const body = readNode(node.body, joins);
  const units = unitsTimes(body.units, node.max);
  if (node.max === 0) return { units, exact: EMPTY };
  if (node.min === 0) {
    return { units, exact: node.max > 1 ? undefined : union([body.exact, EMPTY]) };
  }
  // After so many, a run is as long as a literal may be, unless the body is empty.
  const times = Math.min(node.min, LIMITS.literalUnitsMax);
  const count = node.max > times ? times + 1 : times;
  return { ...readSequence(count, (nth) => (nth < times ? body : MORE), joins), units };
}

function readAlternate(branches: readonly PatternNode[], joins: Joins): KnownLiterals {
  const read = branches.map((branch) => readNode(branch, joins));
  const units = Math.max(...read.map((branch) => branch.units));
  const exact = union(read.map((branch) => branch.exact));
  const requireds = read.map(rarest);
  const literals = union(requireds.map((required) => required?.literals));
  if (literals === undefined) return { units, exact };
  const unitsBefore = Math.max(...requireds.map((required) => required!.unitsBefore));
  return { units, exact, required: requiredOf(literals, unitsBefore) };
}

function readNode(node: PatternNode, joins: Joins): KnownLiterals {
  switch (node.kind) {
    case "empty":
    case "assertion":
      return { units: 0, exact: EMPTY };
    case "literal": {
      const { codePoint, fold } = node;
      return { units: codePoint > 0xffff ? 2 : 1, exact: readCharacter(codePoint, fold) };
    }
    case "class":
      return { units: 2, exact: readClass(node) };
    case "any":
      return { units: 2, exact: undefined };
    case "group":
      return readNode(node.body, joins);
    case "repeat":
      return readRepeat(node, joins);
    case "alternate":
      return readAlternate(node.branches, joins);
    case "concat": {
      const { parts } = node;
      return readSequence(parts.length, (nth) => readNode(parts[nth]!, joins), joins);
    }
  }
}

function joinsOf({ source }: PatternTree): Joins {
  return { left: JOINS_MIN + JOINS_PER_UNIT * source.length };
}

/** Writes a folded literal in the units that represent its orbits. */
function settle({ text, fold }: RequiredLiteral): RequiredLiteral {
  return { text: fold ? foldText(text) : text, fold };
}

/** Whether `one` occurs wherever `other` does. */
function covers(one: RequiredLiteral, other: RequiredLiteral): boolean {
  if (one.fold) return (other.fold ? other.text : foldText(other.text)).includes(one.text);
  return !other.fold && other.text.includes(one.text);
}

/** The literals that no other one covers. */
function withoutCovered(literals: Literals): Literals {
  return literals.filter(
    (literal, at) =>
      !literals.some((other, nth) => {
        if (nth === at || !covers(other, literal)) return false;
        return nth < at || !covers(literal, other);
      }),
  );
}

/**
 * The rarest literals of which every match of the pattern contains at least one, in no order; `null` if none are
 * known, or if one is too short to be worth looking for. `tree` is within the caps on patterns; `cost`: its own, if known.
 */
export function requiredLiterals(tree: PatternTree, cost?: PatternCost): RequiredLiterals | null {
  const required = rarest(readNode(tree.root, joinsOf(tree)));
  if (required === undefined || required.score <= 0) return null;
  const { unitsMax, crossesLines } = cost ?? measurePattern(tree.root);
  const literals = withoutCovered(required.literals.map(settle));
  // A literal that covers another may occur anywhere in it.
  const unitsBefore = required.unitsBefore + LIMITS.literalUnitsMax;
  return { literals, unitsBefore, unitsMax, crossesLines };
}

/** Whether every match starts at the start of the text. */
export function startsAtText({ root }: PatternTree): boolean {
  const node = bare(root);
  const first = node.kind === "concat" ? node.parts[0] : node;
  return first?.kind === "assertion" && first.assertion === "begin-text";
}

/**
 * For a pattern whose matches start where the text does: literals of which every match starts with one, in no order;
 * `null` if they are not known, or one is too short to be useful. `tree` is within the caps on patterns.
 */
export function startLiterals(tree: PatternTree): readonly RequiredLiteral[] | null {
  const node = bare(tree.root);
  if (!startsAtText(tree) || node.kind !== "concat") return null;
  const joins = joinsOf(tree);
  let starts = EMPTY;
  for (const part of node.parts) {
    const { exact } = readNode(part, joins);
    const joined = exact && product(starts, exact, joins);
    if (joined === undefined) break;
    starts = joined;
  }
  const isTelling = starts.every(({ text }) => text.length >= LIMITS.literalUnitsMin);
  return isTelling ? starts.map(settle) : null;
}
