/** Inclusions of patterns, decided by the automata of the proofs and by z3, which shares no code with them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { init as Init, Z3HighLevel, Z3LowLevel } from "z3-solver";
import type { PatternNode } from "../../../src/engine/pattern/syntax/pattern-tree.ts";
import { atOnce } from "../../../src/rehearse/proof/slices.ts";
import { findText } from "../../../src/rehearse/proof/text/find-text.ts";
import { TextAutomaton } from "../../../src/rehearse/proof/text/text-automaton.ts";
import { sourceNode, writeProgram } from "../../../src/rehearse/proof/text/text-program.ts";
import { pick, randomFrom } from "./random-domain.ts";

/** Pairs that are asked about; more by `Z3_PAIRS=200`. */
const PAIRS = Number(process.env.Z3_PAIRS ?? 8);

const PATTERNS = [
  "order",
  "reorder",
  "^order",
  "order$",
  "^order$",
  "order \\d+",
  "order \\d{3,5}",
  "order \\d{4}",
  "(?:order|invoice) \\d",
  "(?:order|invoice)s?",
  "invoice",
  "^.*invoice.*$",
  "^re: (?:order|invoice)",
  "[a-z]+@shop\\.example$",
  "^[^@]+@shop\\.example$",
  "@(?:[a-z0-9-]+\\.)*shop\\.example$",
  "@mail\\.shop\\.example$",
  "a.{3}[cd]",
  "a.{2}",
  "^\\[ticket-\\d+\\]",
  "\\[ticket-[0-9]+\\]",
  "^(?:no-?reply|bounce)@",
];

const code = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;
const range = ([first, last]: readonly [number, number]): string =>
  `(re.range "${code(first)}" "${code(last)}")`;
const joined = (operator: string, empty: string, parts: readonly string[]): string =>
  parts.length === 0 ? empty : parts.length === 1 ? parts[0]! : `(${operator} ${parts.join(" ")})`;

const NOTHING = '(str.to_re "")';

/** A pattern without assertions within it as a regular expression of SMT-LIB. */
function smt(node: PatternNode): string {
  switch (node.kind) {
    case "empty":
      return NOTHING;
    case "literal":
      return `(str.to_re "${code(node.codePoint)}")`;
    case "any":
      return `(re.diff re.allchar (str.to_re "${code(10)}"))`;
    case "class": {
      const inside = joined("re.union", "re.none", node.ranges.map(range));
      return node.negated ? `(re.diff re.allchar ${inside})` : inside;
    }
    case "concat":
      return joined("re.++", NOTHING, node.parts.map(smt));
    case "alternate":
      return joined("re.union", "re.none", node.branches.map(smt));
    case "group":
      return smt(node.body);
    case "repeat": {
      const body = smt(node.body);
      if (Number.isFinite(node.max)) return `((_ re.loop ${node.min} ${node.max}) ${body})`;
      return `(re.++ ((_ re.^ ${node.min}) ${body}) (re.* ${body}))`;
    }
    default:
      throw new TypeError(`no ${node.kind} in a pattern of this test`);
  }
}

/** All texts in which the pattern is found: what stands before and behind it is free unless it is anchored. */
function searched(source: string): string {
  const root = sourceNode(source)!;
  const parts = root.kind === "concat" ? root.parts : [root];
  const isAt = (node: PatternNode | undefined, edge: string): boolean =>
    node?.kind === "assertion" && node.assertion === edge;
  const begins = isAt(parts[0], "begin-text");
  const ends = isAt(parts.at(-1), "end-text");
  const inner = parts.slice(begins ? 1 : 0, ends ? -1 : undefined).map(smt);
  const all = [...(begins ? [] : ["re.all"]), ...inner, ...(ends ? [] : ["re.all"])];
  return joined("re.++", NOTHING, all);
}

function automatonOf(source: string): TextAutomaton {
  const program = writeProgram({ key: source, root: sourceNode(source)!, changes: [], suffix: "" });
  return new TextAutomaton(program!);
}

let z3: Z3HighLevel & Z3LowLevel;
beforeAll(async () => {
  const { init } = (await import("z3-solver")) as { init: typeof Init };
  z3 = await init();
});
afterAll(() => z3.em.PThread.terminateAllThreads());

test(`${PAIRS} pairs of patterns: both say of each whether one includes the other`, async () => {
  const random = randomFrom(15);
  const { Solver } = z3.Context("main");
  let included = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const [narrow, wide] = [pick(random, PATTERNS), pick(random, PATTERNS)];
    const demands = [
      { automaton: automatonOf(narrow), found: true },
      { automaton: automatonOf(wide), found: false },
    ];
    const found = atOnce(findText(demands, "", { left: 60_000 }));
    const solver = new Solver();
    solver.fromString(
      `(declare-const x String)(assert (str.in_re x ${searched(narrow)}))(assert (not (str.in_re x ${searched(wide)})))`,
    );
    const truth = await solver.check();
    expect([narrow, wide, found.kind === "none"]).toEqual([narrow, wide, truth === "unsat"]);
    included += Number(truth === "unsat");
  }
  expect(included).toBeGreaterThan(0);
  expect(included).toBeLessThan(PAIRS);
}, 180_000);
