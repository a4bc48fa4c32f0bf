/**
 * Entry point `mailflow/rehearse`: tests, replays, comparisons and explanations of rules before they go live.
 * @module rehearse
 */

export {
  type BenchMessage,
  type BenchOptions,
  type BenchReport,
  benchRules,
  type RuleCost,
} from "./bench/bench.ts";
export { type BenchChange, type BenchComparison, compareBench } from "./bench/compare-bench.ts";
export type { Measure } from "./bench/measure-time.ts";
export { type Condition, conditionsOf } from "./cel-conditions.ts";
export type { WarningCode } from "./check/pattern-warnings.ts";
export { findWarnings, type Warning } from "./check/warnings.ts";
export {
  type Change,
  type ChangeGroup,
  type CompareOptions,
  type Comparison,
  compareDomains,
  type Sources,
  type UnreadableMessage,
  type Way,
} from "./diff/compare.ts";
export { type Delta, deltasBetween } from "./diff/config-delta.ts";
export { type ShadowResult, withNewRule } from "./diff/shadow.ts";
export type { Mutation } from "./mutate/mutants.ts";
export {
  type Fate,
  type KnownMessage,
  type MutantReport,
  type MutateOptions,
  type MutationReport,
  mutate,
} from "./mutate/mutate.ts";
export { type Decider, type Outcome, outcomeOf } from "./outcome.ts";
export {
  compareAll,
  type Difference,
  type FullComparison,
  type OpenPair,
} from "./proof/compare-all.ts";
export type { Owner } from "./proof/ladder.ts";
export type { Message } from "./proof/message/witness-message.ts";
export {
  type Proof,
  type ProofOptions,
  prove,
  type Question,
  type Witness,
  witness,
} from "./proof/prove.ts";
export type { SliceOptions } from "./proof/slices.ts";
export {
  type RehearsedDomain,
  type RehearseOptions,
  type RehearseResult,
  rehearse,
} from "./rehearsed-domain.ts";
export type { MailPlace } from "./replay/mail-place.ts";
export { type Replayed, type ReplayOptions, type ReplayProgress, replay } from "./replay/replay.ts";
export { type EntryHits, type ReplaySummary, summaryOf } from "./replay/replay-summary.ts";
export type { NotMailEntry, RuleFailure, SlowMessage, Tally } from "./replay/replay-tally.ts";
export type { SourceMessage } from "./route-message.ts";
export type { RuleChange } from "./rules/rule-tools.ts";
export {
  type ConditionCoverage,
  type Coverage,
  CoverageCounter,
  type EntryCoverage,
  type ScopeCoverage,
} from "./test/coverage.ts";
export { type InlineMessage, inlineFacts } from "./test/inline-message.ts";
export { lcovOf } from "./test/lcov.ts";
export { type PinOptions, pinsOf } from "./test/pin.ts";
export { type Expectation, type Mismatch, runTest, type TestResult } from "./test/rule-test.ts";
export {
  type RuleTest,
  readSuite,
  type SuiteProblem,
  type SuiteResult,
  type TestSuite,
} from "./test/test-suite.ts";
export { type Matched, type RouteExpectation, toRoute } from "./test/to-route.ts";
export type { Candidate, Target } from "./why/candidate.ts";
export type { MessageEdit } from "./why/edit-message.ts";
export type { NewRule, RuleEdit } from "./why/edit-rule.ts";
export type { FailedClause } from "./why/failed-clause.ts";
export type { MessageChange } from "./why/message-change.ts";
export { type Missed, type WhyNot, why } from "./why/why.ts";
