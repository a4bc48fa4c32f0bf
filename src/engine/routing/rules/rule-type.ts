/** A type of rule as one record: the fields of `config` that it reads, and the matcher that they make. */
import type { Problem, Span } from "../../../base/diagnostic.ts";
import type { Guard } from "../../../base/guard.ts";
import { LIMITS } from "../../../base/limits.ts";
import { quote } from "../../../base/quote.ts";
import type { ProgramStore } from "../../cel/compile-expression.ts";
import type { Stage } from "../../facts/facts.ts";
import type { PatternEngine } from "../../pattern/engines/pattern-engine.ts";
import type { PatternTree } from "../../pattern/syntax/pattern-tree.ts";
import type { RequiredLiterals } from "../../pattern/syntax/required-literals.ts";
import {
  type Fields,
  isRecord,
  isTexts,
  ownField,
  readText,
  reportAt,
} from "../config/config-fields.ts";
import type { MatchParts } from "../forward.ts";
import type { MessageView } from "../message-view.ts";
import type { Gate } from "../plan/gate.ts";
import type { Scope } from "../resolution.ts";

/** The outcome of one rule on one message. */
export type RuleOutcome =
  | { readonly verdict: "matched"; readonly parts: MatchParts }
  | { readonly verdict: "missed" }
  | { readonly verdict: "failed"; readonly failure: string }
  /** An unknown fact can change it. */
  | { readonly verdict: "undecided"; readonly needs: Stage }
  /** The guard refused to pay for it. */
  | { readonly verdict: "over-budget" };

/** It needs no captures. */
export const MATCHED: RuleOutcome = { verdict: "matched", parts: {} };
export const MISSED: RuleOutcome = { verdict: "missed" };
export const OVER_BUDGET: RuleOutcome = { verdict: "over-budget" };

/** What a trace entry says of a rule beyond its identity and verdict; each type has fields of its own. */
export interface RuleDetail {
  readonly type: string;
}

/**
 * The outcome of one rule, and what a trace says of it.
 * @inline
 */
export interface ExplainedRule<Detail extends RuleDetail = RuleDetail> {
  readonly outcome: RuleOutcome;
  readonly detail: Detail;
}

/** The circumstances under which a rule is tried. */
export interface Trial {
  /** Pays for what the rule does; ask it before the work. */
  readonly guard: Guard;
  /** Whether the forward is filled from captures. */
  readonly captures: "needed" | "unused";
  /** Whether to skip a scope now: it has no match, or is searched later. Its text is known. */
  isPassed(scope: Scope): boolean;
  /** Parts of the scope's text; any match lies in one of them. `null`: the whole text. */
  windows(scope: Scope): readonly Span[] | null;
}

/** A pattern that is searched in scopes. */
export interface SearchedPattern {
  readonly source: string;
  readonly scopes: readonly Scope[];
  readonly tree: PatternTree;
  /** Texts of which every match contains one; `null` if nothing is known. */
  required(): RequiredLiterals | null;
}

/** What a rule compiles to: whether it matches a message, and what a trace says about that. */
export interface RuleMatcher {
  /**
   * Set if the rule does nothing but search this pattern, in the scopes that the trial does not pass: a plan may then
   * try it on the body apart from the other scopes, and on parts of the body.
   */
  readonly searches?: SearchedPattern;
  /** Groups that fill `$1`…`$9` of the forward. */
  readonly groupCount: number;
  /** What must hold for it to match; `null` if nothing is known. */
  gate(): Gate | null;
  /** Never throws, and resolves no message of its own domain. */
  match(message: MessageView, trial: Trial): RuleOutcome;
  /** The same outcome, and the details of a trace entry. */
  explain(message: MessageView, trial: Trial): ExplainedRule;
  /** The details of a trace entry for a rule that was not tried. */
  untried(): RuleDetail;
}

/** What reading a field may need from the compiler. */
export interface FieldContext {
  readonly engine: PatternEngine | null;
  /** Where expressions keep their programs; undefined: each expression keeps its own. */
  readonly programs: ProgramStore | undefined;
}

type FieldSchema = Readonly<Record<string, unknown>>;

/** One field of a rule's `config`, besides `forward`. */
export interface RuleField<Value> {
  /** What it holds, for the schemas of the API. */
  readonly holds: "text" | { readonly anyOf: readonly string[] };
  /** What the schema of domain files says of it besides: `description`, `maxLength`, `examples`. */
  readonly schema?: FieldSchema;
  /** Reads the field; if it is wrong, reports every problem, and what it returns does not matter. */
  read(config: Fields, name: string, context: FieldContext): Value | null;
}

/** A rule type, made with `ruleType`. */
export interface RuleType {
  /** The `type` of its rules. */
  readonly type: string;
  /** What its rules do, for the schema of domain files: `compares the address`. */
  readonly description?: string;
  /** A rule stays the same as long as these fields and its `forward` do. */
  readonly fields: Readonly<Record<string, RuleField<unknown>>>;
  /** Makes the matcher, once every field could be read. */
  compile(values: Readonly<Record<string, unknown>>): RuleMatcher;
}

export function assertRuleType(value: Partial<RuleType> | null | undefined): void {
  const { type, fields, compile } = value ?? {};
  const isMade = typeof type === "string" && typeof compile === "function" && isRecord(fields);
  if (isMade && Object.values(fields).every((field) => typeof field?.read === "function")) return;
  throw new TypeError("a rule type is made with `ruleType({ type, fields, compile })`");
}

/** Makes a rule type whose `compile` knows the types of its fields. Throws a `TypeError` on anything else than such a record. */
export function ruleType<Read extends object>(record: {
  readonly type: string;
  readonly description?: string;
  readonly fields: { readonly [Name in keyof Read]: RuleField<Read[Name]> };
  compile(values: Read): RuleMatcher;
}): RuleType {
  assertRuleType(record as unknown as RuleType);
  return { ...record, compile: (values) => record.compile(values as Read) };
}

function isProblems(made: unknown): made is readonly Problem[] {
  if (!Array.isArray(made) || made.length === 0) return false;
  return made.every((one) => typeof one?.code === "string" && typeof one.message === "string");
}

/** A text that is not blank, of at most `unitsMax` code units, which `make` converts. */
export function textField<Value>(
  unitsMax: number,
  make: (text: string, context: FieldContext) => Value | readonly Problem[],
  schema: FieldSchema = {},
): RuleField<Value> {
  if (typeof unitsMax !== "number" || typeof make !== "function") {
    throw new TypeError("a text field is made with `textField(unitsMax, make)`");
  }
  return {
    holds: "text",
    schema,
    read(config, name, context) {
      const text = readText(config, name, unitsMax);
      if (text === null) return null;
      const made = make(text, context);
      if (!isProblems(made)) return made;
      for (const problem of made) reportAt(config, name, problem);
      return null;
    },
  };
}

/** A list of some of `names`, each once and in their order. */
export function choicesField<Name extends string>(
  names: readonly Name[],
  what: string,
  schema: FieldSchema = {},
): RuleField<readonly Name[]> {
  if (!isTexts(names))
    throw new TypeError("a field of choices is made with `choicesField(names, what)`");
  const any = `any of ${names.map((name) => `\`${name}\``).join(", ")}`;
  return {
    holds: { anyOf: names },
    schema,
    read(config, field) {
      const value = ownField(config, field);
      const problem = (code: Problem["code"], said: string): null =>
        reportAt(config, field, { code, message: `\`${field}\` ${said}` });
      if (value === undefined) return problem("config/missing-field", `is missing: list ${any}`);
      if (!Array.isArray(value))
        return problem("config/wrong-type", `is not an array: list ${any}`);
      if (value.length === 0) return problem("rule/no-scopes", `is empty: list ${any}`);
      if (value.length > LIMITS.choicesMax) {
        const said = `has ${value.length} entries: at most ${LIMITS.choicesMax} are allowed`;
        return problem("config/too-many", said);
      }
      const isKnown = (entry: unknown): boolean => names.some((name) => name === entry);
      const entries: readonly unknown[] = Array.from(value);
      entries.forEach((entry, index) => {
        if (isKnown(entry)) return;
        const shown = typeof entry === "string" ? quote(entry) : "this";
        config.report({
          code: "rule/unknown-scope",
          message: `${shown} is not a ${what}: use ${any}`,
          path: [...config.path, field, index],
        });
      });
      return entries.every(isKnown) ? names.filter((name) => entries.includes(name)) : null;
    },
  };
}
