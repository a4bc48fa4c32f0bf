/** Formats results of rule tests for programs: TAP 13, JUnit XML, and JSON. */

import { outcomeOf } from "../../rehearse/outcome.ts";
import type { Coverage } from "../../rehearse/test/coverage.ts";
import type { Line } from "../../rehearse/words/line.ts";
import { plainText, printable } from "../line.ts";
import type { RanTest, SuiteRun } from "../read/run-suite.ts";
import type { CommandReport } from "../report.ts";
import { countTests, showFailure, showSuites } from "./show-tests.ts";

function plain(lines: readonly Line[]): string[] {
  return lines.map((line) => printable(plainText(line)));
}

/** One line. */
function failureTitle({ result }: RanTest): string {
  if ("failure" in result) return result.failure;
  const told = result.mismatches.map(({ wanted, got }) => `wanted ${wanted}, got ${got}`);
  return printable(told.join("; "));
}

function failureText(test: RanTest, run: SuiteRun): string[] {
  return plain(showFailure(test, run));
}

/** A description for TAP: `#` and backslashes are escaped, and it stays on one line. */
function tapText(text: string): string {
  return printable(text).replace(/[\\#]/g, "\\$&");
}

/** TAP 13, which `prove` reads; a failure is a YAML block with one literal text. */
function tapOf(runs: readonly SuiteRun[]): string {
  const tests = runs.flatMap((run) => run.tests.map((test) => ({ test, run })));
  const lines = ["TAP version 13", `1..${tests.length}`];
  for (const [index, { test, run }] of tests.entries()) {
    const { name, line, result } = test;
    lines.push(
      `${result.passed ? "" : "not "}ok ${index + 1} - ${tapText(`${run.file}: ${name}`)}`,
    );
    if (result.passed) continue;
    const text = failureText(test, run).map((each) => `    ${each}`.trimEnd());
    lines.push(
      "  ---",
      `  at: ${JSON.stringify(`${run.file}:${line}`)}`,
      "  message: |",
      ...text,
      "  ...",
    );
  }
  return `${lines.join("\n")}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

function xmlText(text: string): string {
  // Characters that XML 1.0 does not allow are replaced, as for a terminal.
  return text.replace(/[&<>"\n]/g, (unit) => ENTITIES[unit]!).replace(/[\ufffe\uffff]/g, "·");
}

/** One `testsuite` for each file. Has no times, which would make every report different. */
function junitOf(runs: readonly SuiteRun[]): string {
  const { passed, failed } = countTests(runs);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mailflow" tests="${passed + failed}" failures="${failed}" errors="0">`,
  ];
  for (const run of runs) {
    const counts = countTests([run]);
    const file = xmlText(printable(run.file));
    lines.push(
      `  <testsuite name="${file}" tests="${run.tests.length}" failures="${counts.failed}" errors="0" file="${file}">`,
    );
    for (const test of run.tests) {
      const head = `    <testcase name="${xmlText(printable(test.name))}" classname="${file}"`;
      if (test.result.passed) {
        lines.push(`${head}/>`);
        continue;
      }
      // Readers of this format ignore a line attribute on a test case.
      const text = [`at ${printable(run.file)}:${test.line}`, ...failureText(test, run)];
      lines.push(
        `${head}>`,
        `      <failure message="${xmlText(failureTitle(test))}">${xmlText(text.join("\n"))}</failure>`,
        "    </testcase>",
      );
    }
    lines.push("  </testsuite>");
  }
  return `${lines.join("\n")}\n</testsuites>\n`;
}

function jsonTest({ name, line, recipient, result }: RanTest): object {
  if ("failure" in result) return { name, line, passed: false, failure: result.failure };
  const { passed, mismatches, decision } = result;
  return { name, line, recipient, passed, mismatches, got: outcomeOf(decision) };
}

/** `coverage`: of each domain; `null` if it is not asked for. */
function jsonOf(
  runs: readonly SuiteRun[],
  covered: readonly { readonly domain: string; readonly coverage: Coverage }[] | null,
): object {
  const files = runs.map(({ file, domainPath, tests }) => ({
    file,
    domain: domainPath,
    tests: tests.map(jsonTest),
  }));
  const coverage = covered?.map((each) => ({ domain: each.domain, coverage: each.coverage }));
  return { ...countTests(runs), files, ...(coverage !== undefined && { coverage }) };
}

/** The results of all files; `covered` is the coverage of each domain, for JSON alone. */
export function testReport(
  runs: readonly SuiteRun[],
  covered: readonly { readonly domain: string; readonly coverage: Coverage }[] | null,
): CommandReport {
  return {
    text: () => showSuites(runs),
    json: () => jsonOf(runs, covered),
    tap: () => tapOf(runs),
    junit: () => junitOf(runs),
  };
}
