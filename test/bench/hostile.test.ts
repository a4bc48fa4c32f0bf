/** The hostile cases are what they say: each compiles, and is decided whatever it costs. */
import { expect, test } from "vitest";
import { HOSTILE_CASES } from "../../bench/hostile/cases.ts";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";

test.each(HOSTILE_CASES.map((each) => [`${each.path}: ${each.name}`, each] as const))(
  "%s",
  (_, { make }) => {
    const { config, facts } = make(0.002);
    const result = compileDomain(config);
    // A pattern may be refused for its price alone.
    if (!result.ok)
      for (const { code } of result.diagnostics)
        expect(code).toMatch(/repeat-too-large|too-costly/);
    else expect(resolve(result.domain, facts, { fuelMax: 1e6 }).verdict).toBe("decided");
  },
);

test("each case has a name of its own", () => {
  const names = HOSTILE_CASES.map(({ path, name }) => `${path}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
