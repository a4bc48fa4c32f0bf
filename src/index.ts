/** `mailflow`: the engine. A message and a domain in, destinations out; loads nothing of Node. */
export type { Diagnostic, DiagnosticCode, Path, Span } from "./base/diagnostic.ts";
export { formatPath } from "./base/diagnostic.ts";
export { renderDiagnostic } from "./base/render-diagnostic.ts";
export type { StepTally, StepTrace } from "./cel/expression.ts";
export type { AttachmentFact, Facts, Stage } from "./mail/facts.ts";
export type { Envelope, ToFactsOptions } from "./mail/message-facts.ts";
export { toFacts } from "./mail/message-facts.ts";
export type {
  Pattern,
  PatternEngine,
  PatternMatch,
  PatternResult,
} from "./regex/pattern-engine.ts";
export { re2jsEngine } from "./regex/re2js-engine.ts";
export type { CompiledDomain, CompileOptions, CompileResult } from "./routing/compile-domain.ts";
export { compileDomain } from "./routing/compile-domain.ts";
export type { CacheStats, Compiler, CompilerOptions, CompilerStats } from "./routing/compiler.ts";
export { createCompiler } from "./routing/compiler.ts";
export { explain } from "./routing/explain.ts";
export type {
  Action,
  AliasForm,
  AliasTraceEntry,
  DecidedBy,
  Decision,
  Destination,
  Explanation,
  Reason,
  Resolution,
  RuleTraceEntry,
  Scope,
  ScopeTrace,
  SmtpReply,
  TraceEntry,
  Undecided,
} from "./routing/resolution.ts";
export type { ResolveOptions } from "./routing/resolve.ts";
export { resolve } from "./routing/resolve.ts";
export type { ResolveStats } from "./routing/resolve-stats.ts";
export { createResolveStats } from "./routing/resolve-stats.ts";
