/** Classes of code points, against the sets that they were split by. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CODE_POINT_MAX,
  type CodeRange,
  complement,
  mergeRanges,
} from "../../../../src/engine/pattern/syntax/class-tables.ts";
import { classAt, splitCodes } from "../../../../src/engine/pattern/syntax/code-classes.ts";

const codePoint = fc.oneof(
  fc.nat(0x180),
  fc.nat(CODE_POINT_MAX),
  fc.constantFrom(0xff, 0x100, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000),
);
const rangesArb: fc.Arbitrary<readonly CodeRange[]> = fc
  .array(fc.tuple(codePoint, fc.oneof(fc.constant(0), fc.nat(0x300), fc.nat(CODE_POINT_MAX))), {
    maxLength: 6,
  })
  .map((pairs) => {
    const ranges = pairs.map(
      ([first, more]): CodeRange => [first, Math.min(CODE_POINT_MAX, first + more)],
    );
    return mergeRanges(ranges);
  });
/** Few characters, or all but a few. */
const setArb = fc.tuple(rangesArb, fc.boolean()).map(([ranges, negated]) => {
  const given = negated ? complement(ranges) : ranges;
  return given as readonly CodeRange[];
});

const holds = (ranges: readonly CodeRange[], code: number): boolean =>
  ranges.some(([first, last]) => first <= code && code <= last);
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

test("characters share a class if no set tells them apart, and a class knows its sets", () => {
  fc.assert(
    fc.property(fc.array(setArb, { maxLength: 8 }), (sets) => {
      const classes = splitCodes(sets);
      const edges = sets.flat().flatMap(([first, last]) => [first, last, first - 1, last + 1]);
      const codes = [0, 0x41, 0xffff, 0x10000, CODE_POINT_MAX, ...edges].filter(
        (code) => code >= 0 && code <= CODE_POINT_MAX && !isSurrogate(code),
      );
      const memberships = new Map<string, number>();
      for (const code of codes) {
        const codeClass = classAt(classes, String.fromCodePoint(code), 0);
        const inSets = sets.map((ranges) => (holds(ranges, code) ? 1 : 0));
        const known = sets.map((_, set) => classes.members[set * classes.count + codeClass]);
        expect([code, known]).toEqual([code, inSets]);
        const membership = inSets.join("");
        expect(codeClass).toBe(memberships.get(membership) ?? codeClass);
        memberships.set(membership, codeClass);
      }
      expect(new Set(memberships.values()).size).toBe(memberships.size);
    }),
    { seed: 20261123, numRuns: 500 },
  );
});
