/** Checks single aliases, rules and domain fields with the engine itself, so that everything saved compiles. */
import { type Diagnostic, formatPath, type Path } from "../../base/diagnostic.ts";
import { byField } from "../../base/issues.ts";
import { lineColumnAt } from "../../base/render-diagnostic.ts";
import { type CompileOptions, compileDomain } from "../../engine/routing/compile-domain.ts";
import { canonicalAlias } from "../../engine/routing/rules/alias-rule.ts";
import { ruleTypesWith } from "../../engine/routing/rules/rule-types.ts";
import { type FieldErrors, fieldProblem } from "./problem.ts";

/** An object as a client sends it: its fields may be anything. */
export type Entry = Readonly<Record<string, unknown>>;

function textAt(value: unknown, path: Path): string | undefined {
  let at = value;
  for (const step of path) at = (at as Entry | undefined)?.[step];
  return typeof at === "string" ? at : undefined;
}

/** The message, with the place in `text` to which it points. */
function withPlace(diagnostic: Diagnostic, text: string | undefined): string {
  const { message, span } = diagnostic;
  if (span === undefined || text === undefined) return message;
  const { line, column } = lineColumnAt(text, span.start);
  return `${message} (line ${line}, column ${column})`;
}

/** Diagnostics as field errors, under the path below the first `depth` steps: `config.regex`. */
function toErrors(config: Entry, diagnostics: readonly Diagnostic[], depth: number): FieldErrors {
  const said = diagnostics.map((diagnostic) => {
    const field = formatPath(diagnostic.path.slice(depth));
    return [field, withPlace(diagnostic, textAt(config, diagnostic.path))] as const;
  });
  return byField(said);
}

export interface ValidAlias {
  /** As sent. */
  readonly alias: string;
  /** In lower case, unless it is a pattern; unique within the domain. */
  readonly name: string;
  readonly forward: string;
}

/** Names that no client can address, because a URL's path drops them. */
const PATH_DOTS: ReadonlySet<unknown> = new Set([".", ".."]);

/** Throws 400 with the errors of `alias` and `forward`. */
// ASSUMPTION(alias-spelling): an alias is shown as it was sent, and compared in any letter case
export function validateAlias(domain: string, entry: Entry): ValidAlias {
  if (PATH_DOTS.has(entry.alias)) {
    const message = `\`${entry.alias}\` cannot be the name of an alias: it cannot be in the path of a URL`;
    throw fieldProblem({ alias: [message] });
  }
  const config = { domain, routing_engine: null, aliases: [entry] };
  const compiled = compileDomain(config);
  if (!compiled.ok) throw fieldProblem(toErrors(config, compiled.diagnostics, 2));
  return {
    alias: entry.alias as string,
    name: canonicalAlias(entry.alias as string),
    forward: (entry.forward as string).trim(),
  };
}

/** Whether a field of a config belongs to another type of rule. */
export function isFieldOfOtherType(
  type: string,
  name: string,
  ruleTypes: CompileOptions["ruleTypes"],
): boolean {
  const types = ruleTypesWith(ruleTypes);
  if (name === "forward" || Object.hasOwn(types.get(type)?.fields ?? {}, name)) return false;
  return [...types.values()].some(({ fields }) => Object.hasOwn(fields, name));
}

export interface ValidRule {
  readonly type: string;
  /** Only the fields of the type. */
  readonly config: Entry;
}

/** Throws 400 with the errors of `type`, `config.…`, `rank` and `active`, the last two optional. */
export function validateRule(
  domain: string,
  entry: Entry,
  ruleTypes: CompileOptions["ruleTypes"],
): ValidRule {
  const config = { domain, routing_engine: null, rules: [entry] };
  const compiled = compileDomain(config, { ruleTypes });
  if (!compiled.ok) throw fieldProblem(toErrors(config, compiled.diagnostics, 2));
  const { type, fields } = compiled.domain.rules[0]!.type;
  const given = entry.config as Entry;
  const kept = [...Object.keys(fields), "forward"].map((name) => [name, given[name]]);
  return { type, config: Object.fromEntries(kept) };
}

/** The errors of `domain`, `routing_engine` and `rules_fallback_email`; empty if they compile. */
export function routingErrors(config: {
  readonly domain: unknown;
  readonly routing_engine: unknown;
  readonly rules_fallback_email: unknown;
}): FieldErrors {
  const compiled = compileDomain(config);
  return compiled.ok ? {} : toErrors(config, compiled.diagnostics, 0);
}
