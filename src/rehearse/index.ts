/** Entry point `mailflow/rehearse`: tests, replays, comparisons and explanations of rules before they go live. */
export type { Candidate, Target } from "./candidate.ts";
export { type Condition, conditionsOf } from "./cel-conditions.ts";
export {
  type Change,
  type ChangeGroup,
  type CompareOptions,
  type Comparison,
  compareDomains,
  type Sources,
  type UnreadableMessage,
  type Way,
} from "./compare.ts";
export { type Delta, deltasBetween } from "./config-delta.ts";
export {
  type ConditionCoverage,
  type Coverage,
  CoverageCounter,
  type EntryCoverage,
  type ScopeCoverage,
} from "./coverage.ts";
export type { MessageEdit } from "./edit-message.ts";
export type { RuleChange, RuleEdit } from "./edit-rule.ts";
export type { FailedClause } from "./failed-clauses.ts";
export { type InlineMessage, inlineFacts } from "./inline-message.ts";
export { lcovOf } from "./lcov.ts";
export type { MessageChange } from "./message-change.ts";
export { type Decider, type Outcome, outcomeOf } from "./outcome.ts";
export type { WarningCode } from "./pattern-warnings.ts";
export { type PinOptions, pinsOf } from "./pin.ts";
export { type RehearsedDomain, type RehearseResult, rehearse } from "./rehearsed-domain.ts";
export { type Replayed, type ReplayOptions, type ReplayProgress, replay } from "./replay.ts";
export type { MailPlace } from "./replay-plan.ts";
export { type EntryHits, type ReplaySummary, summaryOf } from "./replay-summary.ts";
export type { RuleFailure, SlowMessage, Tally } from "./replay-tally.ts";
export type { SourceMessage } from "./route-message.ts";
export { type Expectation, type Mismatch, runTest, type TestResult } from "./rule-test.ts";
export { type ShadowResult, withNewRule } from "./shadow.ts";
export {
  type RuleTest,
  readSuite,
  type SuiteProblem,
  type SuiteResult,
  type TestSuite,
} from "./test-suite.ts";
export { type Matched, type RouteExpectation, toRoute } from "./to-route.ts";
export { findWarnings, type Warning } from "./warnings.ts";
export { type Missed, type WhyNot, why } from "./why.ts";
