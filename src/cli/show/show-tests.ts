/**
 * Shows results of rule tests for people: each test on one line; for failed tests also the expected and actual result
 * and the nearest miss.
 */
import type { TestResult } from "../../rehearse/test/rule-test.ts";
import { count } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { showMissed } from "../../rehearse/words/show-why.ts";
import type { RanTest, SuiteRun } from "../read/run-suite.ts";
import { ACTION_WORDS, showDecision } from "./show-decision.ts";

function indented(units: number, lines: readonly Line[]): Line[] {
  return lines.map((line) => (line.length === 0 ? line : [" ".repeat(units), ...line]));
}

/** Width of the longest field, `destinations`, and a gap. */
const FIELD_UNITS = 14;

function showMismatches({ mismatches }: TestResult): Line[] {
  return mismatches.flatMap(({ field, wanted, got }): Line[] => [
    [`${field.padEnd(FIELD_UNITS)}wanted  `, styled("green", wanted)],
    ["".padEnd(FIELD_UNITS), "got     ", styled("red", got)],
  ]);
}

/** What failed in one test, without its name. */
export function showFailure({ result, recipient }: RanTest, { rehearsed }: SuiteRun): Line[] {
  if ("failure" in result) return [[styled("red", result.failure)]];
  const { decision, trace, nearest } = result;
  const [, because, whither] = showDecision("", recipient, decision, rehearsed.domain, trace);
  const target = nearest?.target;
  const wanted =
    target?.kind === "destination" ? target.destination : `${target?.kind} ${target?.id}`;
  const nearMiss =
    nearest === null
      ? []
      : nearest.verdict === "no-such-target"
        ? [[`nothing in the domain is or sends to ${wanted}`]]
        : nearest.candidates.slice(0, 1).flatMap(showMissed);
  return [
    ...showMismatches(result),
    [`for ${recipient} it is ${ACTION_WORDS[decision.action].word}`],
    because!,
    whither!,
    ...(nearMiss.length === 0 ? [] : [["nearest miss"], ...indented(2, nearMiss)]),
  ];
}

function showTest(test: RanTest, suite: SuiteRun): Line[] {
  const { name, line, result } = test;
  if (result.passed) return [["  ", styled("green", "✓"), ` ${name}`]];
  const place = styled("dim", `  ${suite.file}:${line}`);
  return [
    ["  ", styled("red", "✗"), " ", styled("bold", name), place],
    ...indented(6, showFailure(test, suite)),
  ];
}

export function countTests(runs: readonly SuiteRun[]): { passed: number; failed: number } {
  const tests = runs.flatMap((run) => run.tests);
  const passed = tests.filter(({ result }) => result.passed).length;
  return { passed, failed: tests.length - passed };
}

export function showSuites(runs: readonly SuiteRun[]): Line[] {
  const { passed, failed } = countTests(runs);
  const summary: Line =
    failed === 0
      ? [styled("green", `${count(passed, "test")} passed`)]
      : [styled("red", `${count(failed, "test")} failed`), `, ${passed} passed`];
  return [
    ...runs.flatMap((run) => [
      [styled("bold", run.file), ` on ${run.domainPath}`],
      ...run.tests.flatMap((test) => showTest(test, run)),
      [],
    ]),
    summary,
  ];
}
