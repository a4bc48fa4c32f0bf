/** Runs a file of rule tests: reads its domain and messages, and asks the engine. */
import { dirname, join } from "node:path";
import type { Facts } from "../mail/facts.ts";
import { inlineFacts } from "../rehearse/inline-message.ts";
import type { RehearsedDomain } from "../rehearse/rehearsed-domain.ts";
import { answer, readerOf, recipientsNamed } from "../rehearse/route-message.ts";
import { runTest, type TestResult } from "../rehearse/rule-test.ts";
import type { RuleTest } from "../rehearse/test-suite.ts";
import { UsageError } from "./command.ts";
import { fileFailure } from "./file-failure.ts";
import type { CliIo } from "./io.ts";
import { oneMessage } from "./one-message.ts";
import { readRecipient, readSender } from "./read-address.ts";
import type { SuiteFile } from "./read-suite.ts";

/** A test that ran, or why it could not. */
export interface TestRun {
  readonly name: string;
  readonly line: number;
  readonly recipient: string;
  readonly result: TestResult | { readonly passed: false; readonly failure: string };
}

export interface SuiteRun {
  readonly file: string;
  readonly domainPath: string;
  readonly rehearsed: RehearsedDomain;
  readonly tests: readonly TestRun[];
}

/** The domain file that a suite tests: as it says, else the one of its name. */
export function domainPathOf({ path, suite }: SuiteFile): string {
  if (suite.domain !== undefined) return join(dirname(path), suite.domain);
  return path.replace(/\.mailtest\.[a-z]+$/, ".json");
}

async function factsOfFile(
  path: string,
  test: RuleTest,
  { domain }: RehearsedDomain,
  io: CliIo,
): Promise<Facts> {
  const reader = readerOf(await oneMessage(path, io));
  const sender = readSender(test.sender);
  try {
    const named =
      test.recipient === undefined
        ? await recipientsNamed(domain, reader)
        : [readRecipient(completed(test.recipient, domain.name), domain)];
    const [recipient, second] = named;
    if (recipient === undefined || second !== undefined) {
      const many = second === undefined ? "no recipient" : `${named.length} recipients`;
      throw new UsageError(`the message names ${many} at \`${domain.name}\`: add \`recipient\``);
    }
    const question = { domain, recipient, sender, senderSource: "header" } as const;
    return (await answer({ ...question, trace: "everything" }, reader)).facts;
  } catch (error) {
    throw new UsageError(fileFailure(error, path, "a message"));
  }
}

function completed(recipient: string, domain: string): string {
  return recipient.includes("@") ? recipient : `${recipient}@${domain}`;
}

async function factsOf(
  test: RuleTest,
  folder: string,
  rehearsed: RehearsedDomain,
  io: CliIo,
): Promise<Facts> {
  const { message } = test;
  if (typeof message === "string") {
    return factsOfFile(join(folder, message), test, rehearsed, io);
  }
  const written = completed(message.recipient, rehearsed.domain.name);
  return inlineFacts({ ...message, recipient: readRecipient(written, rehearsed.domain) });
}

/** Runs the tests in order. A message that cannot be read fails its test alone. */
export async function runSuite(
  file: SuiteFile,
  domainPath: string,
  rehearsed: RehearsedDomain,
  io: CliIo,
): Promise<SuiteRun> {
  const tests: TestRun[] = [];
  for (const [index, test] of file.suite.tests.entries()) {
    const { name } = test;
    const line = file.lines[index]!;
    try {
      const facts = await factsOf(test, dirname(file.path), rehearsed, io);
      const result = runTest(rehearsed, facts, test.expect);
      tests.push({ name, line, recipient: facts.recipient ?? "", result });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      tests.push({ name, line, recipient: "", result: { passed: false, failure: error.message } });
    }
  }
  return { file: file.path, domainPath, rehearsed, tests };
}
