/** Runs a file of rule tests: reads its domain and messages, and resolves them. */
import { dirname, isAbsolute, join } from "node:path";
import type { Facts } from "../../engine/facts/facts.ts";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import {
  readerOf,
  recipientsNamed,
  type SourceMessage,
  wholeFacts,
} from "../../rehearse/route-message.ts";
import { inlineFacts, withDomain } from "../../rehearse/test/inline-message.ts";
import { runTest, type TestResult } from "../../rehearse/test/rule-test.ts";
import type { RuleTest } from "../../rehearse/test/test-suite.ts";
import { UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { fileFailure } from "./files.ts";
import { eachMessage } from "./one-message.ts";
import { readRecipient, readSender } from "./read-address.ts";
import type { SuiteFile } from "./read-suite.ts";

/** A test that ran, or the reason why it could not. */
export interface RanTest {
  readonly name: string;
  readonly line: number;
  readonly recipient: string;
  /** The facts of the message; `null` if it cannot be read. */
  readonly facts: Facts | null;
  readonly result: TestResult | { readonly passed: false; readonly failure: string };
}

export interface SuiteRun {
  readonly file: string;
  readonly domainPath: string;
  readonly rehearsed: RehearsedDomain;
  readonly tests: readonly RanTest[];
}

/** The domain file of a suite: the one it names, otherwise the one with the same name. */
/** A path as the file of tests writes it: relative to the folder of that file. */
export function pathBeside(file: string, written: string): string {
  return isAbsolute(written) ? written : join(dirname(file), written);
}

export function domainPathOf({ path, suite }: SuiteFile): string {
  if (suite.domain !== undefined) return pathBeside(path, suite.domain);
  return path.replace(/\.mailtest\.[a-z]+$/, ".json");
}

/** The facts that a test needs of a message in a file. */
async function factsOfMessage(
  source: SourceMessage,
  path: string,
  test: RuleTest,
  { domain }: RehearsedDomain,
): Promise<Facts> {
  const reader = readerOf(source);
  const sender = readSender(test.sender);
  try {
    const named =
      test.recipient === undefined
        ? await recipientsNamed(domain, reader)
        : [readRecipient(withDomain(test.recipient, domain.name), domain)];
    const [recipient, second] = named;
    if (recipient === undefined || second !== undefined) {
      const many = second === undefined ? "no recipient" : `${named.length} recipients`;
      throw new UsageError(`the message names ${many} at \`${domain.name}\`: add \`recipient\``);
    }
    return await wholeFacts(domain, recipient, sender, reader);
  } catch (error) {
    throw new UsageError(fileFailure(error, path, "a message"));
  }
}

/** Runs one test on facts; a message that cannot be read fails only its own test. */
async function runOne(
  { name, expect }: RuleTest,
  line: number,
  rehearsed: RehearsedDomain,
  factsOf: () => Promise<Facts> | Facts,
): Promise<RanTest> {
  try {
    const facts = await factsOf();
    const result = runTest(rehearsed, facts, expect);
    return { name, line, recipient: facts.recipient ?? "", facts, result };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      name,
      line,
      recipient: "",
      facts: null,
      result: { passed: false, failure: error.message },
    };
  }
}

/** Runs the tests in order; reads each file of messages once for all of its tests. */
export async function runSuite(
  file: SuiteFile,
  domainPath: string,
  rehearsed: RehearsedDomain,
  io: CliIo,
): Promise<SuiteRun> {
  const { suite, lines } = file;
  const runs = new Map<number, RanTest>();
  const asked: { readonly index: number; readonly path: string }[] = [];
  for (const [index, test] of suite.tests.entries()) {
    const { message } = test;
    if (typeof message === "string") {
      asked.push({ index, path: pathBeside(file.path, message) });
      continue;
    }
    const run = await runOne(test, lines[index]!, rehearsed, () => {
      const written = withDomain(message.recipient, rehearsed.domain.name);
      return inlineFacts({ ...message, recipient: readRecipient(written, rehearsed.domain) });
    });
    runs.set(index, run);
  }
  const paths = asked.map(({ path }) => path);
  await eachMessage(paths, io, async (at, found) => {
    const { index, path } = asked[at]!;
    const test = suite.tests[index]!;
    const run = await runOne(test, lines[index]!, rehearsed, () => {
      if (found instanceof UsageError) throw found;
      return factsOfMessage(found, path, test, rehearsed);
    });
    runs.set(index, run);
  });
  const tests = suite.tests.map((_, index) => runs.get(index)!);
  return { file: file.path, domainPath, rehearsed, tests };
}
