/** `mailflow bench`: what routing messages by a rule set costs, compared with a kept result. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { type BenchMessage, type BenchReport, benchRules } from "../../rehearse/bench/bench.ts";
import { type BenchComparison, compareBench } from "../../rehearse/bench/compare-bench.ts";
import { readerOf, recipientsNamed, type SourceMessage } from "../../rehearse/route-message.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { writeLines } from "../line.ts";
import { fileFailure, writeFailure } from "../read/file-failure.ts";
import { mailAt, SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import { readRecipient } from "../read/read-address.ts";
import { benchMarkdown, showBench } from "../show/diff/show-bench.ts";
import { usableDomain } from "./diff.ts";

/** Octets of all messages together, which are kept in memory. */
const OCTETS_MAX = 268_435_456;

/** Processor time of this process alone, whatever else runs on the machine. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function failOverOf({ options }: Given): number {
  const written = options.get("fail-over")?.[0];
  if (written === undefined) return 1.3;
  const failOver = Number(written);
  if (written.trim() !== "" && failOver >= 1 && Number.isFinite(failOver)) return failOver;
  throw new UsageError(
    `\`--fail-over\` cannot be \`${written}\`: write a number from 1, such as 1.3`,
  );
}

async function bytesOf(source: SourceMessage): Promise<Uint8Array> {
  const opened = source.open();
  if (opened instanceof Uint8Array) return opened;
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function messagesOf(
  paths: readonly string[],
  domain: CompiledDomain,
  { options }: Given,
  io: CliIo,
): Promise<readonly BenchMessage[]> {
  const asked = options.get("recipient")?.map((written) => readRecipient(written, domain));
  const messages: BenchMessage[] = [];
  let octets = 0;
  for await (const source of await mailAt(paths, io)) {
    if ("failure" in source) continue;
    const bytes = await bytesOf(source);
    octets += bytes.length;
    if (octets > OCTETS_MAX) {
      throw new UsageError(
        `the messages have more than ${OCTETS_MAX} octets: bench a part of them`,
      );
    }
    const reader = readerOf({ open: () => bytes });
    for (const recipient of asked ?? (await recipientsNamed(domain, reader))) {
      messages.push({ name: source.name, recipient, bytes });
    }
  }
  if (messages.length > 0) return messages;
  throw new UsageError(
    `no message names a recipient at \`${domain.name}\`: say whom they are for, with \`--recipient somebody@${domain.name}\``,
  );
}

async function keptReport(path: string, io: CliIo): Promise<BenchReport> {
  const text = await readFile(resolve(io.cwd, path), "utf8").catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a result of `--save`"));
  });
  try {
    const report: unknown = JSON.parse(text);
    if (
      typeof report === "object" &&
      report !== null &&
      "format" in report &&
      report.format === 1
    ) {
      return report as BenchReport;
    }
  } catch {
    // Reported below.
  }
  throw new UsageError(`\`${path}\` is not a result of \`--save\`: make one anew`);
}

async function writeReport(
  { options }: Given,
  report: BenchReport,
  comparison: BenchComparison | null,
  io: CliIo,
): Promise<void> {
  if (options.has("json")) await io.stdout.write(`${JSON.stringify({ report, comparison })}\n`);
  else if (options.has("markdown")) await io.stdout.write(benchMarkdown(report, comparison));
  else await writeLines(io.stdout, io.env, showBench(report, comparison));
}

async function runBench(given: Given, io: CliIo): Promise<number> {
  const [path, ...paths] = given.arguments;
  const { options } = given;
  const failOver = failOverOf(given);
  const rehearsed = await usableDomain(path!, io);
  if (rehearsed === null) return EXIT.unusable;
  const comparePath = options.get("compare")?.[0];
  const kept = comparePath === undefined ? null : await keptReport(comparePath, io);
  const messages = await messagesOf(paths, rehearsed.domain, given, io);
  const memory = (): number => process.memoryUsage().heapUsed;
  const report = benchRules(rehearsed, messages, { memory, now: processorMs });
  const comparison = kept === null ? null : compareBench(kept, report, failOver);
  await writeReport(given, report, comparison, io);
  const savePath = options.get("save")?.[0];
  if (savePath !== undefined) {
    await writeFile(resolve(io.cwd, savePath), `${JSON.stringify(report)}\n`).catch(
      (error: unknown) => {
        throw new UsageError(writeFailure(error, savePath));
      },
    );
  }
  return comparison?.verdict === "regression" ? EXIT.errorsFound : EXIT.ok;
}

export const benchCommand: Command = {
  name: "bench",
  summary: "measures what messages cost by the rules, and compares with a kept result",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
    SOURCES_ARGUMENT,
  ],
  options: [
    {
      name: "recipient",
      value: "address",
      repeats: "repeats",
      description: "whom every message is for; default: whom it names at the domain",
    },
    { name: "save", value: "base.json", description: "keep the result for `--compare`" },
    { name: "compare", value: "base.json", description: "compare with a kept result" },
    {
      name: "fail-over",
      value: "ratio",
      description: "how many times slower is a regression (default 1.3)",
    },
    { name: "markdown", description: "as Markdown, fit for a pull request" },
    { name: "json", description: "one JSON object: report, comparison" },
  ],
  notes: [
    "",
    "Times are divided by those of a calibration loop of the same run, so that another machine gives the same",
    "verdict. Slower is a regression only beyond the spread of both results; then the rules are named that rose.",
    "Exit code: 0 measured, 1 a regression, 2 wrong use, a domain with errors, or no message.",
  ],
  examples: [
    "mailflow bench example.com.json archive.mbox --save base.json",
    "mailflow bench proposed.json archive.mbox --compare base.json --fail-over 1.3",
  ],
  run: runBench,
};
