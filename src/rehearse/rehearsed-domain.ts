/** A domain to rehearse: its configuration, which edits change, and its compiled form. */
import type { Diagnostic } from "../base/diagnostic.ts";
import {
  type CompiledDomain,
  type CompileOptions,
  compileDomain,
} from "../engine/routing/compile-domain.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** A domain to rehearse, made by `rehearse`. */
export interface RehearsedDomain {
  /** As given. */
  readonly config: JsonRecord;
  readonly domain: CompiledDomain;
  readonly options: RehearseOptions;
}

/** Options for compiling a domain to rehearse. */
export type RehearseOptions = Pick<CompileOptions, "ruleTypes" | "domainFuelMax">;

/** A domain ready for rehearsing, or the diagnostics of its configuration. */
export type RehearseResult =
  | { readonly ok: true; readonly rehearsed: RehearsedDomain }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Compiles a configuration for rehearsing. If it is invalid, returns all diagnostics. */
export function rehearse(config: unknown, options: RehearseOptions = {}): RehearseResult {
  const compiled = compileDomain(config, options);
  if (!compiled.ok) return compiled;
  // A configuration that compiles is an object.
  const rehearsed = { config: config as JsonRecord, domain: compiled.domain, options };
  return { ok: true, rehearsed };
}

/** A rule as its author wrote it. */
export interface RuleEntry {
  readonly id: string;
  readonly index: number;
  readonly values: JsonRecord;
  /** The rule's `config`. */
  readonly config: JsonRecord;
}

/** The rules in the order of the configuration. */
export function ruleEntries({ config }: RehearsedDomain): readonly RuleEntry[] {
  const rules = (config.rules ?? []) as readonly JsonRecord[];
  return rules.map((values, index) => {
    const id = typeof values.id === "string" ? values.id : `rules[${index}]`;
    return { id, index, values, config: values.config as JsonRecord };
  });
}

/** The aliases in the order of the configuration. */
export function aliasEntries({ config }: RehearsedDomain): readonly Omit<RuleEntry, "config">[] {
  const aliases = (config.aliases ?? []) as readonly JsonRecord[];
  return aliases.map((values, index) => {
    const id = typeof values.id === "string" ? values.id : `aliases[${index}]`;
    return { id, index, values };
  });
}

/** The same domain with other rules, or `null` if that does not compile. */
export function withRules(
  { config, options }: RehearsedDomain,
  rules: readonly JsonRecord[],
): RehearsedDomain | null {
  const result = rehearse({ ...config, rules }, options);
  return result.ok ? result.rehearsed : null;
}

/** The configuration with another engine, in whichever shape of the API it has. */
function routedBy(config: JsonRecord, engine: "alias" | "rules"): JsonRecord {
  const { domain } = config;
  if (typeof domain !== "object") return { ...config, routing_engine: engine };
  return { ...config, domain: { ...domain, routing_engine: engine } };
}

/** The domain as if this alias or rule were its only one, and active. */
export function onlyEntry(
  rehearsed: RehearsedDomain,
  kind: "alias" | "rule",
  id: string,
): CompiledDomain {
  const entries = kind === "rule" ? ruleEntries(rehearsed) : aliasEntries(rehearsed);
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) throw new TypeError(`no ${kind} \`${id}\` in the domain`);
  const values = kind === "rule" ? { ...entry.values, active: true, id } : { ...entry.values, id };
  const base = routedBy(rehearsed.config, kind === "rule" ? "rules" : "alias");
  const aliases = kind === "alias" ? [values] : [];
  const rules = kind === "rule" ? [values] : [];
  const result = rehearse({ ...base, aliases, rules }, rehearsed.options);
  if (!result.ok) throw new TypeError(`the ${kind} \`${id}\` does not compile alone`);
  return result.rehearsed.domain;
}
