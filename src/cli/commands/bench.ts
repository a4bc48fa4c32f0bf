/** `mailflow bench`: what it costs to route messages, compared with a saved result. */
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { type BenchMessage, type BenchReport, benchRules } from "../../rehearse/bench/bench.ts";
import { compareBench } from "../../rehearse/bench/compare-bench.ts";
import { readerOf, recipientsNamed } from "../../rehearse/route-message.ts";
import { type Command, type Given, numberOf, optionOf, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { readJson } from "../read/files.ts";
import { mailAt, octetsOf, SOURCES_ARGUMENT } from "../read/find-messages.ts";
import { readRecipient } from "../read/read-address.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import type { Reports } from "../report.ts";
import { benchMarkdown, showBench } from "../show/diff/show-bench.ts";
import { refuseOthers, writeNew } from "../write-new.ts";

/** Octets of all messages together, which are kept in memory. */
const OCTETS_MAX = 268_435_456;
/** How many times slower is a regression. */
const FAIL_OVER = 1.3;
/** How a result of `--save` begins. */
const SAVED = /^\{"format":\d+,/;

/** Processor time of this process alone, whatever else runs on the machine. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
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
    const bytes = await octetsOf(source);
    octets += bytes.length;
    if (octets > OCTETS_MAX) {
      throw new UsageError(
        `the messages have more than ${OCTETS_MAX} octets: measure a part of them`,
      );
    }
    const reader = readerOf({ open: () => bytes });
    for (const recipient of asked ?? (await recipientsNamed(domain, reader))) {
      messages.push({ name: source.name, recipient, bytes });
    }
  }
  if (messages.length > 0) return messages;
  throw new UsageError(
    `no message names a recipient at \`${domain.name}\`: give one with \`--recipient somebody@${domain.name}\``,
  );
}

async function keptReport(path: string, io: CliIo): Promise<BenchReport> {
  const report = await readJson(path, io.cwd, "a result of `--save`");
  const { format } = (report ?? {}) as { readonly format?: unknown };
  if (format === 1) return report as BenchReport;
  throw new UsageError(`\`${path}\` is not a result of \`--save\`: save a new one`);
}

async function* runBench(given: Given, io: CliIo): Reports {
  const [path, ...paths] = given.arguments;
  const failOver = numberOf(given, "fail-over", "a number from 1, such as 1.3", (n) => n >= 1);
  const rehearsed = await usableDomain(path!, given, io);
  const savePath = optionOf(given, "save");
  if (savePath !== undefined) await refuseOthers("save", savePath, SAVED, io.cwd);
  const comparePath = optionOf(given, "compare");
  const kept = comparePath === undefined ? null : await keptReport(comparePath, io);
  const messages = await messagesOf(paths, rehearsed.domain, given, io);
  const memory = (): number => process.memoryUsage().heapUsed;
  const report = benchRules(rehearsed, messages, { memory, now: processorMs });
  const comparison = kept === null ? null : compareBench(kept, report, failOver ?? FAIL_OVER);
  if (savePath !== undefined) {
    await writeNew(savePath, `${JSON.stringify(report)}\n`, "overwrite", io.cwd);
  }
  yield {
    text: () => showBench(report, comparison),
    json: () => ({ report, comparison }),
    markdown: () => benchMarkdown(report, comparison),
  };
  return comparison?.verdict === "regression" ? EXIT.errorsFound : EXIT.ok;
}

export const benchCommand: Command = {
  name: "bench",
  summary: "measures what it costs to route messages, and compares that with a saved result",
  arguments: [DOMAIN_ARGUMENT, SOURCES_ARGUMENT],
  options: [
    {
      name: "recipient",
      value: "address",
      repeats: "repeats",
      description: "whom every message is for; default: whom it names at the domain",
    },
    { name: "save", value: "base.json", description: "save the result for `--compare`" },
    { name: "compare", value: "base.json", description: "compare with a saved result" },
    {
      name: "fail-over",
      needs: ["compare"],
      value: "ratio",
      description: `a result that is slower by this factor is a regression (default ${FAIL_OVER})`,
    },
    { name: "markdown", excludes: ["json"], description: "Markdown, for a pull request" },
    DOMAIN_FUEL,
    { name: "json", description: "one JSON object: report, comparison" },
  ],
  notes: [
    "",
    "Times are divided by the time of a calibration loop in the same run, so that results from different machines",
    "can be compared. A slower result is a regression only if the difference is larger than the spread of both",
    "results. The rules that became slower are then listed.",
    "Exit code: 0 measured, 1 a regression, 2 wrong use, a domain with errors, or no message.",
  ],
  examples: [
    "mailflow bench example.com.json archive.mbox --save base.json",
    "mailflow bench proposed.json archive.mbox --compare base.json --fail-over 1.3",
  ],
  run: runBench,
};
