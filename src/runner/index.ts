/** `mailflow/runner`: messages resolved in workers, each with a deadline. */
export type { LoadResult, Runner, RunnerOptions, RunResult } from "./runner.ts";
export { createRunner } from "./runner.ts";
