/** Where matches may start: no place of a real match is left out, with either kernel. */
import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import {
  createPlainKernel,
  createSimdKernel,
} from "../../../../src/engine/pattern/search/scan-kernel.ts";
import { createStartScanner } from "../../../../src/engine/pattern/search/start-scanner.ts";
import type { PatternTree } from "../../../../src/engine/pattern/syntax/pattern-tree.ts";
import { readPattern } from "../../../../src/engine/pattern/syntax/re2-syntax.ts";
import { fuzzRuns } from "../fuzz-runs.ts";
import { text, wholePattern } from "../pattern-arbitrary.ts";

const KERNELS = [createSimdKernel()!, createPlainKernel()];

function treeOf(source: string): PatternTree {
  const read = readPattern(source);
  if (!read.ok) throw new Error(read.problem.message);
  return read.tree;
}

/** The places that both kernels report from `first` on; `null` if nothing is looked for. */
function placesOf(source: string, given: string, first = 0): readonly number[] | null {
  const [simd, plain] = KERNELS.map((kernel) => {
    const scanner = createStartScanner(treeOf(source), kernel);
    if (scanner === null) return null;
    const places: number[] = [];
    scanner.scan(given, first, (place) => places.push(place) > 0);
    return places;
  });
  expect(plain).toEqual(simd);
  return simd!;
}

/** Where a match starts that re2js finds when it looks from this place on. */
function startsOf(source: string, given: string): readonly number[] {
  const matcher = RE2JS.compile(source).matcher(given);
  const starts: number[] = [];
  for (let at = 0; at <= given.length && matcher.find(at); at = matcher.start() + 1)
    if (starts.at(-1) !== matcher.start()) starts.push(matcher.start());
  return starts;
}

/** A set, some of its members, how often it repeats, and one count of that. */
const set = fc.constantFrom(
  ...[
    ["[0-9]", "07"],
    ["[a-f]", "af"],
    ["[A-Fa-f0-9]", "Cc9"],
    ["(?i:k)", "kK\u212a"],
  ],
  ...[
    ["(?i:s)", "sS\u017f"],
    ["[qxz0-4]", "qz3"],
    ["[-._]", "-._"],
    ["é", "é"],
    ["語", "語"],
  ],
  ...[
    ["\\d", "5"],
    ["x", "x"],
    ["[^a]", "b語"],
    [".", ". "],
    ["\\p{Greek}", "Ωω"],
    ["[\\x{fffd}]", "\ufffd"],
  ],
  ...[
    ["[\\x{1f600}-\\x{1f64f}]", "\u{1f601}"],
    ["(?:ab|c[0-9])", "c"],
  ],
);
const many = fc.constantFrom(
  ...([
    ["", 1],
    ["", 1],
    ["", 1],
    ["{2}", 2],
    ["{1,3}", 3],
    ["{4}", 4],
    ["+", 5],
    ["?", 0],
    ["*", 2],
  ] as const),
);
const anchor = fc.constantFrom("", "", "", "\\b", "\\B", "(?m)^");
const characters = fc.constantFrom(
  ..."0123afAFkKſ\u212asSqxz-._é語xΩωabc c9\n",
  "\u{1f601}",
  "\ufffd",
);
const filler = fc.array(characters, { maxLength: 30 }).map((all) => all.join(""));
const part = fc.tuple(set, many, fc.nat(2)).map(([[source, members], [times, count], nth]) => {
  const all = [...members!];
  return { source: `${source}${times}`, given: all[nth % all.length]!.repeat(count) };
});
const written = fc
  .tuple(anchor, fc.array(part, { minLength: 1, maxLength: 6 }), filler, filler)
  .map(([start, parts, before, after]) => {
    const matched = parts.map(({ given }) => given).join("");
    const source = start + parts.map((each) => each.source).join("");
    return [source, `${before}${matched}${after}${matched}`] as const;
  });

test("every place where a match starts is reported, in order, and none twice", () => {
  let known = 0;
  const cases = fc.oneof(
    { weight: 3, arbitrary: written },
    fc.tuple(
      wholePattern,
      text.map((given) => given.toWellFormed()),
    ),
  );
  fc.assert(
    fc.property(cases, fc.nat(40), ([source, given], first) => {
      const places = placesOf(source, given);
      if (places === null) return;
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      const starts = startsOf(source, given);
      known += starts.length;
      const lost = starts.filter((start) => !places.includes(start));
      expect({ source, given, lost }).toEqual({ source, given, lost: [] });
      const later = placesOf(source, given, first);
      expect(later).toEqual(places.filter((place) => place >= first));
    }),
    fuzzRuns(6_000),
  );
  expect(known).toBeGreaterThan(1_000);
});

test("across the pieces in which a text is read", () => {
  const source = "[0-9][A-Z][0-9][A-Z]";
  const ends = [1_024, 2_048, 4_096, 32_768, 65_536, 126_976];
  for (const end of ends) {
    for (let start = end - 5; start <= end + 1; start++) {
      const given = `${"-".repeat(start)}1A2B${"-".repeat(200_000 - start)}`;
      expect(placesOf(source, given)).toEqual([start]);
      expect(placesOf(source, given, 3)).toEqual([start]);
      expect(placesOf(source, given, start + 1)).toEqual([]);
    }
  }
});

test("a scan ends where it is told to", () => {
  for (const kernel of KERNELS) {
    let told = 0;
    const scanner = createStartScanner(treeOf("[0-9]{4}"), kernel)!;
    scanner.scan("1".repeat(100_000), 0, () => ++told < 3);
    expect(told).toBe(3);
  }
});

test.each([
  ["[0-9]{4}", "a1234 b12345", [1, 7, 8]],
  ["[A-Z]x[0-9]+y", "Qx7y Qx77y Qx7 ", [0, 5]],
  ["[0-9a-c]{1,3}[QXZ]{4}", "1abQXZQ", [0, 1, 2]],
  ["(?i)[0-9]kk", "1k\u212a", [0]],
])("what is known of up to four units is compared: %s", (source, given, places) => {
  expect(placesOf(source, given)).toEqual(places);
});

test.each(["", ".*7777", "a?b?c?d?", "[a-z]{4}", "[^0-9]{4}", "\\p{L}777", "\\x{fffd}777"])(
  "nothing is looked for where too little is known: %s",
  (source) => {
    expect(createStartScanner(treeOf(source))).toBeNull();
  },
);
