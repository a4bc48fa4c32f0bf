/** `mailflow replay`: routes stored mail by the million, and summarises where it went. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import { type MailPlace, type NamedFile, placeAt } from "../../rehearse/replay/mail-place.ts";
import type { DecisionSink } from "../../rehearse/replay/output/replay-files.ts";
import { type Replayed, type ReplayProgress, replay } from "../../rehearse/replay/replay.ts";
import { ReplayError } from "../../rehearse/replay/replay-error.ts";
import { summaryOf } from "../../rehearse/replay/replay-summary.ts";
import { type Command, type Given, type Option, UsageError } from "../command.ts";
import { count } from "../count.ts";
import { type CliIo, EXIT } from "../io.ts";
import { styled, writeLines } from "../line.ts";
import { fileFailure } from "../read/file-failure.ts";
import { SOURCES_ARGUMENT } from "../read/mail-sources.ts";
import {
  envelopeOf,
  hintAtRecipient,
  RECIPIENT_OPTION,
  SENDER_OPTION,
} from "../read/read-address.ts";
import { progressText, showReplay } from "../show/show-replay.ts";
import { usableDomain } from "./diff.ts";
import { runShard, SHARD_OPTIONS, shardOf } from "./replay-shard.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Milliseconds between two updates of the progress line. */
const PROGRESS_MS = 100;

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

function workersOf({ options }: Given): number | undefined {
  const written = options.get("workers")?.[0];
  if (written === undefined) return undefined;
  if (/^\d{1,3}$/.test(written)) return Number(written);
  throw new UsageError(`\`--workers\` cannot be \`${written}\`: write a number, 0 for none`);
}

/** Shows the progress of a replay, only on a terminal. */
function progressLine({ stderr }: CliIo): {
  onProgress(now: ReplayProgress): void;
  clear(): Promise<void>;
} {
  const started = performance.now();
  let start: ReplayProgress | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    onProgress(now) {
      start ??= now;
      const ms = performance.now();
      if (!stderr.isTerminal || ms - shownAt < PROGRESS_MS) return;
      shownAt = ms;
      const text = progressText(now, start === now ? null : start, (ms - started) / 1_000);
      void stderr.write(`\r${text}\u001b[K`);
    },
    async clear() {
      if (shownAt > 0) await stderr.write("\r\u001b[K");
    },
  };
}

const STDOUT = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/** Whether decisions go to standard output; the summary then goes to standard error. */
function isToStdout({ options }: Given): boolean {
  return STDOUT.includes(options.get("out")?.[0] ?? "");
}

/** The files that `--out` and `--resume` name. */
export function filesOf(
  given: Given,
  io: CliIo,
): {
  readonly out: NamedFile | DecisionSink | undefined;
  readonly state: NamedFile | undefined;
  readonly existing: "refuse" | "anew";
} {
  const { options } = given;
  const file = (name: string): NamedFile | undefined => {
    const written = options.get(name)?.[0];
    return written === undefined ? undefined : placeAt(written, io.cwd);
  };
  return {
    out: isToStdout(given) ? (lines) => io.stdout.write(lines) : file("out"),
    state: file("resume"),
    existing: options.has("force") ? "anew" : "refuse",
  };
}

/** Refuses to overwrite the domain file, even with `--force`. */
async function refuseDomain(given: Given, io: CliIo): Promise<void> {
  const domain = await stat(resolve(io.cwd, given.arguments[0]!));
  for (const option of ["out", "resume"]) {
    const written = given.options.get(option)?.[0];
    if (written === undefined) continue;
    const found = await stat(resolve(io.cwd, written)).catch(() => null);
    if (found?.ino !== domain.ino || found.dev !== domain.dev) continue;
    throw new UsageError(`\`--${option} ${written}\` is the domain file: name another file`);
  }
}

/** Ends the replay cleanly at the first signal; the second one has its usual effect. */
function untilSignal({ end }: CliIo): { readonly signal: AbortSignal; ignore(): void } {
  const ending = new AbortController();
  const abort = (): void => ending.abort();
  for (const signal of SIGNALS) process.once(signal, abort);
  end?.addEventListener("abort", abort);
  if (end?.aborted) abort();
  return {
    signal: ending.signal,
    ignore() {
      for (const signal of SIGNALS) process.removeListener(signal, abort);
      end?.removeEventListener("abort", abort);
    },
  };
}

/** Shows the summary; the exit code says whether all mail was read and routed. */
export async function showReplayed(
  given: Given,
  io: CliIo,
  rehearsed: RehearsedDomain,
  replayed: Replayed,
): Promise<number> {
  const { options } = given;
  const summary = summaryOf(rehearsed, replayed.tally);
  if (replayed.resumedAt > 0) {
    await writeLines(io.stderr, io.env, [
      [`went on after ${count(replayed.resumedAt, "message")}`],
    ]);
  }
  const output = isToStdout(given) ? io.stderr : io.stdout;
  if (options.has("json")) await output.write(`${JSON.stringify(summary)}\n`);
  else await writeLines(output, io.env, showReplay(summary));
  await hintAtRecipient(summary, rehearsed.domain, io);
  if (replayed.verdict === "ended") {
    await writeLines(io.stderr, io.env, [[styled("yellow", "ended before all was routed")]]);
  }
  if (replayed.verdict === "ended") return EXIT.unusable;
  if (summary.unreadable.count > 0 && !options.has("allow-unreadable")) return EXIT.errorsFound;
  return summary.decisions > 0 ? EXIT.ok : EXIT.unusable;
}

async function runReplay(given: Given, io: CliIo): Promise<number> {
  const [domainPath, ...paths] = given.arguments;
  const shard = shardOf(given);
  const rehearsed = await usableDomain(domainPath!, io);
  if (rehearsed === null) return EXIT.unusable;
  await refuseDomain(given, io);
  const places = await placesAt(paths, io);
  const progress = progressLine(io);
  const until = untilSignal(io);
  const { state, ...files } = filesOf(given, io);
  const options = {
    ...envelopeOf(given, rehearsed.domain),
    ...files,
    workers: workersOf(given),
    onProgress: progress.onProgress,
    signal: until.signal,
  };
  let replayed: Replayed;
  try {
    if (shard !== null) return await runShard(given, io, rehearsed, places, shard, options);
    replayed = await replay(rehearsed, places, { ...options, state });
  } catch (error) {
    await progress.clear();
    if (!(error instanceof ReplayError)) throw error;
    if (error.kind === "refused") throw new UsageError(error.message);
    await writeLines(io.stderr, io.env, [[styled("red", "error: "), error.message]]);
    return EXIT.errorsFound;
  } finally {
    until.ignore();
    await progress.clear();
  }
  return showReplayed(given, io, rehearsed, replayed);
}

export const REPLAYED_OPTIONS: readonly Option[] = [
  {
    name: "allow-unreadable",
    description: "end with 0 even if something could not be read",
  },
  { name: "json", description: "the summary as one JSON object" },
];

export const replayCommand: Command = {
  name: "replay",
  summary: "routes stored mail by the million, and sums up where it went",
  arguments: [
    {
      name: "domain.json",
      count: "one",
      description: "the domain with its aliases and rules, as the API returns them",
    },
    SOURCES_ARGUMENT,
  ],
  options: [
    RECIPIENT_OPTION,
    SENDER_OPTION,
    {
      name: "out",
      value: "file.ndjson",
      description:
        "write every decision, one JSON object per line, in the order of the mail; - for standard output",
    },
    {
      name: "resume",
      value: "file",
      description: "keep here how far it is; given again, it goes on from there",
    },
    {
      name: "force",
      description: "overwrite --out, and begin anew where --resume cannot go on",
    },
    {
      name: "workers",
      value: "number",
      description: "threads; default one for each core, none for little mail",
    },
    ...SHARD_OPTIONS,
    ...REPLAYED_OPTIONS,
  ],
  notes: [
    "",
    "What is kept in memory does not grow with the mail. A replay that was ended or killed loses nothing but its",
    "last batches: with --resume they are routed again, and --out has every decision once. --out is written to",
    "`<file>.partial`, which takes its name when it is complete. Mail that has changed since is not gone on with.",
    "A shard is an equal share of the octets of all mail; `mailflow merge` puts the parts together. Shards may run in any",
    "order, on any machines that see the mail by the same paths, and more than once. Standard input has no shards.",
    "Exit code: 0 routed, 1 something could not be read or written, 2 wrong use, a domain with errors, nothing to",
    "route, or ended too early.",
  ],
  examples: [
    "mailflow replay example.com.json archive.mbox.gz",
    "mailflow replay example.com.json Maildir/ --out decisions.ndjson --resume replay.state",
    "mailflow replay example.com.json archive.mbox --json | jq .entries",
    "mailflow replay example.com.json archive/ --shard 3/100 --out part-3.json",
  ],
  run: runReplay,
};
