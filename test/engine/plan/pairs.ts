/**
 * Random pairs of a domain and a message, far more than the tests take: the plan against the plain walk, with any facts
 * unknown, rules of a host's own type, and both pattern engines; and early decisions against final ones, under any budget.
 * `PAIRS=10000000 SEED=1 npx tsx test/engine/plan/pairs.ts` counts both kinds, and throws at the first difference.
 */
import fc from "fast-check";
import type { Facts } from "../../../src/engine/facts/facts.ts";
import { createRe2WasmEngine } from "../../../src/engine/pattern/engines/re2-wasm-engine.ts";
import { type CompiledDomain, compileDomain } from "../../../src/engine/routing/compile-domain.ts";
import type { Resolution } from "../../../src/engine/routing/resolution.ts";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { headerRule } from "../../rule-types/header-rule.ts";
import { plainWalk } from "./plain-walk.ts";
import {
  amongQuietRules,
  apiRuleArb,
  domainOf,
  factsArb,
  forget,
  forgottenArb,
  type KnownFacts,
} from "./worlds.ts";

const re2WasmEngine = createRe2WasmEngine();
const PAIRS = Number(process.env.PAIRS ?? 10_000);
const SEED = Number(process.env.SEED ?? 20261120);
/** Messages of one domain, and rules of one domain at most. */
const MESSAGES = 40;
const RULES_MAX = 24;
/** Rules, messages and choices of unknown facts that pairs are put together from. */
const POOL = 4_000;

let pairs = 0;
let comparisons = 0;
let state = SEED;
function below(count: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return Math.floor(((state >>> 0) / 0x1_0000_0000) * count);
}
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
const sample = <Value>(arbitrary: fc.Arbitrary<Value>): Value[] =>
  fc.sample(arbitrary, { numRuns: POOL, seed: SEED });

const headerRules = ["list", "x-spam", "to"].flatMap((header) =>
  ["a", "yes", "x", "none"].map((contains) => ({
    type: "header",
    active: true,
    config: { header, contains, forward: "h@x.test" },
  })),
);
const rules = [...sample(apiRuleArb), ...Array.from({ length: POOL / 8 }, () => pick(headerRules))];
const messages = sample(factsArb);
const unknowns = sample(forgottenArb);

function differs(one: Resolution, other: Resolution): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function fail(what: string, domain: unknown, facts: Facts, answers: readonly Resolution[]): never {
  const headers = [...(facts.headers ?? [])];
  throw new Error(`${what}: ${JSON.stringify({ domain, facts: { ...facts, headers }, answers })}`);
}

const ENDLESS = { fuelMax: Number.POSITIVE_INFINITY };

function comparePair(domain: CompiledDomain, config: unknown, facts: Facts): void {
  const [planned, walked] = [resolve(domain, facts, ENDLESS), plainWalk(domain, facts)];
  if (differs(planned, walked)) fail("plan and walk differ", config, facts, [planned, walked]);
}

function compareEarly(domain: CompiledDomain, config: unknown, facts: KnownFacts): void {
  const options = { fuelMax: pick([200, 2_000, 20_000, 2_000_000, Number.POSITIVE_INFINITY]) };
  const partial = forget(facts, pick(unknowns));
  const early = resolve(domain, partial, options);
  if (early.verdict === "undecided" || early.reason === "over-budget") return;
  for (const other of [facts, pick(messages)]) {
    const completed = { ...other, ...partial };
    const final = resolve(domain, completed, options);
    // More facts take more work.
    if (final.verdict === "decided" && final.reason === "over-budget") continue;
    comparisons++;
    if (differs(early, final)) fail("an early decision changed", config, completed, [early, final]);
  }
}

while (pairs < PAIRS) {
  const own = Array.from({ length: 1 + below(RULES_MAX) }, () => pick(rules));
  const config = domainOf(below(16) === 0 ? amongQuietRules(own, below) : own);
  const patternEngine = below(8) === 0 ? re2WasmEngine : null;
  const result = compileDomain(config, { patternEngine, ruleTypes: [headerRule] });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  for (let nth = 0; nth < MESSAGES; nth++) {
    const facts = pick(messages);
    comparePair(result.domain, config, facts);
    comparePair(result.domain, config, forget(facts, pick(unknowns)));
    compareEarly(result.domain, config, facts);
    pairs += 2;
  }
}
process.stdout.write(
  `${pairs} pairs of plan and walk, ${comparisons} early and final decisions: no difference\n`,
);
