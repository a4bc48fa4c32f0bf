/** `mailflow mutate`: which small changes of the rules neither tests nor mail would notice. */
import { resolve } from "node:path";
import {
  type KnownMessage,
  type MutantReport,
  type MutationReport,
  mutate,
} from "../../rehearse/mutate/mutate.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { answer, readerOf, recipientsNamed } from "../../rehearse/route-message.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { count } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { type Line, styled, writeLines } from "../line.ts";
import { findTests } from "../read/find-tests.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import { readSuiteFile } from "../read/read-suite.ts";
import { domainPathOf, runSuite } from "../read/run-suite.ts";
import { messageText } from "../show/diff/show-proofs.ts";
import { usableDomain } from "./diff.ts";

function floorOf({ options }: Given): number | null {
  const written = options.get("fail-under")?.[0];
  if (written === undefined) return null;
  const floor = Number(written);
  if (written.trim() !== "" && floor >= 0 && floor <= 100) return floor;
  throw new UsageError(`\`--fail-under\` cannot be \`${written}\`: write a percentage, 0 to 100`);
}

/** The tests of the domain: those in the files named, or all for it below this folder. */
async function testsFor(
  path: string,
  named: readonly string[] | undefined,
  rehearsed: RehearsedDomain,
  io: CliIo,
): Promise<readonly KnownMessage[]> {
  const known: KnownMessage[] = [];
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
    for (const [index, { name, facts }] of tests.entries()) {
      if (facts !== null) known.push({ name, facts, expect: suite.suite.tests[index]!.expect });
    }
  }
  return known;
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
      const question = { domain, recipient, sender: undefined, senderSource: "header" } as const;
      const { facts } = await answer({ ...question, trace: "everything" }, reader);
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
        ? "whether it changes anything is not known"
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
      styled("bold", `${score.toFixed(1)} %`),
      ` of ${count(noticed + survived, "change")} noticed by ${count(tests, "test or message", "tests and messages")}`,
      `: ${survived} survived, ${equivalent} proved to change nothing`,
    ],
  ];
}

async function runMutate(given: Given, io: CliIo): Promise<number> {
  const [path, ...paths] = given.arguments;
  const floor = floorOf(given);
  const rehearsed = await usableDomain(path!, io);
  if (rehearsed === null) return EXIT.unusable;
  const tests = await testsFor(path!, given.options.get("tests"), rehearsed, io);
  const known = [...tests, ...(await messagesFor(paths, rehearsed, io))];
  const report = await mutate(rehearsed, known);
  if (given.options.has("json")) await io.stdout.write(`${JSON.stringify(report)}\n`);
  else await writeLines(io.stdout, io.env, show(report, known.length));
  return floor !== null && report.score < floor ? EXIT.errorsFound : EXIT.ok;
}

export const mutateCommand: Command = {
  name: "mutate",
  summary: "shows which small changes of the rules neither tests nor mail would notice",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
    { ...SOURCES_ARGUMENT, count: "any" },
  ],
  options: [
    {
      name: "tests",
      value: "file or folder",
      repeats: "repeats",
      description: "rule tests; default: all below this folder that are for the domain",
    },
    { name: "fail-under", value: "percent", description: "end with 1 when the score is less" },
    { name: "json", description: "one JSON object" },
  ],
  notes: [
    "",
    "Each rule is changed a little: a literal, a scope, an operator, its rank with the next rule's, switched off.",
    "A change that is proved to change nothing is not counted. Of one that survives a message is shown that would",
    "go another way: make a test of it.",
    "Exit code: 0 answered, 1 the score is less than --fail-under, 2 wrong use or a domain with errors.",
  ],
  examples: [
    "mailflow mutate example.com.json",
    "mailflow mutate example.com.json archive.mbox --fail-under 80",
  ],
  run: runMutate,
};
