import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { caseFolds } from "../../../../src/engine/pattern/syntax/case-orbits.ts";

const folds = caseFolds();

const orbits = new Map<number, number[]>();
for (const [unit, root] of folds.entries()) {
  if ((unit & 0xf800) === 0xd800) continue;
  const orbit = orbits.get(root) ?? [];
  orbit.push(unit);
  orbits.set(root, orbit);
}
const cased = [...orbits.values()].filter((orbit) => orbit.length > 1);
const caseless = [...orbits.values()].filter((orbit) => orbit.length === 1).map(([unit]) => unit!);

const classOf = (units: readonly number[]): string =>
  units.map((unit) => `\\x{${unit.toString(16)}}`).join("");

test("units of an orbit are taken for one another under (?i), and no other cased unit is", () => {
  expect(cased.length).toBeGreaterThan(1100);
  const text = String.fromCharCode(...cased.flat());
  for (const orbit of cased) {
    const matcher = RE2JS.compile(`(?i)\\x{${orbit[0]!.toString(16)}}`).matcher(text);
    const found: number[] = [];
    while (matcher.find()) found.push(matcher.group(0)!.charCodeAt(0));
    expect(found.sort((a, b) => a - b)).toEqual(orbit);
  }
});

test("units without an orbit fold with nothing", () => {
  expect(caseless.length).toBeGreaterThan(60_000);
  const others = String.fromCharCode(...cased.flat());
  expect(RE2JS.compile(`(?i)[${classOf(caseless)}]`).test(others)).toBe(false);
  // Any two differ in some bit, so that one is in the class and the other in the text.
  for (let bit = 1; bit < 0x10000; bit <<= 1) {
    const inClass = caseless.filter((unit) => (unit & bit) !== 0);
    const text = String.fromCharCode(...caseless.filter((unit) => (unit & bit) === 0));
    expect(RE2JS.compile(`(?i)[${classOf(inClass)}]`).test(text)).toBe(false);
  }
});

describe("the traps", () => {
  test.each([
    ["sSſ", 1],
    ["kK\u212a", 1],
    ["åÅ\u212b", 1],
    ["ωΩ\u2126", 1],
    ["σςΣ", 1],
    ["µμΜ", 1],
    ["ßẞ", 1],
    ["ﬅﬆ", 1],
    ["ǆǅǄ", 1],
    ["ΐΐ", 1],
    ["iI", 1],
    ["iİı", 3],
    ["ﬁf", 2],
    ["ΑαᾼᾳA", 3],
  ])("%s: %d orbits", (letters, count) => {
    expect(new Set([...letters].map((letter) => folds[letter.charCodeAt(0)])).size).toBe(count);
  });

  test("small letters of ASCII stand for their orbits", () => {
    for (const letter of "abcdefghijklmnopqrstuvwxyz") {
      expect(folds[letter.charCodeAt(0)]).toBe(letter.charCodeAt(0));
    }
  });
});
