/** What `explain` says of each alias, and what aliases cost. */
import { describe, expect, test } from "vitest";
import type { Facts } from "../../../../src/engine/facts/facts.ts";
import {
  type CompiledDomain,
  compileDomain,
} from "../../../../src/engine/routing/compile-domain.ts";
import type { Explanation } from "../../../../src/engine/routing/explain.ts";
import { explain } from "../../../../src/engine/routing/explain.ts";
import { resolve } from "../../../../src/engine/routing/resolve.ts";

type Alias = readonly [alias: string, forward?: string];

function domainOf(...aliases: readonly Alias[]): CompiledDomain {
  const result = compileDomain({
    domain: "own.test",
    routing_engine: "alias",
    aliases: aliases.map(([alias, forward = "m@x.test"]) => ({ id: alias, alias, forward })),
  });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.domain;
}
const to = (localPart: string): { recipient: string } => ({ recipient: `${localPart}@own.test` });
const entry = (alias: string, form: string): object => ({ kind: "alias", id: alias, alias, form });

const PATTERNS: readonly Alias[] = [["(own)-(.*)", "m@$1.test"], ["((?:o)+)n?(w.*)"]];
const ALIASES: readonly Alias[] = [["*"], ["z*"], ...PATTERNS, ["sales"], ["own"], ["info"]];

describe("aliases are traced in the order of trial", () => {
  const explained = (facts: Facts): Explanation => explain(domainOf(...ALIASES), facts);
  const literals = (actual: string): object[] =>
    ["sales", "own", "info"].map((alias) => ({
      ...{ ...entry(alias, "literal"), verdict: "missed", actual },
    }));

  test("to a literal alias with a detail", () => {
    const actual = "own+x";
    const { resolution, trace } = explained(to(actual));
    expect(resolution).toMatchObject({ decidedBy: { id: "own" } });
    const unreached = { verdict: "unreached" };
    expect(trace).toStrictEqual([
      ...literals(actual).with(1, {
        ...{ ...entry("own", "subaddress"), verdict: "matched", actual },
      }),
      { ...entry("(own)-(.*)", "pattern"), ...unreached },
      { ...entry("((?:o)+)n?(w.*)", "pattern"), ...unreached },
      { ...entry("z*", "wildcard"), ...unreached },
      { ...entry("*", "catch-all"), ...unreached },
    ]);
  });

  test("past a pattern that fails to one that matches", () => {
    const actual = "own-x";
    const { resolution, trace } = explained(to(actual));
    expect(resolution).toMatchObject({ decidedBy: { id: "((?:o)+)n?(w.*)" } });
    expect(trace.slice(0, 3)).toStrictEqual(literals(actual));
    expect(trace.slice(3)).toStrictEqual([
      {
        ...{ ...entry("(own)-(.*)", "pattern"), verdict: "failed", actual },
        ...{ captures: ["own", "x"], failure: expect.stringContaining("loop") },
      },
      {
        ...{ ...entry("((?:o)+)n?(w.*)", "pattern"), verdict: "matched", actual },
        captures: ["o", "wn-x"],
      },
      { ...entry("z*", "wildcard"), verdict: "unreached" },
      { ...entry("*", "catch-all"), verdict: "unreached" },
    ]);
  });

  test("past a wildcard that misses to the catch-all", () => {
    expect(explained(to("q")).trace.slice(5)).toStrictEqual([
      { ...entry("z*", "wildcard"), verdict: "missed", actual: "q" },
      { ...entry("*", "catch-all"), verdict: "matched", actual: "q" },
    ]);
  });

  test("without a recipient", () => {
    const { resolution, trace } = explained({});
    expect(resolution).toEqual({ verdict: "undecided", needs: "envelope" });
    expect(resolve(domainOf(...ALIASES), {})).toEqual(resolution);
    expect(trace[0]).toStrictEqual({ ...entry("sales", "literal"), verdict: "undecided" });
    expect(new Set(trace.map(({ verdict }) => verdict))).toEqual(new Set(["undecided"]));
  });

  test("with any budget: each entry is as ever, or over the budget", () => {
    const forward = Array.from({ length: 9 }, (_, nth) => `m@$1${nth}.test`).join(", ");
    const long = domainOf(
      ["own"],
      ["(own)-.*", `${forward}, m@$1.test`],
      ["(.)wn.*", forward],
      ["z*"],
    );
    for (const facts of [to("own-x"), to("own+x")]) {
      const { resolution, trace, fuel } = explain(long, facts);
      const seen = new Set<string>();
      const fiftieths = Array.from({ length: 150 }, (_, nth) => Math.floor((nth * fuel) / 50));
      for (const fuelMax of [...fiftieths, fuel - 1]) {
        const scarce = explain(long, facts, { fuelMax });
        if (fuelMax < fuel) expect(scarce.resolution).toMatchObject({ reason: "over-budget" });
        else expect(scarce.resolution).toEqual(resolution);
        scarce.trace.forEach((each, nth) => {
          seen.add(each.verdict);
          if (each.verdict !== "over-budget") expect(each).toStrictEqual(trace[nth]);
          else expect(each).toMatchObject({ kind: "alias", id: trace[nth]!.id });
        });
      }
      expect(seen).toContain("over-budget");
      expect(seen).toContain("matched");
    }
  });
});

describe("a wildcard", () => {
  test("of nothing but `*` matches everything, among few aliases and among many", () => {
    const many = Array.from({ length: 9 }, (_, nth) => [`x${nth}*`] as const);
    for (const others of [[], many]) {
      const domain = domainOf(...others, ["**"]);
      expect(resolve(domain, to("any"))).toMatchObject({ decidedBy: { id: "**" } });
    }
  });

  test("costs more the longer its pieces are, the more it has, and the longer the local part is", () => {
    const fuelOf = (alias: string, localPart: string): number =>
      explain(domainOf([alias]), to(localPart)).fuel;
    const least = fuelOf("a*", "");
    expect(least).toBeGreaterThan(explain(domainOf(["a"]), to("")).fuel);
    expect(fuelOf("a*", "b")).toBeGreaterThan(least);
    expect(fuelOf("a*b*c", "")).toBeGreaterThan(least);
    expect(fuelOf(`${"a".repeat(60)}*`, "")).toBeGreaterThan(least);
  });
});
