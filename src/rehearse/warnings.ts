/** Warnings that are certain from the configuration alone, whatever mail comes. */
import type { Path, Span } from "../base/diagnostic.ts";
import { isPatternAlias } from "../routing/alias-matcher.ts";
import type { Scope } from "../routing/resolution.ts";
import { expressionFindings } from "./cel-warnings.ts";
import { canonicalDestination } from "./outcome.ts";
import {
  type Finding,
  patternFindings,
  type Searched,
  takesEverything,
} from "./pattern-warnings.ts";
import { reachFindings } from "./reach-warnings.ts";
import { aliasEntries, type RehearsedDomain, ruleEntries } from "./rehearsed-domain.ts";

/** In the form of a diagnostic: `path` leads to the value in the configuration, `span` lies within it. */
export interface Warning extends Finding {
  readonly path: Path;
}

type JsonRecord = RehearsedDomain["config"];

function duplicateDestinations({ forward }: JsonRecord): Finding[] {
  const source = String(forward);
  const seen = new Set<string>();
  let offset = 0;
  return source.split(",").flatMap((item): Finding[] => {
    const text = item.trim();
    const start = offset + item.indexOf(text);
    offset += item.length + 1;
    const key = canonicalDestination(text);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const span: Span = { start, end: start + text.length };
    const message = `\`${text}\` is named twice, and gets one copy: remove it`;
    return [{ code: "destination/duplicate", message, span }];
  });
}

function searchedIn(scopes: readonly Scope[]): Searched {
  if (scopes.every((scope) => scope === "sender" || scope === "recipient")) return "addresses";
  return scopes.includes("body") ? "texts" : "lines";
}

function aliasFindings(alias: unknown): readonly Finding[] {
  const text = String(alias);
  return isPatternAlias(text) ? patternFindings(text, "local-part") : [];
}

function at(path: Path, findings: readonly Finding[]): Warning[] {
  return findings.map((finding) => ({ ...finding, path }));
}

function warningsOfRules(rehearsed: RehearsedDomain): Warning[] {
  const entries = ruleEntries(rehearsed);
  const reach = reachFindings(entries, rehearsed.domain.rules);
  return entries.flatMap((entry): Warning[] => {
    const path: Path = ["rules", entry.index];
    const { config, values } = entry;
    const ofReach = reach
      .filter(({ rule }) => rule === entry)
      .map(({ code, message, field }): Warning => ({ code, message, path: [...path, ...field] }));
    const findings =
      values.type === "alias"
        ? at([...path, "config", "alias"], aliasFindings(config.alias))
        : values.type === "cel"
          ? at([...path, "config", "expression"], expressionFindings(String(config.expression)))
          : at(
              [...path, "config", "regex"],
              patternFindings(String(config.regex), searchedIn(config.scopes as readonly Scope[])),
            );
    const doubled = at([...path, "config", "forward"], duplicateDestinations(config));
    return [...ofReach, ...findings, ...doubled];
  });
}

/** Aliases behind a wildcard or pattern that takes every address: only `*` and its like stand there. */
function unreachableAliases({ domain }: RehearsedDomain): ReadonlyMap<string, string> {
  const { formAliases } = domain;
  const end = formAliases.findIndex(
    ({ matcher: { form, alias }, forward }) =>
      !forward.usesCaptures &&
      (form === "pattern" ? takesEverything(alias, "local-part") : /^\*+$/.test(alias)),
  );
  if (end < 0) return new Map();
  const taker = formAliases[end]!.matcher.alias;
  return new Map(formAliases.slice(end + 1).map(({ id }) => [id, taker]));
}

function warningsOfAliases(rehearsed: RehearsedDomain): Warning[] {
  const unreachable = unreachableAliases(rehearsed);
  return aliasEntries(rehearsed).flatMap(({ id, index, values }): Warning[] => {
    const path: Path = ["aliases", index];
    const taker = unreachable.get(id);
    const message = `is never reached: \`${taker}\` is tried first and takes every address: remove one of them`;
    const ofReach: Finding[] = taker === undefined ? [] : [{ code: "alias/unreachable", message }];
    return [
      ...at([...path, "alias"], [...ofReach, ...aliasFindings(values.alias)]),
      ...at([...path, "forward"], duplicateDestinations(values)),
    ];
  });
}

/** A file with nothing but what the API says of the domain itself: it lists aliases and rules apart. */
function warningsOfDomain({ config, domain }: RehearsedDomain): Warning[] {
  const { engine, name } = domain;
  const list = engine === "alias" ? "aliases" : "rules";
  if (engine === null || config[list] !== undefined) return [];
  const path: Path = typeof config.domain === "object" ? ["domain"] : [];
  const message = `is \`${engine}\`, but the file has no \`${list}\`: add those that the API answers at \`/domains/${name}/${list}\``;
  return [{ code: "domain/no-entries", message, path: [...path, "routing_engine"] }];
}

/** All warnings, in the order of the configuration. */
export function findWarnings(rehearsed: RehearsedDomain): readonly Warning[] {
  return [
    ...warningsOfDomain(rehearsed),
    ...warningsOfAliases(rehearsed),
    ...warningsOfRules(rehearsed),
  ];
}
