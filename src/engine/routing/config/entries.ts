/** Reads the aliases and rules of a configuration: each pays for itself, and comes in the order of trial. */
import { formatPath, type Path, type Problem } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import type { Program } from "../../cel/compile-program.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import { compileForward, type Forward } from "../forward.ts";
import type { Searchers } from "../plan/fact-index.ts";
import type { Gate } from "../plan/gate.ts";
import type { RoutingPlan } from "../plan/plan.ts";
import { aliasField, canonicalAlias, isPatternAlias } from "../rules/alias-rule.ts";
import {
  type CompiledAlias,
  type CompiledRule,
  type KnownRule,
  saysSame,
  valuesOf,
} from "../rules/compiled-rule.ts";
import type { RuleMatcher, RuleType } from "../rules/rule-type.ts";
import type { RuleTypes } from "../rules/rule-types.ts";
import {
  type Fields,
  isTexts,
  ownField,
  readOptionalFlag,
  readOptionalText,
  readRecord,
  readRecords,
  readText,
  readTimestamp,
  reportAt,
  reportChoice,
} from "./config-fields.ts";
import type { BoundedCache } from "./pieces.ts";

/** What a domain is compiled with. */
export interface CompileSettings {
  readonly engine: PatternEngine | null;
  readonly ruleTypes: RuleTypes;
  readonly plan: "first-message" | "at-once";
  readonly domainFuelMax: number;
  /** Pieces compiled before; `null` if nothing is kept. */
  readonly pieces: Pieces | null;
}

/** What compiling an entry needs to know about its domain. */
export interface Context extends Pick<CompileSettings, "engine" | "ruleTypes" | "pieces"> {
  readonly ownDomain: string;
  /** The budget of the domain. */
  readonly guard: Guard;
  readonly version: DomainVersion;
  /** How many problems were reported so far. */
  readonly countProblems: () => number;
}

/** What is known of a domain when it is compiled again. */
export interface DomainVersion {
  /** By entry of `rules`, as they were when nothing was wrong with the domain. */
  rules: readonly (KnownRule | null)[];
  /** The rules of its plans: of the one made last, and of the one before, as a host may use two versions in turn. */
  planned: readonly (readonly CompiledRule[])[];
}

/** What a compiler keeps. */
export interface Pieces extends Searchers {
  readonly matchers: BoundedCache<RuleMatcher>;
  readonly forwards: BoundedCache<Forward>;
  readonly programs: BoundedCache<Program>;
  /** By the rules of a domain. */
  readonly plans: BoundedCache<RoutingPlan, readonly CompiledRule[]>;
  /** By the name of a domain. */
  readonly versions: BoundedCache<DomainVersion>;
}

/** Units of work of an entry, and of each code unit of its forward: measured 5 µs and 1 KB, and 0.3 µs. */
const ENTRY_FUEL = 600;
const FORWARD_FUEL = 15;
/** Of a pattern or an expression, and of each of its code units: measured 20 to 30 µs and 4 KB, and 1 to 2.3 µs and 250 octets. */
const SOURCE_FUEL = 1_500;
const SOURCE_UNIT_FUEL = 130;
/** Of each literal by which an entry is found, in each fact: measured 5 to 10 µs, and 0.8 KB. */
const LITERAL_FUEL = 500;

function unitsOf(fields: Fields, name: string, unitsMax: number): number {
  const value = ownField(fields, name);
  return typeof value === "string" ? Math.min(value.length, unitsMax) : 0;
}

/** What an entry takes of the budget of its domain to be read, with the patterns or expressions in the fields `sources`. */
function readingFuel(config: Fields, sources: readonly string[]): number {
  let fuel = ENTRY_FUEL + FORWARD_FUEL * unitsOf(config, "forward", LIMITS.forwardUnitsMax);
  for (const name of sources) {
    // Longer sources are refused unread.
    fuel += SOURCE_FUEL + SOURCE_UNIT_FUEL * unitsOf(config, name, LIMITS.celUnitsMax);
  }
  return fuel;
}

/** What finding it by its gate takes. */
function gateFuel(gate: Gate | null): number {
  let literals = 0;
  for (const opening of gate?.openings ?? []) {
    if ("literals" in opening) literals += opening.literals.length;
  }
  return LITERAL_FUEL * literals;
}

/** False, and reported, if the budget of the domain does not cover `fuel`. Then no later entry is looked at. */
function payEntry(fields: Fields, guard: Guard, fuel: number): boolean {
  if (guard.take(fuel)) return true;
  const used = `the aliases and rules before this one took ${guard.used} of the ${guard.unitsMax} units of work of a domain`;
  const message = `${used}, and this one needs ${fuel}: use fewer or shorter ones, or raise \`domainFuelMax\``;
  fields.report({ code: "domain/too-costly", message, path: fields.path });
  return false;
}

/** Pays for finding an entry, and reads its `forward`; without a matcher, which was refused, only to report what is wrong. */
function readForward(
  fields: Fields,
  config: Fields,
  matcher: RuleMatcher | null,
  { guard, ownDomain, pieces }: Context,
): Forward | null {
  if (matcher !== null && !payEntry(fields, guard, gateFuel(matcher.gate()))) return null;
  // The captures of a refused matcher are not known: then everything but the captures is checked.
  const groupCount = matcher?.groupCount ?? Number.POSITIVE_INFINITY;
  const source = readText(config, "forward", LIMITS.forwardUnitsMax);
  if (source === null) return null;
  const compile = (): Forward | null =>
    compileForward(source, groupCount, ownDomain, (problem) => {
      reportAt(config, "forward", problem);
    });
  if (pieces === null) return compile();
  return pieces.forwards.get(`${groupCount} ${ownDomain} ${source}`, compile);
}

/** The author's id, or one made from the place in the configuration: `rules[3]`. */
function readId(fields: Fields): string {
  return readOptionalText(fields, "id") ?? formatPath(fields.path);
}

/** The id that an entry will have; `undefined` if it is no text, or too long. */
function idOf(fields: Fields): string | undefined {
  const id = ownField(fields, "id");
  if (id === undefined) return formatPath(fields.path);
  return typeof id === "string" && id.length <= LIMITS.idUnitsMax ? id : undefined;
}

/** Reports the field `name` of every entry whose key an earlier entry has. */
function reportDuplicates(
  entries: readonly Fields[],
  name: "id" | "alias",
  keyOf: (fields: Fields) => string | undefined,
  code: Problem["code"],
  advice: string,
): void {
  const first = new Map<string, Path>();
  for (const fields of entries) {
    const key = keyOf(fields);
    if (key === undefined) continue;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, fields.path);
    else {
      const place = quote(formatPath(earlier));
      const message = `${quote(key)} is already the ${name} of ${place}: ${advice}`;
      reportAt(fields, name, { code, message });
    }
  }
}

/** Creation time, then id, then place (sorting is stable). */
export function byAge(
  a: { readonly createdMs: number; readonly id: string },
  b: { readonly createdMs: number; readonly id: string },
): number {
  // Of two without a creation time the difference is `NaN`.
  return a.createdMs - b.createdMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function readAlias(fields: Fields, context: Context): CompiledAlias | null {
  const { engine, guard } = context;
  const alias = ownField(fields, "alias");
  // Literal aliases are looked up: no text is searched for them.
  const isSought = typeof alias === "string" && (alias.includes("*") || isPatternAlias(alias));
  const fuel = readingFuel(fields, isSought ? ["alias"] : []);
  if (guard.isSpent || !payEntry(fields, guard, fuel)) return null;
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const matcher = aliasField.read(fields, "alias", { engine, programs: undefined });
  const forward = readForward(fields, fields, matcher, context);
  if (matcher === null || forward === null) return null;
  return Object.freeze({ id, createdMs, matcher, forward });
}

/** Literals as they are written, then wildcards and patterns with the longest literal first, then `*`. */
function byTrial(a: CompiledAlias, b: CompiledAlias): number {
  // Of two literals the difference is `NaN`.
  const longer = b.matcher.literalUnits - a.matcher.literalUnits;
  // ASSUMPTION(alias-ties): wildcards and patterns with literals of one length are tried by created_at, then id
  return longer || (a.matcher.form === "literal" ? 0 : byAge(a, b));
}

/** Reads `aliases`; those with diagnostics are left out. */
export function compileAliases(root: Fields, context: Context): readonly CompiledAlias[] {
  const entries = readRecords(root, "aliases", LIMITS.aliasesMax);
  const text = (fields: Fields): string | undefined => {
    const alias = ownField(fields, "alias");
    return typeof alias === "string" ? canonicalAlias(alias) : undefined;
  };
  const join = "join their destinations in one";
  reportDuplicates(entries, "alias", text, "alias/duplicate", join);
  reportDuplicates(entries, "id", idOf, "alias/duplicate-id", "give another");
  const aliases = entries.flatMap((fields) => readAlias(fields, context) ?? []);
  return aliases.sort(byTrial);
}

function readType(fields: Fields, { ruleTypes }: Context): RuleType | null {
  const type = ruleTypes.get(ownField(fields, "type"));
  if (type !== undefined) return type;
  const choice = `one of ${[...ruleTypes.keys()].map((one) => `\`${one}\``).join(", ")}`;
  const kind = { code: "rule/unknown-type", called: "a rule type" } as const;
  return reportChoice(fields, "type", kind, `give ${choice}`, `use ${choice}`);
}

/** A key of everything a matcher is made from; `null` if a field is neither a text nor a list of texts. */
function keyOf({ type, fields }: RuleType, config: Fields): string | null {
  const values = Object.keys(fields).map((name) => ownField(config, name));
  const hasKey = values.every((value) => typeof value === "string" || isTexts(value));
  return hasKey ? JSON.stringify([type, ...values]) : null;
}

function readMatcher(type: RuleType, config: Fields, context: Context): RuleMatcher | null {
  const { pieces, engine, countProblems } = context;
  const read = (): RuleMatcher | null => {
    const before = countProblems();
    const values = Object.entries(type.fields).map(([name, field]): [string, unknown] => [
      name,
      field.read(config, name, { engine, programs: pieces?.programs }),
    ]);
    return countProblems() > before ? null : type.compile(Object.fromEntries(values));
  };
  const key = pieces === null ? null : keyOf(type, config);
  return key === null ? read() : pieces!.matchers.get(key, read);
}

function readRank(fields: Fields, next: number): number {
  const rank = ownField(fields, "rank");
  if (rank === undefined) return next;
  if (Number.isFinite(rank)) return rank as number;
  const isQuoted = typeof rank === "string" && rank.trim() !== "" && Number.isFinite(Number(rank));
  const message = isQuoted
    ? `\`rank\` is a text: write ${Number(rank)}, without quotes`
    : "`rank` is not a finite number: give one, decimals allowed, lower is tried first";
  reportAt(fields, "rank", { code: "rule/rank-not-finite", message });
  return next;
}

function readRule(fields: Fields, nextRank: number, context: Context): KnownRule | null {
  const id = readId(fields);
  const createdMs = readTimestamp(fields, "created_at");
  const rank = readRank(fields, nextRank);
  const active = readOptionalFlag(fields, "active") ?? true;
  const config = readRecord(fields, "config");
  const type = readType(fields, context);
  if (config === null) return null;
  const { guard, pieces } = context;
  const before = guard.used;
  let matcher: RuleMatcher | null = null;
  if (type !== null) {
    const texts = Object.keys(type.fields).filter((name) => type.fields[name]!.holds === "text");
    if (!payEntry(fields, guard, readingFuel(config, texts))) return null;
    matcher = readMatcher(type, config, context);
  }
  const forward = readForward(fields, config, matcher, context);
  if (type === null || matcher === null || forward === null) return null;
  const rule = Object.freeze({ id, rank, active, createdMs, type, matcher, forward });
  const values = pieces === null ? null : valuesOf(type, fields, config);
  return { rule, place: fields.path[1] as number, values, fuel: guard.used - before };
}

/** Recognises entries of the version before, of which some in a row have been changed, added or removed; pays for them. */
function recognise(
  { version, guard }: Context,
  count: number,
  fields: Fields,
  nextRank: number,
): KnownRule | null {
  const known = version.rules;
  const place = fields.path[1] as number;
  for (const one of [known[place], known[place + known.length - count]]) {
    if (one && one.fuel <= guard.left && saysSame(one, fields, nextRank)) {
      guard.take(one.fuel);
      return one;
    }
  }
  return null;
}

/** Reads `rules`, inactive ones too: sorted by rank, and as entries, those of them that can be read. */
export function compileRules(
  root: Fields,
  context: Context,
): { readonly rules: readonly CompiledRule[]; readonly known: DomainVersion["rules"] } {
  const entries = readRecords(root, "rules", LIMITS.rulesMax);
  reportDuplicates(entries, "id", idOf, "rule/duplicate-id", "give another");
  // ASSUMPTION(next-rank): a rule without a rank gets the largest rank before it, plus one
  let largest = 0;
  const rules: CompiledRule[] = [];
  const known: (KnownRule | null)[] = [];
  for (const fields of entries) {
    if (context.guard.isSpent) break;
    const next = largest + 1;
    const read =
      recognise(context, entries.length, fields, next) ?? readRule(fields, next, context);
    known.push(read);
    if (read === null) continue;
    largest = Math.max(largest, read.rule.rank);
    rules.push(read.rule);
  }
  // ASSUMPTION(rank-ties): rules of equal rank are tried by created_at, then id; without a created_at, last
  rules.sort((a, b) => a.rank - b.rank || byAge(a, b));
  return { rules, known };
}
