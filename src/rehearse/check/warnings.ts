/** Warnings that follow from the configuration alone, whatever mail comes. */
import type { Path, Span } from "../../base/diagnostic.ts";
import { canonicalDestination } from "../../engine/facts/address.ts";
import { ownerKey } from "../proof/ladder.ts";
import { allProofs, type Proof } from "../proof/prove.ts";
import { atOnce } from "../proof/slices.ts";
import { aliasEntries, type RehearsedDomain, ruleEntries } from "../rehearsed-domain.ts";
import { aliasFindings } from "../rules/alias-tools.ts";
import { toolsOfType } from "../rules/tools-table.ts";
import type { Finding } from "./pattern-warnings.ts";
import { type ReachFindings, reachFindings } from "./reach-warnings.ts";
import { unknownFields } from "./unknown-fields.ts";

/** Like a diagnostic: `path` leads to the value in the configuration, `span` is inside that value. */
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

function at(path: Path, findings: readonly Finding[]): Warning[] {
  return findings.map((finding) => ({ ...finding, path }));
}

/** Codes of findings that explain why a rule matches nothing. */
const SAY_WHY: ReadonlySet<string> = new Set([
  "pattern/capital-letters",
  "pattern/no-address",
  "cel/capital-letters",
  "cel/no-address",
]);

function warningsOfRules(rehearsed: RehearsedDomain, { reach, ranks }: ReachFindings): Warning[] {
  return ruleEntries(rehearsed).flatMap((entry): Warning[] => {
    const path: Path = ["rules", entry.index];
    const { config, values, id } = entry;
    const tools = toolsOfType(values.type);
    const field = [...path, "config", tools.condition];
    const findings = tools.findings(config, rehearsed.domain.name);
    const key = ownerKey({ kind: "rule", id });
    const [tie, unreached] = [ranks.get(key), reach.get(key)];
    const isExplained =
      unreached?.code === "rule/contradiction" && findings.some(({ code }) => SAY_WHY.has(code));
    return [
      ...at([...path, "rank"], tie === undefined ? [] : [tie]),
      ...at(field, unreached === undefined || isExplained ? [] : [unreached]),
      ...at(field, findings),
      ...at([...path, "config", "forward"], duplicateDestinations(config)),
    ];
  });
}

function warningsOfAliases(rehearsed: RehearsedDomain, { reach }: ReachFindings): Warning[] {
  return aliasEntries(rehearsed).flatMap(({ id, index, values }): Warning[] => {
    const path: Path = ["aliases", index];
    const unreached = reach.get(ownerKey({ kind: "alias", id }));
    const ofReach = unreached === undefined ? [] : [unreached];
    return [
      ...at([...path, "alias"], [...ofReach, ...aliasFindings(values.alias)]),
      ...at([...path, "forward"], duplicateDestinations(values)),
    ];
  });
}

function warningsOfFields({ config }: RehearsedDomain): Warning[] {
  return unknownFields(config).map(({ path, meant }) => {
    const message = `is not a field, and is ignored: did you mean \`${meant}\`?`;
    return { code: "config/unknown-field", message, path };
  });
}

/**
 * Warnings about a domain without entries. The API returns a domain without its aliases and rules, so a file may lack
 * them.
 */
function warningsOfDomain({ config, domain }: RehearsedDomain): readonly Warning[] {
  const { engine, name, rules, fallback } = domain;
  const list = engine === "alias" ? "aliases" : "rules";
  if (engine === null) return [];
  const path: Path = typeof config.domain === "object" ? ["domain"] : [];
  const warning = (message: string): readonly Warning[] => [
    { code: "domain/no-entries", message, path: [...path, "routing_engine"] },
  ];
  if (config[list] === undefined) {
    return warning(
      `is \`${engine}\`, but the file has no \`${list}\`: add those that the API answers at \`/domains/${name}/${list}\``,
    );
  }
  const takesNothing =
    engine === "rules" && fallback === null && !rules.some(({ active }) => active);
  if (!takesNothing) return [];
  return warning(
    "is `rules`, but there is no active rule and no fallback, so every message is discarded: add a rule, or `rules_fallback_email`",
  );
}

function warningsOfFallback({ config }: RehearsedDomain, { reach }: ReachFindings): Warning[] {
  const unreached = reach.get(ownerKey({ kind: "end" }));
  if (unreached === undefined) return [];
  const path: Path = typeof config.domain === "object" ? ["domain"] : [];
  return at([...path, "rules_fallback_email"], [unreached]);
}

/** States that proofs may look at if the caller sets no budget: some tenths of a second. */
const STATES_MAX = 20_000;

/**
 * All warnings, in the order of the configuration; each is certain. `proofs` come from `prove`; by default, as many
 * questions are answered as a short time allows.
 */
export function findWarnings(
  rehearsed: RehearsedDomain,
  proofs: readonly Proof[] = atOnce(allProofs(rehearsed, STATES_MAX, STATES_MAX)),
): readonly Warning[] {
  const reach = reachFindings(rehearsed.domain, proofs);
  return [
    ...warningsOfFields(rehearsed),
    ...warningsOfDomain(rehearsed),
    ...warningsOfFallback(rehearsed, reach),
    ...warningsOfAliases(rehearsed, reach),
    ...warningsOfRules(rehearsed, reach),
  ];
}
