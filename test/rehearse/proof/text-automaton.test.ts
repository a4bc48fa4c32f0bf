import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { atOnce } from "../../../src/rehearse/proof/slices.ts";
import {
  type Demand,
  type FoundText,
  findText,
} from "../../../src/rehearse/proof/text/find-text.ts";
import { TextAutomaton } from "../../../src/rehearse/proof/text/text-automaton.ts";
import {
  anchored,
  type CaseChange,
  sourceNode,
  writeProgram,
} from "../../../src/rehearse/proof/text/text-program.ts";
import { text, wholePattern } from "../../engine/pattern/pattern-arbitrary.ts";

interface Searched {
  readonly changes?: readonly CaseChange[];
  readonly suffix?: string;
  readonly whole?: "whole";
}

function automatonOf(source: string, searched: Searched = {}): TextAutomaton {
  const { changes = [], suffix = "", whole } = searched;
  const node = sourceNode(source)!;
  const root = whole === undefined ? node : anchored(node, "both");
  return new TextAutomaton(writeProgram({ key: source, root, changes, suffix })!);
}

function lower(given: string): string {
  return given.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

describe("an automaton agrees with re2js", () => {
  test("on any pattern and text", () => {
    let found = 0;
    fc.assert(
      fc.property(wholePattern, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        const engine = RE2JS.compile(source);
        const automaton = automatonOf(source);
        for (const given of texts.map((each) => each.toWellFormed())) {
          const truth = engine.test(given);
          expect([source, given, automaton.finds(given)]).toEqual([source, given, truth]);
          found += Number(truth);
        }
      }),
      { numRuns: 2_000, seed: 15 },
    );
    expect(found).toBeGreaterThan(400);
  });

  test("with a suffix, with changed letters, and from end to end", () => {
    fc.assert(
      fc.property(wholePattern, text, fc.constantFrom("@a.b", "k"), (source, given, suffix) => {
        const whole = given.toWellFormed();
        const engine = RE2JS.compile(source);
        const agree = (searched: Searched, truth: boolean): void => {
          expect(automatonOf(source, searched).finds(whole)).toBe(truth);
        };
        agree({ suffix }, engine.test(whole + suffix));
        agree({ changes: ["lower"] }, engine.test(lower(whole)));
        agree({ changes: ["upper", "lower"] }, engine.test(lower(whole)));
        agree({ whole: "whole" }, RE2JS.compile(`\\A(?:${source})\\z`).test(whole));
      }),
      { numRuns: 500, seed: 15 },
    );
  });
});

/** Every text of up to `lengthMax` of these characters. */
function textsOf(chars: readonly string[], lengthMax: number): string[] {
  const texts = [""];
  for (let from = 0, length = 0; length < lengthMax; length++) {
    const until = texts.length;
    for (; from < until; from++) texts.push(...chars.map((char) => texts[from]! + char));
  }
  return texts;
}

const SMALL_TEXTS = textsOf([..."abk1 \n_éK"], 4);

function search(demands: readonly Demand[], budget: number): FoundText {
  return atOnce(findText(demands, "abk1 ", { left: budget }));
}

describe("findText", () => {
  test("finds a text that does, and says that there is none only where no small text does", () => {
    const counts = { text: 0, none: 0, unknown: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(wholePattern, fc.boolean()), { minLength: 1, maxLength: 4 }),
        (wanted) => {
          const demands = wanted.map(([source, found]) => ({
            automaton: automatonOf(source),
            found,
          }));
          const engines = wanted.map(([source, found]) => ({
            engine: RE2JS.compile(source),
            found,
          }));
          const does = (given: string): boolean =>
            engines.every(({ engine, found }) => engine.test(given) === found);
          const result = search(demands, 20_000);
          counts[result.kind]++;
          if (result.kind === "none") {
            expect(SMALL_TEXTS.filter(does)).toEqual([]);
          } else if (result.kind === "text") {
            expect(does(result.text)).toBe(true);
          }
        },
      ),
      { numRuns: 300, seed: 15 },
    );
    expect(counts.none).toBeGreaterThan(20);
    expect(counts.text).toBeGreaterThan(50);
  });
});
