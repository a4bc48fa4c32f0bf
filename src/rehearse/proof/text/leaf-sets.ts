/** The characters that one leaf of a pattern matches: exact if known, otherwise between two bounds. */
import { caseFolds } from "../../../engine/pattern/syntax/case-orbits.ts";
import { CODE_POINT_MAX, type CodeRange } from "../../../engine/pattern/syntax/class-tables.ts";
import type { PatternNode, UnicodeClass } from "../../../engine/pattern/syntax/pattern-tree.ts";
import {
  ANY_CHAR,
  type CharSet,
  charSet,
  hasChar,
  intersectChars,
  NO_CHAR,
  otherChars,
  uniteChars,
  withoutChars,
} from "./char-set.ts";

/** `least`: surely matched; characters outside `most`: surely not matched. */
export interface LeafSets {
  readonly least: CharSet;
  readonly most: CharSet;
}

export type Leaf = Extract<PatternNode, { readonly kind: "literal" | "class" | "any" }>;

/** The range with all letters beyond the basic plane that have a case; engines of different age know different ones. */
const FAR_CASED: CharSet = [[0x10000, 0x1efff]];
/** No version of Unicode has changed the category or script of a character up to here. */
const STABLE_LAST = 0x24f;
const STABLE: CharSet = [[0, STABLE_LAST]];

function exact(set: CharSet): LeafSets {
  return { least: set, most: set };
}

function outside({ least, most }: LeafSets): LeafSets {
  return { least: otherChars(most), most: otherChars(least) };
}

function unite(a: LeafSets, b: LeafSets): LeafSets {
  return { least: uniteChars(a.least, b.least), most: uniteChars(a.most, b.most) };
}

function meets(a: CharSet, b: CharSet): boolean {
  return intersectChars(a, b).length > 0;
}

let orbits: ReadonlyMap<number, CharSet> | undefined;

/** Groups of two or more characters of the basic plane that `(?i)` treats as equal, by their representative. */
function caseOrbits(): ReadonlyMap<number, CharSet> {
  if (orbits !== undefined) return orbits;
  const folds = caseFolds();
  const byRoot = new Map<number, CodeRange[]>();
  for (let unit = 0; unit < folds.length; unit++) {
    const root = folds[unit]!;
    if (root === unit) continue;
    const members = byRoot.get(root);
    if (members === undefined)
      byRoot.set(root, [
        [root, root],
        [unit, unit],
      ]);
    else members.push([unit, unit]);
  }
  orbits = new Map([...byRoot].map(([root, members]) => [root, charSet(members)]));
  return orbits;
}

/** A class with both cases of its members. The engine folds complements (`\W`) in an order of its own. */
function folded(listed: CharSet): LeafSets {
  const mixed = [...caseOrbits().values()].filter(
    (orbit) => meets(orbit, listed) && withoutChars(orbit, listed).length > 0,
  );
  const touched = uniteChars(...mixed);
  const isComplement = listed.some(([, last]) => last === CODE_POINT_MAX);
  const far = meets(listed, FAR_CASED) && withoutChars(FAR_CASED, listed).length > 0;
  const unsure = far ? FAR_CASED : NO_CHAR;
  const most = uniteChars(listed, touched, unsure);
  if (isComplement) return { least: withoutChars(listed, uniteChars(touched, unsure)), most };
  return { least: uniteChars(listed, touched), most };
}

const stableClasses = new Map<string, CharSet | null>();

/** The members of a Unicode class that no version changes, from the host's tables; `null` if the host lacks the class. */
function stableMembers(name: string): CharSet | null {
  const known = stableClasses.get(name);
  if (known !== undefined) return known;
  const build = (): CharSet | null => {
    for (const property of [name, `Script=${name}`]) {
      try {
        const expression = new RegExp(`^\\p{${property}}$`, "u");
        const chars: CodeRange[] = [];
        for (let char = 0; char <= STABLE_LAST; char++) {
          if (expression.test(String.fromCodePoint(char))) chars.push([char, char]);
        }
        return charSet(chars);
      } catch {
        // The host does not know this name.
      }
    }
    return null;
  };
  const members = build();
  stableClasses.set(name, members);
  return members;
}

function ofUnicode({ name, polarity }: UnicodeClass): LeafSets {
  if (name === "Any") return exact(polarity === "included" ? ANY_CHAR : NO_CHAR);
  const members = stableMembers(name);
  if (members === null) return { least: NO_CHAR, most: ANY_CHAR };
  const included = { least: members, most: uniteChars(members, withoutChars(ANY_CHAR, STABLE)) };
  return polarity === "included" ? included : outside(included);
}

function ofLiteral(codePoint: number, fold: boolean): LeafSets {
  const own = charSet([[codePoint, codePoint]]);
  if (!fold) return exact(own);
  if (hasChar(FAR_CASED, codePoint)) return { least: own, most: uniteChars(own, FAR_CASED) };
  if (codePoint > 0xffff) return exact(own);
  return exact(caseOrbits().get(caseFolds()[codePoint]!) ?? own);
}

function ofClass(node: Extract<Leaf, { readonly kind: "class" }>): LeafSets {
  const listed = charSet(node.ranges);
  if (node.fold && node.unicode.length > 0) return { least: NO_CHAR, most: ANY_CHAR };
  const plain = node.fold ? folded(listed) : exact(listed);
  const all = node.unicode.map(ofUnicode).reduce(unite, plain);
  return node.negated ? outside(all) : all;
}

const known = new WeakMap<Leaf, LeafSets>();

export function leafSets(node: Leaf): LeafSets {
  const earlier = known.get(node);
  if (earlier !== undefined) return earlier;
  const sets =
    node.kind === "literal"
      ? ofLiteral(node.codePoint, node.fold)
      : node.kind === "class"
        ? ofClass(node)
        : exact(node.newline === "included" ? ANY_CHAR : withoutChars(ANY_CHAR, [[10, 10]]));
  known.set(node, sets);
  return sets;
}
