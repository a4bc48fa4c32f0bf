/** `mailflow test`: runs rule tests, and reports what they do not cover. */
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { formatPath } from "../../base/diagnostic.ts";
import { locateValues } from "../../base/json-text.ts";
import { linesOf } from "../../base/render-diagnostic.ts";
import { type Coverage, CoverageCounter } from "../../rehearse/test/coverage.ts";
import { lcovOf, lcovPaths } from "../../rehearse/test/lcov.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { styled, writeLines } from "../line.ts";
import { writeFailure } from "../read/file-failure.ts";
import { findTests } from "../read/find-tests.ts";
import { type DomainFile, readDomain } from "../read/read-domain.ts";
import { readSuiteFile, type SuiteFile } from "../read/read-suite.ts";
import { domainPathOf, runSuite, type SuiteRun } from "../read/run-suite.ts";
import { nextChange } from "../read/watch-files.ts";
import { jsonOf, junitOf, tapOf } from "../show/report-tests.ts";
import { percentText, showCoverage } from "../show/show-coverage.ts";
import { countTests, showSuites } from "../show/show-tests.ts";

type ReadDomain = Extract<DomainFile, { ok: true }>;

interface DomainCoverage {
  readonly domain: string;
  readonly file: ReadDomain;
  readonly coverage: Coverage;
}

/** The result of one round; `unusable`: the error for an unreadable file was shown. */
interface Round {
  readonly exit: number;
  /** Files to watch: when one changes, the tests run again. */
  readonly files: readonly string[];
}

const REPORTERS = ["pretty", "tap", "junit", "json"] as const;
const COVERAGES = ["text", "lcov"] as const;

function floorOf({ options }: Given): number | null {
  const written = options.get("fail-under")?.[0];
  if (written === undefined) return null;
  const floor = Number(written);
  if (written.trim() !== "" && floor >= 0 && floor <= 100) return floor;
  throw new UsageError(`\`--fail-under\` cannot be \`${written}\`: write a percentage, 0 to 100`);
}

async function readSuites(
  paths: readonly string[],
  io: CliIo,
): Promise<readonly SuiteFile[] | null> {
  const results = await Promise.all(paths.map((path) => readSuiteFile(path, io.cwd)));
  for (const result of results) {
    if (!result.ok) await writeLines(io.stderr, io.env, result.lines);
  }
  const suites = results.filter((result) => result.ok);
  return suites.length === results.length ? suites : null;
}

async function readDomains(
  paths: ReadonlySet<string>,
  io: CliIo,
): Promise<ReadonlyMap<string, ReadDomain> | null> {
  const domains = new Map<string, ReadDomain>();
  for (const path of paths) {
    const file = await readDomain(path, io);
    if (file.ok) domains.set(path, file);
    else await writeLines(io.stderr, io.env, file.lines);
  }
  return domains.size === paths.size ? domains : null;
}

function coverageOf(
  domains: ReadonlyMap<string, ReadDomain>,
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

async function writeReport(
  { options }: Given,
  io: CliIo,
  runs: readonly SuiteRun[],
  covered: readonly DomainCoverage[],
): Promise<void> {
  const reporter = options.get("reporter")?.[0] ?? "pretty";
  const wanted = options.get("coverage")?.[0];
  if (reporter === "pretty") await writeLines(io.stdout, io.env, showSuites(runs));
  if (reporter === "tap") await io.stdout.write(tapOf(runs));
  if (reporter === "junit") await io.stdout.write(junitOf(runs));
  if (reporter === "json") {
    const told = covered.map(({ domain, coverage }) => ({ domain, coverage }));
    await io.stdout.write(jsonOf(runs, wanted === undefined ? null : told));
  }
  if (wanted === "text" && reporter !== "json") {
    const output = reporter === "pretty" ? io.stdout : io.stderr;
    const lines = covered.flatMap(({ domain, coverage }) => [
      [],
      ...showCoverage(domain, coverage),
    ]);
    await writeLines(output, io.env, lines);
  }
  if (wanted !== "lcov") return;
  const path = options.get("coverage-file")?.[0] ?? "lcov.info";
  try {
    await writeFile(resolve(io.cwd, path), lcovText(covered));
  } catch (error) {
    throw new UsageError(writeFailure(error, path));
  }
  await writeLines(io.stderr, io.env, [[`coverage written to ${path}`]]);
}

async function round(given: Given, io: CliIo, floor: number | null): Promise<Round> {
  const paths = await findTests(given.arguments, io.cwd);
  const suites = await readSuites(paths, io);
  if (suites === null) return { exit: EXIT.unusable, files: paths };
  const override = given.options.get("domain")?.[0];
  const domainOf = (file: SuiteFile): string => override ?? domainPathOf(file);
  const messages = suites.flatMap(({ path, suite }) =>
    suite.tests.flatMap(({ message }) =>
      typeof message === "string" ? [join(dirname(path), message)] : [],
    ),
  );
  const files = [...paths, ...suites.map(domainOf), ...messages];
  const domains = await readDomains(new Set(suites.map(domainOf)), io);
  if (domains === null) return { exit: EXIT.unusable, files };
  const runs: SuiteRun[] = [];
  for (const suite of suites) {
    const path = domainOf(suite);
    runs.push(await runSuite(suite, path, domains.get(path)!, io));
  }
  const covered = coverageOf(domains, runs);
  await writeReport(given, io, runs, covered);
  const below = covered.filter(({ coverage }) => floor !== null && coverage.percent < floor);
  for (const { domain, coverage } of below) {
    const said = `coverage of ${domain} is ${percentText(coverage.percent)}, less than ${floor} %`;
    await writeLines(io.stderr, io.env, [[styled("red", said)]]);
  }
  const isGood = countTests(runs).failed === 0 && below.length === 0;
  return { exit: isGood ? EXIT.ok : EXIT.errorsFound, files };
}

/** A round of `--watch`: shows what is wrong with its files; once they change, another round begins. */
async function watchedRound(
  given: Given,
  io: CliIo,
  floor: number | null,
  before: readonly string[],
): Promise<Round> {
  try {
    return await round(given, io, floor);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await writeLines(io.stderr, io.env, [[styled("red", "error: "), error.message]]);
    const paths = given.arguments.length === 0 ? ["."] : given.arguments;
    return { exit: EXIT.unusable, files: [...before, ...paths] };
  }
}

async function runTests(given: Given, io: CliIo): Promise<number> {
  const floor = floorOf(given);
  if (!given.options.has("watch")) return (await round(given, io, floor)).exit;
  let files: readonly string[] = [];
  for (;;) {
    const started = Date.now();
    const { exit, files: seen } = await watchedRound(given, io, floor, files);
    files = seen;
    await writeLines(io.stderr, io.env, [[styled("dim", "waiting for changes; Ctrl-C ends it")]]);
    if ((await nextChange(files, io.cwd, started, io.end)) === "ended") return exit;
    await writeLines(io.stdout, io.env, [[]]);
  }
}

export const testCommand: Command = {
  name: "test",
  summary: "runs rule tests: what should become of which message",
  arguments: [
    {
      name: "files",
      count: "any",
      description: "`<domain>.mailtest.json` or .yaml, or folders; default: all below this one",
    },
  ],
  options: [
    {
      name: "domain",
      value: "domain.json",
      description: "test this domain instead of the one each file names",
    },
    {
      name: "reporter",
      value: "format",
      choices: REPORTERS,
      description: "how results are told (default pretty)",
    },
    {
      name: "coverage",
      value: "format",
      choices: COVERAGES,
      description: "which rules, scopes and CEL branches no test reached",
    },
    {
      name: "coverage-file",
      value: "path",
      description: "where --coverage lcov is written (default lcov.info)",
    },
    {
      name: "fail-under",
      value: "percent",
      description: "fail when the coverage of a domain is less",
    },
    { name: "watch", description: "run again whenever one of the files changes" },
  ],
  notes: [
    "",
    "A test has a name, a message (a file, or sender, recipient, subject, body, headers, attachments) and what to",
    "expect: any of action, destinations, rule, alias, reason. A file of tests is for the domain it names in",
    "`domain`, by default the one beside it: shop.mailtest.json tests shop.json.",
    "Exit code: 0 all passed, 1 a test failed or too little is covered, 2 wrong use or an unreadable file.",
  ],
  examples: [
    "mailflow test",
    "mailflow test example.com.mailtest.json --coverage text --fail-under 90",
    "mailflow test --reporter junit > results.xml",
    "mailflow test --domain proposed.json",
  ],
  run: runTests,
};
