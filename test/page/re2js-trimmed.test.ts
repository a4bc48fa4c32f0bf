/** The page's build leaves parts of re2js out: what is left compiles and finds as the whole does. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { re2jsTrimmed } from "../../scripts/page-plugins.ts";
import { re2jsEngine } from "../../src/engine/pattern/engines/re2js-engine.ts";

const ENTRY = fileURLToPath(
  new URL("../../src/engine/pattern/engines/re2js-engine.ts", import.meta.url),
);
let small: typeof re2jsEngine;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    plugins: [re2jsTrimmed],
  });
  const script = Buffer.from(outputFiles[0]!.contents).toString("base64");
  ({ re2jsEngine: small } = await import(`data:text/javascript;base64,${script}`));
});

const atom = fc.constantFrom(
  "a",
  "b",
  ".",
  "\\d",
  "[a-c]",
  "(?i)ab",
  "\\b",
  "(a|bc)",
  "é",
  "\\pL",
  "^",
  "$",
  "(invoice|order) (\\d+)",
  "(?:ab)+?",
  "[^a]",
  "(",
  "\\C",
  "x{2,3}",
  "(?P<n>b)",
);
const pattern = fc
  .array(fc.tuple(atom, fc.constantFrom("", "*", "+", "?", "|")), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(""));
const text = fc
  .array(
    fc.constantFrom("a", "b", "c", "ab", "invoice 22", "order 7", "é", "\n", "😀", " ", "xx"),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("patterns compile alike, and find the same", () => {
  let matches = 0;
  fc.assert(
    fc.property(pattern, text, (source, searched) => {
      const [whole, trimmed] = [re2jsEngine.compile(source), small.compile(source)];
      expect(trimmed.ok).toBe(whole.ok);
      if (!whole.ok || !trimmed.ok) return void expect(trimmed).toEqual(whole);
      const found = whole.pattern.find(searched);
      if (found !== null) matches++;
      expect(trimmed.pattern.find(searched)).toEqual(found);
      expect(trimmed.pattern.groupCount).toBe(whole.pattern.groupCount);
    }),
    { numRuns: 3_000 },
  );
  expect(matches).toBeGreaterThan(300);
});
