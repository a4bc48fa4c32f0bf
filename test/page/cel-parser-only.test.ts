/** The page's build leaves out all of cel-js but the parser: it must read every text as the whole library does. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { celParserOnly } from "../../scripts/page-plugins.ts";
import { parseSource } from "../../src/engine/cel/syntax/parse-source.ts";
import { readCases } from "../conformance/cel-spec-cases.ts";
import { boolSource } from "../engine/cel/arbitrary-expression.ts";

const ENTRY = fileURLToPath(
  new URL("../../src/engine/cel/syntax/parse-source.ts", import.meta.url),
);

let small: typeof parseSource;
let outOf: readonly string[];

beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    plugins: [celParserOnly],
  });
  outOf = Object.keys(metafile.inputs);
  const script = Buffer.from(outputFiles[0]!.contents).toString("base64");
  ({ parseSource: small } = await import(`data:text/javascript;base64,${script}`));
});

/** Classes of the two builds differ, and bigints have no JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === "bigint" ? `${each}n` : each instanceof Uint8Array ? [...each] : each,
    ),
  );
}

function expectSame(source: string): void {
  expect(plain(small(source)), source).toEqual(plain(parseSource(source)));
}

test("type checker, overloads and macros of the library are not in the bundle", () => {
  expect(outOf.some((path) => path.endsWith("cel-js/lib/parser.js"))).toBe(true);
  expect(
    outOf.filter((path) => /(?:type-checker|overloads|macros|registry)\.js$/.test(path)),
  ).toEqual([]);
});

test("every expression of the specification's suite is read alike", () => {
  const cases = readCases();
  expect(cases.length).toBeGreaterThan(500);
  for (const { test: spec } of cases) expectSame(spec.expr);
});

const ODD = [
  "1u + 18446744073709551616u",
  "0xFFu",
  "a.map(1, 2)",
  "a.map(x, y, z)",
  "a.map(x.y, 1, 2)",
  "a.exists(1, true)",
  "a.existsOne(2, true)",
  "a.filter(x)",
  "a.bind(1, 2, 3)",
  "cel.bind(1, 2, 3)",
  "cel.bind(v, 2, v)",
  "a.optMap(1, 2)",
  "a.optFlatMap(v, v)",
  "constructor(1).toString(2, 3)",
  "has(a)",
  "has(a.b.c)",
  "a?.b[?c].orValue(1)",
  "!-a ? b : c in d",
  "-9223372036854775808 % 2 / 3 * 4",
  "a &&",
  "a = b",
  "if",
  "{'a': 1u}[`b`]",
  `${"(".repeat(400)}a`,
  `[${"1,".repeat(3_000)}1]`,
];

test("odd texts are read, or refused in the same words at the same place", () => {
  for (const source of ODD) expectSame(source);
  const alphabet = readFileSync(ENTRY, "utf8").slice(0, 200);
  const broken = fc
    .tuple(
      boolSource,
      fc.nat(600),
      fc.nat(8),
      fc.constantFrom("", "(", "]", '"', "&", "u", ...alphabet),
    )
    .map(([source, at, length, put]) => source.slice(0, at) + put + source.slice(at + length));
  fc.assert(fc.property(fc.oneof(boolSource, broken), expectSame), { numRuns: 2_000 });
});
