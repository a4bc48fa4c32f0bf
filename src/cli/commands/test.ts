/** `mailflow test`: runs rule tests, and reports what they do not cover. */
import { formatPath } from "../../base/diagnostic.ts";
import { locateValues } from "../../base/json-text.ts";
import { linesOf } from "../../base/render-diagnostic.ts";
import { type Coverage, CoverageCounter } from "../../rehearse/test/coverage.ts";
import { lcovOf, lcovPaths } from "../../rehearse/test/lcov.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import {
  type Command,
  CommandFailure,
  type Given,
  optionOf,
  percentOf,
  UsageError,
} from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { findTests } from "../read/find-tests.ts";
import { DOMAIN_FUEL, type UsableFile, usableDomains } from "../read/read-domain.ts";
import { readSuiteFile, type SuiteFile } from "../read/read-suite.ts";
import { domainPathOf, pathBeside, runSuite, type SuiteRun } from "../read/run-suite.ts";
import { nextChange } from "../read/watch-files.ts";
import { note, type Reports } from "../report.ts";
import { testReport } from "../show/report-tests.ts";
import { percentText, showCoverage } from "../show/show-coverage.ts";
import { countTests } from "../show/show-tests.ts";
import { refuseOthers, writeNew } from "../write-new.ts";

interface DomainCoverage {
  readonly domain: string;
  readonly file: UsableFile;
  readonly coverage: Coverage;
}

const REPORTERS = ["pretty", "tap", "junit", "json"] as const;
const COVERAGES = ["text", "lcov"] as const;

/** Throws a `CommandFailure` with the mistakes of all files. */
async function readSuites(paths: readonly string[], io: CliIo): Promise<readonly SuiteFile[]> {
  const results = await Promise.all(paths.map((path) => readSuiteFile(path, io.cwd)));
  const suites = results.filter((result) => result.ok);
  if (suites.length === results.length) return suites;
  throw new CommandFailure(
    EXIT.unusable,
    results.flatMap((result) => (result.ok ? [] : result.lines)),
  );
}

function coverageOf(
  domains: ReadonlyMap<string, UsableFile>,
  runs: readonly SuiteRun[],
): readonly DomainCoverage[] {
  return [...domains].map(([domain, file]) => {
    const counter = new CoverageCounter(file);
    for (const { domainPath, tests } of runs) {
      if (domainPath !== domain) continue;
      for (const { result } of tests) if ("trace" in result) counter.add(result.trace);
    }
    return { domain, file, coverage: counter.report() };
  });
}

function lcovText(covered: readonly DomainCoverage[]): string {
  const records = covered.map(({ domain, file: { text }, coverage }) => {
    const paths = lcovPaths(coverage);
    const offsets = locateValues(text, paths);
    const lineOf = linesOf(text);
    const lines = new Map(
      paths.map((path, index) => [formatPath(path), lineOf(offsets[index]!).line]),
    );
    return lcovOf(coverage, domain, (path) => lines.get(formatPath(path)) ?? 1);
  });
  return records.join("");
}

/** How a file of `--coverage lcov` begins, of another tool's too. */
const LCOV = /^(?:TN|SF):/;

function lcovPath(given: Given): string {
  return optionOf(given, "coverage-file") ?? "lcov.info";
}

/** The results, then the coverage, where it is asked for. */
async function* report(
  given: Given,
  io: CliIo,
  runs: readonly SuiteRun[],
  covered: readonly DomainCoverage[],
): Reports<void> {
  const wanted = optionOf(given, "coverage");
  // Files come first: whoever reads the results may stop early, as in `mailflow test | head`.
  if (wanted === "lcov") {
    const path = lcovPath(given);
    await refuseOthers("coverage-file", path, LCOV, io.cwd);
    await writeNew(path, lcovText(covered), "overwrite", io.cwd);
    yield note([`coverage written to ${path}`]);
  }
  yield testReport(runs, wanted === undefined ? null : covered);
  if (wanted === "text") {
    const lines = () =>
      covered.flatMap((each): Line[] => [[], ...showCoverage(each.domain, each.coverage)]);
    yield { text: lines };
    // Programs read the results from standard output, which has nothing else; JSON has the coverage in it.
    yield { to: "stderr", tap: lines, junit: lines };
  }
}

/** Runs the tests once. Adds to `files` every file that they depend on, as soon as it is known. */
async function* round(given: Given, io: CliIo, floor: number | null, files: Set<string>): Reports {
  const paths = await findTests(given.arguments, io.cwd);
  for (const path of paths) files.add(path);
  const suites = await readSuites(paths, io);
  const override = optionOf(given, "domain");
  const domainOf = (file: SuiteFile): string => override ?? domainPathOf(file);
  for (const file of suites) {
    files.add(domainOf(file));
    for (const { message } of file.suite.tests) {
      if (typeof message === "string") files.add(pathBeside(file.path, message));
    }
  }
  const domainPaths = [...new Set(suites.map(domainOf))];
  const usable = await usableDomains(domainPaths, given, io);
  const domains = new Map(domainPaths.map((path, index) => [path, usable[index]!]));
  const runs: SuiteRun[] = [];
  for (const suite of suites) {
    const path = domainOf(suite);
    runs.push(await runSuite(suite, path, domains.get(path)!, io));
  }
  const covered = coverageOf(domains, runs);
  yield* report(given, io, runs, covered);
  const below = covered.filter(({ coverage }) => floor !== null && coverage.percent < floor);
  for (const { domain, coverage } of below) {
    const said = `coverage of ${domain} is ${percentText(coverage.percent)}, less than ${floor} %`;
    yield note([styled("red", said)]);
  }
  return countTests(runs).failed === 0 && below.length === 0 ? EXIT.ok : EXIT.errorsFound;
}

/** A round that says what is wrong with its files: once they change, another round begins. */
async function* watchedRound(
  given: Given,
  io: CliIo,
  floor: number | null,
  files: Set<string>,
): Reports {
  try {
    return yield* round(given, io, floor, files);
  } catch (error) {
    if (error instanceof CommandFailure) yield note(...error.lines);
    else if (error instanceof UsageError) yield note([styled("red", "error: "), error.message]);
    else throw error;
    for (const path of given.arguments.length === 0 ? ["."] : given.arguments) files.add(path);
    return EXIT.unusable;
  }
}

async function* runTests(given: Given, io: CliIo): Reports {
  const floor = percentOf(given, "fail-under");
  if (given.options.has("coverage-file") && optionOf(given, "coverage") !== "lcov") {
    throw new UsageError("`--coverage-file` needs `--coverage lcov`");
  }
  if (!given.options.has("watch")) return yield* round(given, io, floor, new Set());
  /** Of all rounds: a file that is gone, or that cannot be read, may come back. */
  const files = new Set<string>();
  for (;;) {
    const started = Date.now();
    const exit = yield* watchedRound(given, io, floor, files);
    yield note([styled("dim", "waiting for changes; Ctrl-C ends it")]);
    if ((await nextChange([...files], io.cwd, started, io.end)) === "ended") return exit;
    yield { text: () => [[]] };
  }
}

export const testCommand: Command = {
  name: "test",
  summary: "runs rule tests: messages, and what should happen to each",
  arguments: [
    {
      name: "files",
      count: "any",
      description: "`<domain>.mailtest.json` or .yaml, or folders (default: this folder)",
    },
  ],
  options: [
    {
      name: "domain",
      value: "domain.json",
      description: "test this domain instead of the one that each file names",
    },
    DOMAIN_FUEL,
    {
      name: "reporter",
      value: "format",
      choices: REPORTERS,
      description: "format of the results (default: pretty)",
    },
    {
      name: "coverage",
      value: "format",
      choices: COVERAGES,
      description: "report the rules, scopes and CEL branches that no test reached",
    },
    {
      name: "coverage-file",
      value: "path",
      description: "file for --coverage lcov (default: lcov.info)",
    },
    {
      name: "fail-under",
      value: "percent",
      description: "fail if the coverage of a domain is lower",
    },
    { name: "watch", description: "run again when one of the files changes" },
  ],
  notes: [
    "",
    "A test has a name, a message (a file, or sender, recipient, subject, body, headers, attachments), and what to",
    "expect: any of action, destinations, rule, alias, reason. `domain` in the file of tests names the domain file.",
    "By default it is the one beside it: shop.mailtest.json tests shop.json.",
    "Exit code: 0 all passed, 1 a test failed or the coverage is too low, 2 wrong use or an unreadable file.",
  ],
  examples: [
    "mailflow test",
    "mailflow test example.com.mailtest.json --coverage text --fail-under 90",
    "mailflow test --reporter junit > results.xml",
    "mailflow test --domain proposed.json",
  ],
  run: runTests,
};
