/**
 * Entry point `mailflow/runner`: worker threads that resolve messages, each with a deadline.
 * @module runner
 */
export type { LoadResult, Runner, RunnerOptions, RunResult } from "./runner.ts";
export { createRunner } from "./runner.ts";
