/** `mailflow replay`: routes millions of stored messages, and sums up where they went. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { type MailPlace, type NamedFile, placeAt } from "../../rehearse/replay/mail-place.ts";
import type { DecisionSink } from "../../rehearse/replay/output/replay-files.ts";
import { type Replayed, type ReplayProgress, replay } from "../../rehearse/replay/replay.ts";
import { ReplayError } from "../../rehearse/replay/replay-error.ts";
import { summaryOf } from "../../rehearse/replay/replay-summary.ts";
import { count } from "../../rehearse/words/count.ts";
import { styled } from "../../rehearse/words/line.ts";
import {
  type Command,
  CommandFailure,
  type Given,
  numberOf,
  type Option,
  optionOf,
  UsageError,
} from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { type ProgressLine, progressLine } from "../progress-line.ts";
import { fileFailure } from "../read/files.ts";
import { SOURCES_ARGUMENT } from "../read/find-messages.ts";
import {
  envelopeOf,
  hintAtRecipient,
  RECIPIENT_OPTION,
  SENDER_OPTION,
} from "../read/read-address.ts";
import { DOMAIN_ARGUMENT, DOMAIN_FUEL, usableDomain } from "../read/read-domain.ts";
import { note, type Reports } from "../report.ts";
import { progressText, showReplay } from "../show/show-replay.ts";
import { untilSignal } from "../signals.ts";
import { refuseDomain } from "../write-new.ts";
import { runShard, SHARD_OPTIONS, shardOf } from "./replay-shard.ts";

async function placesAt(paths: readonly string[], io: CliIo): Promise<readonly MailPlace[]> {
  return Promise.all(
    paths.map(async (path): Promise<MailPlace> => {
      if (path === "-") return { stream: io.stdin, name: "(stdin)" };
      await stat(resolve(io.cwd, path)).catch((error: unknown) => {
        throw new UsageError(fileFailure(error, path, "mail"));
      });
      return placeAt(path, io.cwd);
    }),
  );
}

const isWorkers = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < 1_000;

/** Shows the progress of a replay. */
function replayProgress(line: ProgressLine): (now: ReplayProgress) => void {
  const started = performance.now();
  let start: ReplayProgress | null = null;
  return (now) => {
    start ??= now;
    const seconds = (performance.now() - started) / 1_000;
    line.show(() => progressText(now, start === now ? null : start, seconds));
  };
}

const STDOUT = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/** Whether decisions go to standard output; the summary then goes to standard error. */
function isToStdout(given: Given): boolean {
  return STDOUT.includes(optionOf(given, "out") ?? "");
}

/** The files of `--out` and `--resume`. */
export function filesOf(
  given: Given,
  io: CliIo,
): {
  readonly out: NamedFile | DecisionSink | undefined;
  readonly state: NamedFile | undefined;
  readonly existing: "refuse" | "anew";
} {
  const file = (name: string): NamedFile | undefined => {
    const written = optionOf(given, name);
    return written === undefined ? undefined : placeAt(written, io.cwd);
  };
  return {
    out: isToStdout(given) ? (lines) => io.stdout.write(lines) : file("out"),
    state: file("resume"),
    existing: given.options.has("force") ? "anew" : "refuse",
  };
}

/** What a `ReplayError` means to the command; any other error stays what it is. */
export function replayFailure(error: unknown): unknown {
  if (!(error instanceof ReplayError)) return error;
  if (error.kind === "refused") return new UsageError(error.message);
  return new CommandFailure(EXIT.errorsFound, [[styled("red", "error: "), error.message]]);
}

/** The summary; the exit code says whether all mail was read and routed. */
export async function* reportReplayed(
  given: Given,
  rehearsed: RehearsedDomain,
  { tally, resumedAt, verdict }: Replayed,
): Reports {
  const summary = summaryOf(rehearsed, tally);
  if (resumedAt > 0) yield note([`continued after ${count(resumedAt, "message")}`]);
  yield {
    to: isToStdout(given) ? "stderr" : "stdout",
    text: () => showReplay(summary),
    json: () => summary,
  };
  yield* hintAtRecipient(summary, rehearsed.domain);
  if (verdict === "ended") {
    yield note([styled("yellow", "stopped before all mail was routed")]);
    return EXIT.unusable;
  }
  const isAllowed = summary.unreadable.count === 0 || given.options.has("allow-unreadable");
  if (!isAllowed) return EXIT.errorsFound;
  return summary.decisions > 0 ? EXIT.ok : EXIT.unusable;
}

async function* runReplay(given: Given, io: CliIo): Reports {
  const [domainPath, ...paths] = given.arguments;
  const shard = shardOf(given);
  const rehearsed = await usableDomain(domainPath!, given, io);
  for (const option of ["out", "resume"]) {
    const file = optionOf(given, option);
    if (file !== undefined) await refuseDomain(option, file, [domainPath!], io.cwd);
  }
  const places = await placesAt(paths, io);
  const progress = progressLine(io);
  const until = untilSignal(io);
  const { state, ...files } = filesOf(given, io);
  const options = {
    ...envelopeOf(given, rehearsed.domain),
    ...files,
    workers: numberOf(given, "workers", "a number, 0 for none", isWorkers),
    onProgress: replayProgress(progress),
    signal: until.signal,
  };
  let replayed: Replayed;
  try {
    if (shard !== null) return yield* runShard(given, rehearsed, places, shard, options);
    replayed = await replay(rehearsed, places, { ...options, state });
  } catch (error) {
    throw replayFailure(error);
  } finally {
    until.ignore();
    await progress.clear();
  }
  return yield* reportReplayed(given, rehearsed, replayed);
}

export const REPLAYED_OPTIONS: readonly Option[] = [
  {
    name: "allow-unreadable",
    description: "exit with 0 even if something could not be read",
  },
  DOMAIN_FUEL,
  { name: "json", description: "the summary as one JSON object" },
];

export const replayCommand: Command = {
  name: "replay",
  summary: "routes millions of stored messages, and sums up where they went",
  arguments: [DOMAIN_ARGUMENT, SOURCES_ARGUMENT],
  options: [
    RECIPIENT_OPTION,
    SENDER_OPTION,
    {
      name: "out",
      value: "file.ndjson",
      description:
        "write every decision as a line of JSON, in the order of the mail; - is standard output",
    },
    {
      name: "resume",
      value: "file",
      description: "save the progress in this file; given again, replay continues from there",
    },
    {
      name: "force",
      needs: ["out", "resume"],
      description: "overwrite --out, and start again if --resume cannot continue",
    },
    {
      name: "workers",
      value: "number",
      description: "threads (default: one for each core, none for little mail)",
    },
    ...SHARD_OPTIONS,
    ...REPLAYED_OPTIONS,
  ],
  notes: [
    "",
    "Memory use does not grow with the amount of mail. A replay that was stopped or killed loses only its last",
    "batches: --resume routes them again, and --out has every decision once. --out is written to `<file>.partial`,",
    "which is renamed when it is complete. --resume refuses to continue if the mail has changed.",
    "A shard is an equal share of the octets of all mail, and `mailflow merge` merges the parts. Shards may run in any",
    "order, more than once, and on any machine that has the mail at the same paths. Standard input cannot be sharded.",
    "Exit code: 0 routed, 1 something could not be read or written, 2 wrong use, a domain with errors, nothing to",
    "route, or stopped early.",
  ],
  examples: [
    "mailflow replay example.com.json archive.mbox.gz",
    "mailflow replay example.com.json Maildir/ --out decisions.ndjson --resume replay.state",
    "mailflow replay example.com.json archive.mbox --json | jq .entries",
    "mailflow replay example.com.json archive/ --shard 3/100 --out part-3.json",
  ],
  run: runReplay,
};
