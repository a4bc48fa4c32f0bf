import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { LiteralScanner } from "../../../../src/engine/pattern/search/literal-scanner.ts";
import {
  createPlainKernel,
  createSimdKernel,
  type ScanKernel,
} from "../../../../src/engine/pattern/search/scan-kernel.ts";
import type { RequiredLiteral } from "../../../../src/engine/pattern/syntax/required-literals.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { wordText } from "../pattern-arbitrary.ts";
import { placesOf } from "./naive-search.ts";

const TOLD_MAX = LIMITS.literalHitsMax + 1;

const plain = (text: string): RequiredLiteral => ({ text, fold: false });
const folded = (text: string): RequiredLiteral => ({ text, fold: true });

/** The strategies: what the literals alone make of it, and all in one pass by either kernel. */
const KERNELS: readonly (ScanKernel | undefined)[] = [
  undefined,
  createSimdKernel()!,
  createPlainKernel(),
];

/** The host may look for one: others that do not occur make them many. */
const OTHERS: readonly RequiredLiteral[] = ["\u0001\u0002", "\u0001\u0003", "\u0001\u0004"].map(
  plain,
);

/** The places of each literal, in the order in which they were reported; the same by every strategy. */
function scanAll(literals: readonly RequiredLiteral[], text: string): number[][] {
  const all = KERNELS.map((kernel) => {
    const places: number[][] = literals.map(() => []);
    const sought = kernel === undefined ? literals : [...literals, ...OTHERS];
    const onHit = (literal: number, start: number) => places[literal]!.push(start) > 0;
    const scanner = new LiteralScanner(sought, kernel);
    expect(scanner.scan(text, onHit)).toBe(true);
    return places;
  });
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);
  return all[0]!;
}

function searchAll(literals: readonly RequiredLiteral[], text: string): number[][] {
  return literals.map((literal) => placesOf(text, literal, TOLD_MAX));
}

/** Few letters, so that literals overlap, share pieces and stand often. */
const alphabet = fc.constantFrom(
  "ab",
  "abc ",
  "abcdefgh",
  "abkKsSſ\u212a",
  "аАбБщa",
  "eé😀x",
  "a",
  "郵便龍件。",
  "τς Σσİı",
);

const scenario = alphabet.chain((letters) => {
  const piece = (maxLength: number) =>
    fc
      .array(fc.constantFrom(...letters), { minLength: 1, maxLength })
      .map((units) => units.join(""));
  return fc.record({
    literals: fc.array(fc.record({ text: piece(14), fold: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    }),
    pieces: fc.array(piece(30), { maxLength: 8 }),
    times: fc.constantFrom(1, 1, 1, 2, 50),
  });
});

describe("scanning finds what plain searches find", () => {
  test("among few letters", () => {
    let hits = 0;
    fc.assert(
      fc.property(scenario, fc.nat(), ({ literals, pieces, times }, order) => {
        const text = [...pieces, literals[order % literals.length]!.text, ...pieces]
          .join("")
          .repeat(times)
          .toWellFormed();
        const expected = searchAll(literals, text);
        hits += expected.flat().length;
        expect({ literals, text, places: scanAll(literals, text) }).toEqual({
          literals,
          text,
          places: expected,
        });
      }),
      fuzzRuns(4_000),
    );
    expect(hits).toBeGreaterThan(6_000);
  });

  test("among words in unusual cases", () => {
    const literals = ["invoice", "kiss", "σίσυφος", "straße", "ﬅop", "µmeter", "åse", "naïve"];
    fc.assert(
      fc.property(wordText, wordText, fc.nat(9000), (before, after, gap) => {
        const text = `${before}${"-".repeat(gap)}${after}`;
        const sought = literals.flatMap((literal) => [plain(literal), folded(literal)]);
        expect(scanAll(sought, text)).toEqual(searchAll(sought, text));
      }),
      fuzzRuns(1_500),
    );
  });

  test("wherever in chunks and their edges a literal stands, among ASCII and others", () => {
    const literals = ["z", "yz", "xyz", "needle", "a needle in hay"].map(folded);
    for (const filling of [".", "é", "я", "😀"]) {
      for (let before = 4080; before < 4112; before++) {
        const text = `${filling.repeat(before)}a Needle in haYz${filling.repeat(300)}xyz`;
        expect(scanAll(literals, text)).toEqual(searchAll(literals, text));
      }
    }
  });

  test("of five hundred literals at once", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const literals = Array.from({ length: 500 }, (_, nth) =>
      folded(`${letters.slice(nth % 20, (nth % 20) + 6)}${nth}-${letters.slice(0, 3 + (nth % 9))}`),
    );
    const text = literals.map(({ text: literal }, nth) => `${literal} `.repeat(1 + (nth % 3)));
    expect(scanAll(literals, text.join("-"))).toEqual(searchAll(literals, text.join("-")));
  });

  test("of two thousand literals with one beginning", () => {
    const literals = Array.from({ length: 2000 }, (_, nth) => folded(`unsubscribe-${nth}`));
    const text = "Unsubscribe-7 UNSUBSCRIBE-1999 unsubſcribe-42 unsubscribe- unsubscribe";
    expect(scanAll(literals, text)).toEqual(searchAll(literals, text));
  });
});

test("no letters are folded that simple folding keeps apart", () => {
  const places = scanAll(
    [folded("istanbul"), folded("strasse"), folded("ﬅop")],
    "İstanbul ıstanbul straße stop",
  );
  expect(places).toEqual([[], [], []]);
  expect(scanAll([folded("kiss")], "\u212ai\u017f\u017f Kiss")).toEqual([[0, 5]]);
  expect(scanAll([plain("kiss")], "\u212ai\u017f\u017f Kiss kiss")).toEqual([[10]]);
});

test("a literal longer than what is sought is told of where its first units stand", () => {
  const head = "x".repeat(LIMITS.literalUnitsMax - 1);
  expect(scanAll([plain(`${head}yz`)], `-${head}y`)).toEqual([[1]]);
  expect(scanAll([plain(`${head}yz`)], `-${head}z`)).toEqual([[]]);
});

test("nothing is found in an empty text, nor by no literals", () => {
  expect(scanAll([plain("a"), plain("abcdefgh")], "")).toEqual([[], []]);
  expect(scanAll([], "text")).toEqual([]);
});

test("a scan ends where its cost is not paid", () => {
  const literals = ["aaaa", "aaaaa", "aaaaaa"].map(plain);
  const paid: number[] = [];
  const scanner = new LiteralScanner(literals);
  const text = "a".repeat(100_000);
  expect(
    scanner.scan(
      text,
      () => true,
      1_000_000,
      (fuel) => paid.push(fuel) < 3,
    ),
  ).toBe(false);
  expect(paid).toHaveLength(3);
  expect(
    scanner.scan(
      `${text}b`,
      () => true,
      10,
      () => true,
    ),
  ).toBe(true);
});

test.each([
  ["one", "針の針 ", [plain("針の針")]],
  ["many", "needle ", [plain("needle"), folded("needles"), ...OTHERS]],
])("%s are told of at as many places as asked for, in each scan anew", (_, word, literals) => {
  const scanner = new LiteralScanner(literals);
  const text = word.repeat(100);
  const count = (placesMax?: number): number => {
    let told = 0;
    const onHit = () => ++told > 0;
    scanner.scan(text, onHit, placesMax);
    return told;
  };
  expect([count(3), count(), count(90), count(1_000), count(3)]).toEqual([4, TOLD_MAX, 91, 100, 4]);
});

test.each([
  ["one", "針の針 ", [plain("針の針")]],
  ["many", "needle ", [plain("needle"), folded("needles"), ...OTHERS]],
])("a search for %s ends where it is told to, and the next one is whole", (_, word, literals) => {
  const scanner = new LiteralScanner(literals);
  const text = word.repeat(2_000);
  let told = 0;
  expect(scanner.scan(text, () => ++told < 3, 1_000)).toBe(false);
  expect(told).toBe(3);
  expect(scanner.scan(text, () => ++told > 0, 1_000)).toBe(true);
  expect(told).toBe(3 + 1_001);
});

test("a literal across two pieces of a text is found once", () => {
  const literals = [plain("across the border"), folded("BORDER"), plain("er"), plain("字の境")];
  const ends = [1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536, 126_976];
  const sought = [...literals, ...OTHERS];
  for (const kernel of [createSimdKernel()!, createPlainKernel()]) {
    const scanner = new LiteralScanner(sought, kernel);
    for (const end of ends) {
      for (const { text } of literals) {
        for (let start = end - text.length - 1; start <= end + 1; start++) {
          const whole = `${".".repeat(start)}${text}${".".repeat(ends.at(-1)! + 100 - start)}`;
          const places: number[][] = sought.map(() => []);
          const onHit = (literal: number, at: number) => places[literal]!.push(at) > 0;
          scanner.scan(whole, onHit);
          expect(places).toEqual(searchAll(sought, whole));
        }
      }
    }
  }
});

describe("stuffed texts", () => {
  const million = 1_000_000;
  test.each([
    ["one letter", ["a".repeat(8), "a".repeat(9), "a".repeat(31), `${"a".repeat(30)}b`], "a"],
    ["a literal", ["viagra now", "now viagra"], "viagra now"],
    ["all but its last unit", ["viagra nowhere", "xviagra nowher"], "viagra nowher"],
    ["letters that others fold with", ["kissing kissing", "sssssssss"], "ſ"],
  ])("of %s are read once", (_, literals, stuffing) => {
    const text = stuffing.repeat(million / stuffing.length);
    const sought = literals.flatMap((literal) => [plain(literal), folded(literal)]);
    expect(scanAll(sought, text)).toEqual(searchAll(sought, text));
  });

  test("are read once by thousands of literals that nearly stand everywhere", () => {
    const literals = Array.from({ length: 2000 }, (_, nth) =>
      folded(`${"ab".repeat(4 + (nth % 10))}${nth}`),
    );
    const text = `${"ab".repeat(million / 2)}1999`;
    // All end in digits, and only the text's end has any.
    const tail = text.slice(-40);
    const expected = searchAll(literals, tail).map((places) =>
      places.map((place) => place + text.length - tail.length),
    );
    expect(expected.flat().length).toBeGreaterThan(3);
    expect(scanAll(literals, text)).toEqual(expected);
  });

  test("tell of literals within one another a bounded number of times", () => {
    const literals = Array.from({ length: 24 }, (_, nth) => plain("a".repeat(nth + 1)));
    const places = scanAll(literals, "a".repeat(million));
    expect(new Set(places.map(({ length }) => length))).toEqual(new Set([TOLD_MAX]));
  });
});
