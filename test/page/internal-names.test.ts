/** The build shortens names of properties: only those that nothing outside of the editor and the pattern engine means. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { internalNamePattern, internalNames } from "../../scripts/internal-names.ts";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

test("names of the browser, of the language and of mailflow stay as they are", () => {
  const names = new Set(internalNames());
  expect(names.size).toBeGreaterThan(300);
  for (const each of [
    "length",
    "textContent",
    "scrollTop",
    "getTargetRanges",
    "lazyDFA",
    "parse",
  ]) {
    expect(names.has(each), each).toBe(false);
  }
  const sources = readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".ts"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  const used = new Set(sources.flatMap((text) => text.match(/[\w$]+/g) ?? []));
  expect([...names].filter((name) => used.has(name))).toEqual([]);
  expect(internalNamePattern().test([...names][0]!)).toBe(true);
  expect(internalNamePattern().test(`x${[...names][0]!}`)).toBe(false);
});
