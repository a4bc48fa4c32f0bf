/** Merges the parts of all shards: sums, first examples and decisions are those of a single run. */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { fsPath } from "../../../mailbox/path-bytes.ts";
import { type RehearsedDomain, rehearse } from "../../rehearsed-domain.ts";
import type { NamedFile } from "../mail-place.ts";
import { type DecisionSink, openFiles } from "../output/replay-files.ts";
import { batchRouter } from "../replay-batch.ts";
import { ReplayError } from "../replay-error.ts";
import { Merger } from "../replay-merger.ts";
import { advanced, emptyTally, endOfMbox, judgePart, Renumbering } from "../replay-parts.ts";
import { partsOf } from "../replay-plan.ts";
import type { Tally } from "../replay-tally.ts";
import { stampOf } from "../source-stamp.ts";
import { type Part, readPart, type ShardHead, textOf } from "./part.ts";
import { type RunIdentity, secondsOf } from "./shard.ts";

export interface MergeOptions {
  /** Where the decisions go; if missing, only the sums are merged. */
  readonly out?: NamedFile | DecisionSink | undefined;
  readonly existing: "refuse" | "anew";
}

export interface MergedParts {
  readonly rehearsed: RehearsedDomain;
  readonly tally: Tally;
}

const DIFFERENT: Readonly<Record<keyof RunIdentity, string>> = {
  version: "was made by another version of mailflow",
  domain: "is of another domain file",
  options: "was made with other options",
  mail: "is of other mail: names, sizes or times differ",
};

/** How many missing shards are listed by number. */
const NUMBERS_MAX = 20;

function refused(said: string): ReplayError {
  return new ReplayError("refused", said);
}

/** Refuses parts of different runs. */
function checkSame(file: NamedFile, part: Part, firstFile: NamedFile, first: Part): void {
  for (const key of ["version", "domain", "options", "mail"] as const) {
    if (part.run[key] === first.run[key]) continue;
    throw refused(
      `\`${file.name}\` ${DIFFERENT[key]} than \`${firstFile.name}\`: merge parts of one run`,
    );
  }
  if (part.shard.of === first.shard.of) return;
  const said = `\`${file.name}\` is one of ${part.shard.of} shards and \`${firstFile.name}\` one of ${first.shard.of}`;
  throw refused(`${said}: merge parts of one run`);
}

/** The files in the order of their shards, and one of their parts. No shard may be missing or occur twice. */
async function inOrder(
  files: readonly NamedFile[],
): Promise<{ readonly files: readonly NamedFile[]; readonly first: Part }> {
  let first: Part | null = null;
  const byNumber = new Map<number, NamedFile>();
  for (const file of files) {
    const part = await readPart(file);
    first ??= part;
    checkSame(file, part, files[0]!, first);
    const { number, of } = part.shard;
    const other = byNumber.get(number);
    if (other !== undefined) {
      throw refused(
        `\`${other.name}\` and \`${file.name}\` are both shard ${number}/${of}: leave one out`,
      );
    }
    byNumber.set(number, file);
  }
  if (first === null) throw refused("there are no parts to merge");
  const numbers = Array.from({ length: first.shard.of }, (_, index) => index + 1);
  const missing = numbers.filter((number) => !byNumber.has(number));
  if (missing.length > 0) {
    const shown = missing.slice(0, NUMBERS_MAX).join(", ");
    const more = missing.length > NUMBERS_MAX ? ", …" : "";
    const said = `${missing.length} of ${first.shard.of} shards are missing: run ${shown}${more}`;
    throw refused(said);
  }
  return { files: numbers.map((number) => byNumber.get(number)!), first };
}

/** Merges what a shard says about the mbox inside which it begins, now that the text before is known. */
async function mergeHead(
  head: ShardHead,
  texts: AsyncIterable<string>,
  merger: Merger,
  route: ReturnType<typeof batchRouter>,
  file: NamedFile,
): Promise<void> {
  const { batch, progress } = head;
  const before = merger.mbox;
  const verdict = judgePart(batch.end, progress.shardStart ?? null, before);
  if (verdict === "again") {
    for await (const _ of texts);
    const { path, name, stamp } = batch;
    const found = statSync(fsPath(path), { throwIfNoEntry: false });
    if (found?.size !== stamp.bytes || secondsOf(found.mtimeMs) !== secondsOf(stamp.mtimeMs)) {
      const said = `\`${file.name}\` began within a message of \`${name}\`, which has to be read again: merge where \`${path}\` can be read and is as it was`;
      throw refused(said);
    }
    const whole = { ...batch, stamp: stampOf(found) };
    for (const part of partsOf(whole)) await merger.merge(part, await route(part));
    return;
  }
  if (verdict === "empty") {
    for await (const _ of texts);
    await merger.take(
      { tally: emptyTally(batch.bytes), text: "" },
      before,
      endOfMbox(batch, before),
    );
    return;
  }
  const renumbering = new Renumbering(batch.name, before.messages);
  for await (const text of texts) await merger.write(renumbering.lines(text));
  const now = advanced(before, progress);
  const tally = renumbering.tally(head.tally);
  await merger.take({ tally, text: "" }, now, endOfMbox(batch, now));
}

async function mergePart(
  file: NamedFile,
  merger: Merger,
  route: ReturnType<typeof batchRouter>,
): Promise<void> {
  const { head, tally, text, mbox } = await readPart(file);
  const hash = createHash("sha256");
  const headBytes = head?.textBytes ?? 0;
  if (head !== null) {
    await mergeHead(head, textOf(file, 0, headBytes, hash), merger, route, file);
  }
  for await (const lines of textOf(file, headBytes, text.bytes, hash)) await merger.write(lines);
  if (hash.digest("hex") !== text.hash) {
    const said = `\`${file.name}\` has changed since it was written: run its shard again`;
    throw new ReplayError("failed", said);
  }
  // If no mbox begins in the shard, the one that extends through it is that of the shard before.
  const now = mbox === null ? merger.mbox : mbox;
  await merger.take({ tally, text: "" }, now);
}

/**
 * Merges the parts of all shards of one run, given in any order. The result is that of a single run of all the mail,
 * except for the times of the slowest messages. If a Content-Length in an mbox holds a message together over a border
 * of shards, the shard after the border is routed again. Rejects with a `ReplayError` for a part of another run, a
 * shard that is missing or occurs twice, and a part that has changed; also if a file would be destroyed or cannot be
 * read or written.
 */
export async function mergeParts(
  parts: readonly NamedFile[],
  { out, existing }: MergeOptions,
): Promise<MergedParts> {
  const { files, first } = await inOrder(parts);
  if (out !== undefined && first.job.lines === "unwanted") {
    throw refused(
      "these parts have only sums, no decisions: leave out --out, or run the shards without --sums-only",
    );
  }
  // Its shards have compiled it within their budget.
  const result = rehearse(first.job.config, { domainFuelMax: Number.POSITIVE_INFINITY });
  if (!result.ok) throw refused(`the domain of \`${files[0]!.name}\` does not compile`);
  const lines = out === undefined ? "unwanted" : "wanted";
  const route = batchRouter({ ...first.job, lines });
  const opened = await openFiles(parts, "", { out, existing });
  try {
    const merger = new Merger({ out: opened.out, state: null }, "", route);
    for (const file of files) await mergePart(file, merger, route);
    await opened.out?.finish();
    return { rehearsed: result.rehearsed, tally: merger.tally() };
  } finally {
    await opened.close();
  }
}
