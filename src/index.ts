/**
 * `mailflow`: the engine. A message and a domain in, destinations out. It loads nothing of Node.js.
 * @module engine
 */
export type { Diagnostic, DiagnosticCode, Path, Span } from "./base/diagnostic.ts";
export { formatPath } from "./base/diagnostic.ts";
export type { Guard } from "./base/guard.ts";
export { LIMITS } from "./base/limits.ts";
export { renderDiagnostic } from "./base/render-diagnostic.ts";
export type { StepTally, StepTrace } from "./engine/cel/compile-program.ts";
export type { AttachmentFact, Facts, Stage } from "./engine/facts/facts.ts";
export type {
  Pattern,
  PatternEngine,
  PatternMatch,
  PatternResult,
} from "./engine/pattern/engines/pattern-engine.ts";
export type { RequiredLiteral } from "./engine/pattern/syntax/required-literals.ts";
export type {
  CacheStats,
  CompiledDomain,
  CompileOptions,
  CompileResult,
  Compiler,
  CompilerOptions,
  CompilerStats,
} from "./engine/routing/compile-domain.ts";
export { compileDomain, createCompiler } from "./engine/routing/compile-domain.ts";
export type {
  AliasConfig,
  DomainConfig,
  DomainFields,
  HostRuleConfig,
  RuleConfig,
} from "./engine/routing/config/domain-config.ts";
export type {
  AliasTraceEntry,
  Explanation,
  RuleTraceEntry,
  TraceEntry,
} from "./engine/routing/explain.ts";
export { explain } from "./engine/routing/explain.ts";
export type { MatchParts } from "./engine/routing/forward.ts";
export type { MessageView } from "./engine/routing/message-view.ts";
export type { Gate, GateFact, Opening } from "./engine/routing/plan/gate.ts";
export type {
  Action,
  AliasForm,
  DecidedBy,
  Decision,
  Destination,
  Reason,
  Resolution,
  Scope,
  SmtpReply,
  Undecided,
} from "./engine/routing/resolution.ts";
export type { ResolveOptions } from "./engine/routing/resolve.ts";
export { resolve } from "./engine/routing/resolve.ts";
export type { ResolveStats } from "./engine/routing/resolve-stats.ts";
export { createResolveStats } from "./engine/routing/resolve-stats.ts";
export type { ScopeTrace } from "./engine/routing/rules/regex-rule.ts";
export type {
  FieldContext,
  RuleDetail,
  RuleField,
  RuleMatcher,
  RuleOutcome,
  RuleType,
  SearchedPattern,
  Trial,
} from "./engine/routing/rules/rule-type.ts";
export { choicesField, ruleType, textField } from "./engine/routing/rules/rule-type.ts";
export type { RuleShapes, RuleTypeName } from "./engine/routing/rules/rule-types.ts";
export type { Envelope, ToFactsOptions } from "./message/header/message-facts.ts";
export { toFacts } from "./message/header/message-facts.ts";
