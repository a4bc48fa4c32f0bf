/** `benchRules`: what routing messages by a rule set costs, per stage and per rule, in units that machines share. */
import { assertOptions } from "../../base/options.ts";
import type { Facts } from "../../engine/facts/facts.ts";
import { type CompiledDomain, compileDomain } from "../../engine/routing/compile-domain.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import { createResolveStats } from "../../engine/routing/resolve-stats.ts";
import { toFacts } from "../../message/header/message-facts.ts";
import { headerFactsOf, messageFactsOf } from "../../message/read-message.ts";
import { onlyEntry, type RehearsedDomain } from "../rehearsed-domain.ts";
import { at, type Measure, Stopwatch } from "./measure-time.ts";

/** A message of the bench: its bytes and its recipient. */
export interface BenchMessage {
  readonly name: string;
  readonly recipient: string;
  readonly bytes: Uint8Array;
}

export const BENCH_STAGES = ["header", "body", "rules"] as const;
export type BenchStage = (typeof BENCH_STAGES)[number];

/** The cost of one rule, tried alone on every message. */
export interface RuleCost {
  readonly id: string;
  readonly cost: Measure;
  /** Of all messages together. */
  readonly fuel: number;
}

/** What routing messages by a rule set costs: a plain record to keep for `compareBench`. */
export interface BenchReport {
  readonly format: 1;
  readonly domain: string;
  readonly messages: number;
  /** Messages whose body was read, because the rules asked for it. */
  readonly bodiesRead: number;
  /** Per message, the median and the worst: reading the header, reading the whole message, and resolving. */
  readonly stages: Readonly<
    Record<BenchStage, { readonly median: Measure; readonly worst: Measure }>
  >;
  /** Resolving all messages once. */
  readonly total: Measure;
  readonly fuel: number;
  /** The most expensive first. */
  readonly rules: readonly RuleCost[];
  /** The most expensive first; at most five. */
  readonly dearest: readonly {
    readonly name: string;
    readonly cost: Measure;
    readonly fuel: number;
  }[];
  readonly compile: Measure;
  /** Approximate octets that the compiled domain keeps. */
  readonly compiledBytes: number;
}

/** How a bench measures. */
export interface BenchOptions {
  /** Rounds of resolving all messages, and of compiling the domain. Default: 21. */
  readonly rounds?: number | undefined;
  /** A clock, in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Octets of memory in use; without it `compiledBytes` is 0. */
  readonly memory?: (() => number) | undefined;
}

const ROUNDS = 21;
const DEAREST_MAX = 5;
/** Messages to measure one by one; of more messages an even sample is taken. */
const SINGLE_MAX = 100;
const ROUND_MS = 8;
/** For a single message or rule. */
const BRIEF_ROUNDS = 5;
const BRIEF_MS = 1;
/** Copies of the domain, made to measure its memory. */
const COPIES = 8;

interface Prepared {
  readonly message: BenchMessage;
  readonly facts: Facts;
  readonly fuel: number;
  readonly readsBody: boolean;
}

function fuelOf(domain: CompiledDomain, facts: Facts): number {
  const stats = createResolveStats();
  resolve(domain, facts, { stats });
  return stats.fuel;
}

function prepare(domain: CompiledDomain, message: BenchMessage): Prepared {
  const { recipient, bytes } = message;
  const header = toFacts({ recipient }, headerFactsOf(bytes));
  const facts = toFacts({ recipient }, messageFactsOf(bytes));
  const readsBody = resolve(domain, header).verdict === "undecided";
  return { message, facts, fuel: fuelOf(domain, facts), readsBody };
}

function sample<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.max(1, Math.ceil(items.length / SINGLE_MAX));
  return items.filter((_, index) => index % step === 0);
}

/** The median and the worst measure, by their units. */
function medianAndWorst(measures: readonly Measure[]): { median: Measure; worst: Measure } {
  const wanted = [0.5, 1].map((part) =>
    at(
      measures.map(({ units }) => units),
      part,
    ),
  );
  const [median, worst] = wanted.map((units) => measures.find((each) => each.units === units)!);
  return { median: median!, worst: worst! };
}

function bytesKept(
  { config, options: compiling }: RehearsedDomain,
  memory: (() => number) | undefined,
): number {
  if (memory === undefined) return 0;
  const before = memory();
  const kept = Array.from({ length: COPIES }, () =>
    compileDomain(config, { ...compiling, plan: "at-once" }),
  );
  const after = memory();
  return kept.length === COPIES ? Math.max(0, Math.round((after - before) / COPIES)) : 0;
}

/**
 * Measures what the messages cost. Throws a TypeError if there are none. Takes some seconds for a hundred rules and
 * blocks the thread.
 */
export function benchRules(
  rehearsed: RehearsedDomain,
  messages: readonly BenchMessage[],
  options: BenchOptions = {},
): BenchReport {
  assertOptions(options, ["rounds", "now", "memory"]);
  if (messages.length === 0) throw new TypeError("a bench needs a message");
  const { rounds = ROUNDS, now = () => performance.now(), memory } = options;
  const { domain, config, options: compiling } = rehearsed;
  const watch = new Stopwatch(now);
  const prepared = messages.map((message) => prepare(domain, message));
  const timed = (work: () => number): Measure => watch.measure(work, rounds, ROUND_MS);
  const brief = (work: () => number): Measure => watch.measure(work, BRIEF_ROUNDS, BRIEF_MS);
  const route = (by: CompiledDomain, { facts }: Prepared): number =>
    resolve(by, facts).verdict.length;
  const routeAll = (by: CompiledDomain): number =>
    prepared.reduce((sum, each) => sum + route(by, each), 0);
  const single = sample(prepared).map((each) => ({
    ...each,
    header: brief(() => headerFactsOf(each.message.bytes).subject.length),
    body: brief(() => messageFactsOf(each.message.bytes).size),
    rules: brief(() => route(domain, each)),
  }));
  const rules = domain.engine === "rules" ? domain.rules.filter(({ active }) => active) : [];
  const costs = rules.map(({ id }): RuleCost => {
    const alone = onlyEntry(rehearsed, "rule", id);
    const fuel = prepared.reduce((sum, { facts }) => sum + fuelOf(alone, facts), 0);
    return { id, cost: brief(() => routeAll(alone)), fuel };
  });
  const byCost = <Item extends { readonly cost: Measure }>(
    items: readonly Item[],
  ): readonly Item[] => [...items].sort((a, b) => b.cost.units - a.cost.units);
  const dearest = single.map(({ message: { name }, rules: cost, fuel }) => ({ name, cost, fuel }));
  return {
    format: 1,
    domain: domain.name,
    messages: messages.length,
    bodiesRead: prepared.filter(({ readsBody }) => readsBody).length,
    stages: {
      header: medianAndWorst(single.map(({ header }) => header)),
      body: medianAndWorst(single.map(({ body }) => body)),
      rules: medianAndWorst(single.map(({ rules: cost }) => cost)),
    },
    total: timed(() => routeAll(domain)),
    fuel: prepared.reduce((sum, { fuel }) => sum + fuel, 0),
    rules: byCost(costs),
    dearest: byCost(dearest).slice(0, DEAREST_MAX),
    compile: timed(() => (compileDomain(config, { ...compiling, plan: "at-once" }).ok ? 1 : 0)),
    compiledBytes: bytesKept(rehearsed, memory),
  };
}
