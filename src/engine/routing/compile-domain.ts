/** Compiles a domain's configuration, in the API's own shapes, into the domain that `resolve` uses. */
import { compareDiagnostics, type Diagnostic, type Problem } from "../../base/diagnostic.ts";
import { Guard, readFuel } from "../../base/guard.ts";
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import { quote } from "../../base/quote.ts";
import { canonicalDomain, isDomainName } from "../facts/address.ts";
import type { PatternEngine } from "../pattern/engines/pattern-engine.ts";
import { AliasPlan } from "./aliases.ts";
import {
  type Fields,
  isRecord,
  ownField,
  readRecord,
  readText,
  reportAt,
  reportChoice,
} from "./config/config-fields.ts";
import type { DomainConfig } from "./config/domain-config.ts";
import {
  type CompileSettings,
  type Context,
  compileAliases,
  compileRules,
  type DomainVersion,
  type Pieces,
} from "./config/entries.ts";
import { BoundedCache } from "./config/pieces.ts";
import { compileForward, type Forward } from "./forward.ts";
import { createPlan, preparePlan, type RoutingPlan } from "./plan/plan.ts";
import type { CompiledAlias, CompiledRule } from "./rules/compiled-rule.ts";
import type { RuleType } from "./rules/rule-type.ts";
import { ruleTypesWith } from "./rules/rule-types.ts";

/** A frozen domain, ready to resolve messages; make it with `compileDomain`. */
export interface CompiledDomain {
  /** In lower case, as A-labels. */
  readonly name: string;
  readonly engine: "alias" | "rules" | null;
  /** In the order of trial. */
  readonly aliases: readonly CompiledAlias[];
  /** Finds which of them a local part can match. @internal */
  readonly aliasPlan: AliasPlan;
  /** By rank; inactive ones included. */
  readonly rules: readonly CompiledRule[];
  /** Finds which rules a message can match; made on first use. @internal */
  plan(): RoutingPlan;
  /** Where mail that no rule matches goes; `null`: it is accepted and discarded. */
  readonly fallback: Forward | null;
}

/** Options of `compileDomain`. */
export interface CompileOptions {
  /** Finds what groups hold in mailflow's place, for comparison, e.g. that of `mailflow/re2-wasm`. Default: `null`, none. */
  readonly patternEngine?: PatternEngine | null;
  /** The host's own rule types, besides `alias`, `regex` and `cel`; made with `ruleType`. */
  readonly ruleTypes?: readonly RuleType[] | undefined;
  /**
   * When the plan of the rules and its index of texts are made: with the first message (the default), or now. They take longer
   * than the rest of compiling: for 10,000 regex rules about a second.
   */
  readonly plan?: "first-message" | "at-once";
  /**
   * Budget of the domain in units of work, of 20 ns and two octets of memory at most: for compiling its aliases and rules and for
   * making their plan. An alias or rule beyond it is a diagnostic, and what follows it is not looked at. 10,000 ordinary
   * regex rules take some 60 million. Default: `LIMITS.domainFuelMax`; `Infinity` for none.
   */
  readonly domainFuelMax?: number;
}

const COMPILE_OPTIONS = ["patternEngine", "ruleTypes", "plan", "domainFuelMax"] as const;

/** A compiled domain, or every diagnostic of its configuration, ordered by path and then by span. */
export type CompileResult =
  | { readonly ok: true; readonly domain: CompiledDomain }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

function readEngine(fields: Fields): "alias" | "rules" | null {
  const engine = ownField(fields, "routing_engine");
  if (engine === "alias" || engine === "rules" || engine === null) return engine;
  const kind = { code: "domain/unknown-routing-engine", called: "a routing engine" } as const;
  const advice = "give `alias`, `rules`, or null for no routing";
  return reportChoice(fields, "routing_engine", kind, advice);
}

function readName(fields: Fields): string {
  const name = readText(fields, "domain", LIMITS.domainOctetsMax);
  if (name === null) return "";
  const message = `${quote(name)} is not a domain name: write it as \`example.com\``;
  if (!isDomainName(name)) reportAt(fields, "domain", { code: "domain/invalid-name", message });
  return canonicalDomain(name);
}

function readFallback(fields: Fields, ownDomain: string): Forward | null {
  const name = "rules_fallback_email";
  // Absent or `null`, there is none.
  if ((ownField(fields, name) ?? null) === null) return null;
  const source = readText(fields, name, LIMITS.forwardUnitsMax);
  if (source === null) return null;
  const report = (problem: Problem): null => reportAt(fields, name, problem);
  const forward = compileForward(source, 0, ownDomain, report);
  if (forward === null) return null;
  const [only, ...more] = forward.templates;
  if (only?.kind === "mailbox" && more.length === 0) return forward;
  const message = `\`${name}\` is one mailbox or null: lists, webhooks and the word \`null\` belong in a rule`;
  return report({ code: "destination/invalid", message });
}

function planLater(rules: readonly CompiledRule[], context: Context): () => RoutingPlan {
  const { pieces, version } = context;
  const active = (): CompiledRule[] => rules.filter(({ active }) => active);
  if (pieces === null) {
    let plan: RoutingPlan | undefined;
    return () => {
      plan ??= createPlan(active(), null, null);
      return plan;
    };
  }
  const { plans } = pieces;
  const create = (): RoutingPlan => {
    const [latest, ...older] = version.planned.filter((other) => other !== rules);
    const plan = createPlan(active(), pieces, latest === undefined ? null : plans.peek(latest));
    for (const other of older) plans.drop(other);
    version.planned = latest === undefined ? [rules] : [rules, latest];
    return plan;
  };
  // Among many domains, the busy ones keep their plan.
  return () => plans.get(rules, create);
}

/**
 * Compiles `config`: the fields of a domain (`domain`, `routing_engine`, `rules_fallback_email`) with its
 * `aliases` and `rules`, as API version 4 returns them; `domain` may also be the API's domain object. Unknown
 * fields are ignored. If the configuration is wrong, returns all its diagnostics, ordered by path, then span.
 * Never throws on a configuration of plain values, such as parsed JSON; what a getter or a proxy throws passes through. An unknown
 * option is a `TypeError`.
 */
export function compileDomain(config: DomainConfig, options?: CompileOptions): CompileResult;
/** The same for a value of unknown type, such as parsed JSON: returns everything that is wrong with it. */
export function compileDomain(config: unknown, options?: CompileOptions): CompileResult;
export function compileDomain(config: unknown, options: CompileOptions = {}): CompileResult {
  assertOptions(options, COMPILE_OPTIONS);
  return compileWith(config, settingsOf(options, null));
}

/** Throws a `TypeError` on invalid options. */
function settingsOf(options: CompileOptions, pieces: Pieces | null): CompileSettings {
  const { patternEngine: engine = null, ruleTypes, plan = "first-message" } = options;
  const { domainFuelMax = LIMITS.domainFuelMax } = options;
  if (engine !== null && typeof engine.compile !== "function") {
    throw new TypeError("`patternEngine` is not a pattern engine: give one, or leave it out");
  }
  if (plan !== "first-message" && plan !== "at-once") {
    throw new TypeError("`plan` is neither `first-message` nor `at-once`");
  }
  readFuel("domainFuelMax", domainFuelMax);
  return { engine, ruleTypes: ruleTypesWith(ruleTypes), plan, domainFuelMax, pieces };
}

/** `compileDomain`; its pieces were compiled with the same settings. */
function compileWith(config: unknown, settings: CompileSettings): CompileResult {
  if (!isRecord(config)) {
    const message = "a domain is an object with `domain`, `routing_engine`, `aliases` and `rules`";
    return { ok: false, diagnostics: [{ code: "config/not-an-object", message, path: [] }] };
  }
  const diagnostics: Diagnostic[] = [];
  let unlisted = 0;
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostics.length < LIMITS.diagnosticsMax) diagnostics.push(diagnostic);
    else unlisted++;
  };
  const root: Fields = { values: config, path: [], report };
  // The domain's own fields stand beside its rules, or in the API's domain object.
  const own = isRecord(ownField(root, "domain")) ? readRecord(root, "domain")! : root;
  const ownDomain = readName(own);
  const guard = new Guard(settings.domainFuelMax);
  const { engine, ruleTypes, pieces } = settings;
  const create = (): DomainVersion => ({ rules: [], planned: [] });
  const version = pieces?.versions.get(ownDomain, create) ?? create();
  const countProblems = (): number => diagnostics.length + unlisted;
  // Written out: spreading the settings takes 3 µs, and compiling a domain of one rule 4.5 in all.
  const context = { engine, ruleTypes, pieces, ownDomain, guard, version, countProblems };
  const routing = readEngine(own);
  const fallback = readFallback(own, ownDomain);
  const aliases = Object.freeze(compileAliases(root, context));
  const { rules, known } = compileRules(root, context);
  if (unlisted > 0) {
    const message = `${unlisted} more problems are not listed: fix those that are`;
    diagnostics.push({ code: "config/too-many", message, path: [] });
  }
  if (diagnostics.length > 0) {
    return { ok: false, diagnostics: diagnostics.sort(compareDiagnostics) };
  }
  // Without pieces no later version asks, and the domain would keep them.
  if (pieces !== null) version.rules = known;
  const domain: CompiledDomain = {
    name: ownDomain,
    engine: routing,
    aliases,
    aliasPlan: new AliasPlan(aliases),
    rules: Object.freeze(rules),
    plan: planLater(rules, context),
    fallback,
  };
  if (settings.plan === "at-once") preparePlan(domain.plan());
  return { ok: true, domain: Object.freeze(domain) };
}

/** Options of `createCompiler`. */
export interface CompilerOptions extends CompileOptions {
  /** Rules and forwards that are kept for the next domain. Default: `LIMITS.piecesKeptMax`. */
  readonly piecesMax?: number;
  /** Expressions that are kept ready to evaluate, over all domains. Default: `LIMITS.programsKeptMax`. */
  readonly programsMax?: number;
  /** Domains whose plan is kept; another domain's plan is made again with its next message. Default: `LIMITS.plansKeptMax`. */
  readonly plansMax?: number;
}

/** Entries kept, and how often an entry that was needed was kept (`hits`) or not (`misses`). */
export interface CacheStats {
  readonly kept: number;
  readonly hits: number;
  readonly misses: number;
}

/** What a compiler keeps, and how often it could use that again. */
export interface CompilerStats {
  readonly matchers: CacheStats;
  readonly forwards: CacheStats;
  readonly programs: CacheStats;
  readonly plans: CacheStats;
  readonly scanners: CacheStats;
  readonly sets: CacheStats;
}

/** A compiler has its own caches: two compilers share nothing. */
export interface Compiler {
  /** The same result as `compileDomain`, made with the rules that were compiled before. */
  compileDomain(config: unknown): CompileResult;
  stats(): CompilerStats;
}

/** The caches whose use is counted. */
const COUNTED = ["matchers", "forwards", "programs", "plans", "scanners", "sets"] as const;

/** How many entries to keep by an option. */
function readMax(options: CompilerOptions, name: keyof CompilerOptions, usual: number): number {
  const value = options[name] ?? usual;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new RangeError(`\`${name}\` is ${value}: give a whole number that is not negative`);
}

/** Throws a `TypeError` or `RangeError` on invalid options. */
export function createCompiler(options: CompilerOptions = {}): Compiler {
  assertOptions(options, [...COMPILE_OPTIONS, "piecesMax", "programsMax", "plansMax"]);
  const piecesMax = readMax(options, "piecesMax", LIMITS.piecesKeptMax);
  const programsMax = readMax(options, "programsMax", LIMITS.programsKeptMax);
  const plansMax = readMax(options, "plansMax", LIMITS.plansKeptMax);
  const pieces: Pieces = {
    matchers: new BoundedCache(piecesMax),
    forwards: new BoundedCache(piecesMax),
    programs: new BoundedCache(programsMax),
    plans: new BoundedCache(plansMax),
    versions: new BoundedCache(plansMax),
    scanners: new BoundedCache(LIMITS.searchersKeptMax),
    sets: new BoundedCache(LIMITS.searchersKeptMax),
  };
  const settings = settingsOf(options, pieces);
  const statsOf = (name: (typeof COUNTED)[number]): [string, CacheStats] => {
    const { size, hits, misses } = pieces[name];
    return [name, { kept: size, hits, misses }];
  };
  return {
    compileDomain: (config) => compileWith(config, settings),
    stats: () => Object.fromEntries(COUNTED.map(statsOf)) as unknown as CompilerStats,
  };
}
