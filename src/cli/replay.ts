/** `mailflow replay`: routes stored mail by the million, and sums up where it went. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Replayed, type ReplayProgress, replay } from "../rehearse/replay.ts";
import { type MailPlace, placeAt } from "../rehearse/replay-plan.ts";
import { summaryOf } from "../rehearse/replay-summary.ts";
import { type Command, type Given, UsageError } from "./command.ts";
import { count } from "./count.ts";
import { usableDomain } from "./diff.ts";
import { fileFailure } from "./file-failure.ts";
import { type CliIo, EXIT } from "./io.ts";
import { styled, writeLines } from "./line.ts";
import { SOURCES_ARGUMENT } from "./mail-sources.ts";
import { envelopeOf, hintAtRecipient, RECIPIENT_OPTION, SENDER_OPTION } from "./read-address.ts";
import { progressText, showReplay } from "./show-replay.ts";

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

/** Shows how far a replay is, on a terminal only. */
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

async function runReplay(given: Given, io: CliIo): Promise<number> {
  const [domainPath, ...paths] = given.arguments;
  const rehearsed = await usableDomain(domainPath!, io);
  if (rehearsed === null) return EXIT.unusable;
  const { options } = given;
  const places = await placesAt(paths, io);
  const path = (name: string): string | undefined => {
    const written = options.get(name)?.[0];
    return written === undefined ? undefined : resolve(io.cwd, written);
  };
  const progress = progressLine(io);
  let replayed: Replayed;
  try {
    replayed = await replay(rehearsed, places, {
      ...envelopeOf(given, rehearsed.domain),
      workers: workersOf(given),
      out: path("out"),
      state: path("resume"),
      onProgress: progress.onProgress,
      signal: io.end,
    });
  } catch (error) {
    // A state of another replay, or a file that cannot be written.
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw new UsageError(fileFailure(error, options.get("out")?.[0] ?? domainPath!, "a file"));
  } finally {
    await progress.clear();
  }
  const summary = summaryOf(rehearsed, replayed.tally);
  if (replayed.resumedAt > 0) {
    await writeLines(io.stderr, io.env, [
      [`went on after ${count(replayed.resumedAt, "message")}`],
    ]);
  }
  if (options.has("json")) await io.stdout.write(`${JSON.stringify(summary)}\n`);
  else await writeLines(io.stdout, io.env, showReplay(summary));
  await hintAtRecipient(summary, rehearsed.domain, io);
  if (replayed.verdict === "ended") {
    await writeLines(io.stderr, io.env, [[styled("yellow", "ended before all was routed")]]);
  }
  return summary.decisions > 0 && replayed.verdict === "done" ? EXIT.ok : EXIT.unusable;
}

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
      description: "write every decision, one JSON object per line, in the order of the mail",
    },
    {
      name: "resume",
      value: "file",
      description: "keep here how far it is; given again, it goes on from there",
    },
    {
      name: "workers",
      value: "number",
      description: "threads; default one for each core, none for little mail",
    },
    { name: "json", description: "the summary as one JSON object" },
  ],
  notes: [
    "",
    "What is kept in memory does not grow with the mail. A replay that was ended or killed loses nothing but its",
    "last batches: with --resume they are routed again, and --out has every decision once.",
    "Exit code: 0 routed, 2 wrong use, a domain with errors, nothing to route, or ended too early.",
  ],
  examples: [
    "mailflow replay example.com.json archive.mbox.gz",
    "mailflow replay example.com.json Maildir/ --out decisions.ndjson --resume replay.state",
    "mailflow replay example.com.json archive.mbox --json | jq .entries",
  ],
  run: runReplay,
};
