/** Checks single aliases, rules and domain fields with the engine itself: what is saved always compiles. */
import { type Diagnostic, formatPath, type Path } from "../base/diagnostic.ts";
import { lineColumnAt } from "../base/render-diagnostic.ts";
import { canonicalAlias } from "../routing/alias-matcher.ts";
import { compileDomain } from "../routing/compile-domain.ts";
import { type FieldErrors, fieldProblem } from "./problem.ts";

/** An object as a client sends it: its fields may be anything. */
export type Entry = Readonly<Record<string, unknown>>;

function textAt(value: unknown, path: Path): string | undefined {
  let at = value;
  for (const step of path) at = (at as Entry | undefined)?.[step];
  return typeof at === "string" ? at : undefined;
}

/** The message, and where in `text` it points to. */
function withPlace(diagnostic: Diagnostic, text: string | undefined): string {
  const { message, span } = diagnostic;
  if (span === undefined || text === undefined) return message;
  const { line, column } = lineColumnAt(text, span.start);
  return `${message} (line ${line}, column ${column})`;
}

/** Diagnostics as field errors, under the path below the first `depth` steps: `config.regex`. */
function toErrors(config: Entry, diagnostics: readonly Diagnostic[], depth: number): FieldErrors {
  const errors: Record<string, readonly string[]> = {};
  for (const diagnostic of diagnostics) {
    const field = formatPath(diagnostic.path.slice(depth));
    const message = withPlace(diagnostic, textAt(config, diagnostic.path));
    errors[field] = [...(errors[field] ?? []), message];
  }
  return errors;
}

export interface ValidAlias {
  /** In lower case, but for a pattern: no two of a domain compare alike. */
  readonly alias: string;
  readonly forward: string;
}

/** Throws 400 with the errors of `alias` and `forward`. */
// ASSUMPTION(alias-spelling): an alias is kept in lower case, unless it is a pattern
export function validateAlias(domain: string, entry: Entry): ValidAlias {
  const config = { domain, routing_engine: null, aliases: [entry] };
  const compiled = compileDomain(config);
  if (!compiled.ok) throw fieldProblem(toErrors(config, compiled.diagnostics, 2));
  return {
    alias: canonicalAlias(entry.alias as string),
    forward: (entry.forward as string).trim(),
  };
}

const CONFIG_FIELDS: Readonly<Record<string, readonly string[]>> = {
  alias: ["alias", "forward"],
  regex: ["regex", "scopes", "forward"],
  cel: ["expression", "forward"],
};

export interface ValidRule {
  readonly type: string;
  /** Only the fields that the type has. */
  readonly config: Entry;
}

/** Throws 400 with the errors of `type`, `config.…`, `rank` and `active`, the last two optional. */
export function validateRule(domain: string, entry: Entry): ValidRule {
  const config = { domain, routing_engine: null, rules: [entry] };
  const compiled = compileDomain(config);
  if (!compiled.ok) throw fieldProblem(toErrors(config, compiled.diagnostics, 2));
  const type = entry.type as string;
  const given = entry.config as Entry;
  const kept = CONFIG_FIELDS[type]!.map((name) => [name, given[name]]);
  return { type, config: Object.fromEntries(kept) };
}

/** The errors of `domain`, `routing_engine` and `rules_fallback_email`; empty when they compile. */
export function routingErrors(config: {
  readonly domain: unknown;
  readonly routing_engine: unknown;
  readonly rules_fallback_email: unknown;
}): FieldErrors {
  const compiled = compileDomain(config);
  return compiled.ok ? {} : toErrors(config, compiled.diagnostics, 0);
}
