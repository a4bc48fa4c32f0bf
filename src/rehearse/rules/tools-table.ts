/** The tools by type of rule. */

import type { RuleTraceEntry, TraceEntry } from "../../engine/routing/explain.ts";
import type { RuleTypeName } from "../../engine/routing/rules/rule-types.ts";
import { cutSource, quoted } from "../words/excerpt.ts";
import { ALIAS_TOOLS } from "./alias-tools.ts";
import { CEL_TOOLS } from "./cel-tools.ts";
import { REGEX_TOOLS } from "./regex-tools.ts";
import type { RuleTools } from "./rule-tools.ts";
import { ruleForSender } from "./this-message.ts";

const IDENTITY: ReadonlySet<string> = new Set(["kind", "id", "rank", "type", "verdict", "failure"]);

/** `header "list-id", contains "news"`. */
export function shownFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([name]) => !IDENTITY.has(name))
    .map(
      ([name, value]) =>
        `${name} ${typeof value === "string" ? quoted(value) : cutSource(JSON.stringify(value) ?? "unknown")}`,
    )
    .join(", ");
}

/** For any type: a host's own has these tools, and the record of another may start with `...GENERAL_TOOLS`. */
const GENERAL_TOOLS: RuleTools = {
  condition: "",
  describe: ({ type, config }) => `${type} ${cutSource(JSON.stringify(config))}`,
  fails: "on some messages",
  findings: () => [],
  ways: () => null,
  slips: () => [],
  parts: () => ({ scopes: [], conditions: [] }),
  count() {},
  shorten: (entry) => entry,
  matched: (entry) => [shownFields({ ...entry })],
  missed: (entry) => [`does not hold: ${shownFields({ ...entry })}`],
  failedClauses(entry) {
    if (entry.failure !== undefined) return [{ kind: "failure", failure: entry.failure }];
    const own = Object.entries(entry).filter(([name]) => !IDENTITY.has(name));
    return [{ kind: "config", config: Object.fromEntries(own) }];
  },
  widen: () => [],
  addAlternative: () => [],
  another: ruleForSender,
  toMatch: () => [],
  toMiss: () => [],
};

const RULE_TOOLS: {
  readonly [Type in RuleTypeName]: RuleTools<Extract<RuleTraceEntry, { readonly type: Type }>>;
} = {
  alias: ALIAS_TOOLS,
  regex: REGEX_TOOLS,
  cel: CEL_TOOLS,
};

const BY_NAME: ReadonlyMap<unknown, unknown> = new Map(Object.entries(RULE_TOOLS));

/** The tools for a type of rule, by its name. */
export function toolsOfType(type: unknown): RuleTools {
  return (BY_NAME.get(type) ?? GENERAL_TOOLS) as RuleTools;
}

/** The tools for the entry of a trace; an alias has those of a rule of type `alias`. */
export function toolsOf(entry: TraceEntry): RuleTools<TraceEntry> {
  return (entry.kind === "alias" ? ALIAS_TOOLS : toolsOfType(entry.type)) as RuleTools<TraceEntry>;
}
