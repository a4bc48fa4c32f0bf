/** `mailflow mutate`: which small changes to the rules no test and no message would notice. */
import { resolve } from "node:path";
import {
  type KnownMessage,
  type MutantReport,
  type MutationReport,
  mutate,
} from "../../rehearse/mutate/mutate.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { readerOf, recipientsNamed, wholeFacts } from "../../rehearse/route-message.ts";
import { count } from "../../rehearse/words/count.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { type Command, type Given, percentOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { progressLine } from "../progress-line.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/find-messages.ts";
import { findTests } from "../read/find-tests.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import { readSuiteFile } from "../read/read-suite.ts";
import { domainPathOf, runSuite } from "../read/run-suite.ts";
import { note, type Reports } from "../report.ts";
import { messageText } from "../show/diff/show-proofs.ts";
import { percentText } from "../show/show-coverage.ts";

/** Tests that pass, and how many do not. */
interface Tests {
  readonly passing: readonly KnownMessage[];
  readonly failing: number;
}

/** The tests of the domain: those in the files named, or all for it below this folder. */
async function testsFor(
  path: string,
  named: readonly string[] | undefined,
  rehearsed: RehearsedDomain,
  io: CliIo,
): Promise<Tests> {
  const passing: KnownMessage[] = [];
  let failing = 0;
  const paths = await findTests(named ?? [], io.cwd).catch((error: unknown) => {
    if (named === undefined && error instanceof UsageError) return [];
    throw error;
  });
  for (const file of paths) {
    const suite = await readSuiteFile(file, io.cwd);
    if (!suite.ok) {
      if (named === undefined) continue;
      throw new UsageError(`\`${file}\` is not a file of tests: see \`mailflow test ${file}\``);
    }
    const isFor = resolve(io.cwd, domainPathOf(suite)) === resolve(io.cwd, path);
    if (named === undefined && !isFor) continue;
    const { tests } = await runSuite(suite, path, rehearsed, io);
    for (const [index, { name, facts, result }] of tests.entries()) {
      const { expect } = suite.suite.tests[index]!;
      if (facts !== null && result.passed) passing.push({ name, facts, expect });
      else failing++;
    }
  }
  return { passing, failing };
}

async function messagesFor(
  paths: readonly string[],
  { domain }: RehearsedDomain,
  io: CliIo,
): Promise<readonly KnownMessage[]> {
  const known: KnownMessage[] = [];
  for await (const source of await mailAt(paths, io)) {
    if ("failure" in source) continue;
    const reader = readerOf(source);
    for (const recipient of await recipientsNamed(domain, reader)) {
      const facts = await wholeFacts(domain, recipient, undefined, reader);
      known.push({ name: source.name, facts });
    }
  }
  return known;
}

function showSurvivor({ of, id, change, fate }: MutantReport): Line[] {
  if (fate.kind !== "survived") return [];
  const { difference } = fate;
  return [
    [styled("yellow", "survived  "), `${of} ${id}: ${change}`],
    [
      "          ",
      difference === null
        ? "it is not known whether this changes anything"
        : messageText(difference.message),
    ],
  ];
}

function show(
  { mutants, noticed, survived, equivalent, score }: MutationReport,
  tests: number,
): Line[] {
  return [
    ...mutants.flatMap(showSurvivor),
    [
      styled("bold", percentText(score)),
      ` of ${count(noticed + survived, "change")} noticed by ${count(tests, "test or message", "tests and messages")}`,
      `: ${survived} survived, ${equivalent} proved to change nothing`,
    ],
  ];
}

async function* runMutate(given: Given, io: CliIo): Reports {
  const [path, ...paths] = given.arguments;
  const floor = percentOf(given, "fail-under");
  const rehearsed = await usableDomain(path!, given, io);
  const { passing, failing } = await testsFor(path!, given.options.get("tests"), rehearsed, io);
  if (failing > 0) {
    yield note([`left out ${count(failing, "failing test")}: see \`mailflow test\``]);
  }
  const known = [...passing, ...(await messagesFor(paths, rehearsed, io))];
  const progress = progressLine(io);
  const onProgress = (tried: number): void =>
    progress.show(() => `${count(tried, "change")} tried …`);
  const report = await mutate(rehearsed, known, { onProgress });
  await progress.clear();
  yield { text: () => show(report, known.length), json: () => report };
  return floor !== null && report.score < floor ? EXIT.errorsFound : EXIT.ok;
}

export const mutateCommand: Command = {
  name: "mutate",
  summary: "shows which small changes to the rules no test and no message would notice",
  arguments: [DOMAIN_ARGUMENT, { ...SOURCES_ARGUMENT, count: "any" }],
  options: [
    {
      name: "tests",
      value: "file or folder",
      repeats: "repeats",
      description: "rule tests (default: all below this folder that test the domain)",
    },
    { name: "fail-under", value: "percent", description: "exit with 1 if the score is lower" },
    DOMAIN_FUEL,
    { name: "json", description: "one JSON object" },
  ],
  notes: [
    "",
    "Each rule is changed a little: a literal, a scope, an operator, its rank (swapped with the next rule), or it is",
    "switched off. Changes that provably have no effect are not counted. For each change that survives, mutate shows",
    "a message that would go another way: turn it into a test. Tests that fail before any change are left out.",
    "Exit code: 0 answered, 1 the score is lower than --fail-under, 2 wrong use or a domain with errors.",
  ],
  examples: [
    "mailflow mutate example.com.json",
    "mailflow mutate example.com.json archive.mbox --fail-under 80",
  ],
  run: runMutate,
};
