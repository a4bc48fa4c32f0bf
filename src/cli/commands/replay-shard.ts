/** `mailflow replay --shard`: routes one shard of the mail and writes its part. */
import type { RehearsedDomain } from "../../rehearse/rehearsed-domain.ts";
import type { MailPlace } from "../../rehearse/replay/mail-place.ts";
import type { ReplayOptions } from "../../rehearse/replay/replay.ts";
import { replayShard } from "../../rehearse/replay/shard/replay-shard.ts";
import { SHARDS_MAX, type Shard } from "../../rehearse/replay/shard/shard.ts";
import { styled } from "../../rehearse/words/line.ts";
import { type Given, type Option, optionOf, UsageError } from "../command.ts";
import { EXIT } from "../io.ts";
import { note, type Reports } from "../report.ts";

export const SHARD_OPTIONS: readonly Option[] = [
  {
    name: "shard",
    value: "3/100",
    description: "route shard 3 of 100; --out is its part, for `mailflow merge`",
  },
  {
    name: "sums-only",
    needs: ["shard"],
    description: "with --shard: leave the decisions out of the part",
  },
];

/** The shard that `--shard` names; `null`: all mail is routed. */
export function shardOf(given: Given): Shard | null {
  const { options } = given;
  const written = optionOf(given, "shard");
  if (written === undefined) return null;
  const found = /^(\d{1,9})\/(\d{1,9})$/.exec(written);
  const [number, of] = [Number(found?.[1]), Number(found?.[2])];
  if (found === null || number < 1 || number > of || of > SHARDS_MAX) {
    const said = `write the shard and the number of shards, at most ${SHARDS_MAX}, as in \`3/100\``;
    throw new UsageError(`\`--shard\` cannot be \`${written}\`: ${said}`);
  }
  if (options.has("resume")) {
    const said = "a shard always starts from its beginning: use more shards instead";
    throw new UsageError(`\`--resume\` cannot be used with \`--shard\`: ${said}`);
  }
  for (const name of ["json", "allow-unreadable"]) {
    if (!options.has(name)) continue;
    throw new UsageError(
      `\`--${name}\` cannot be used with \`--shard\`: give it to \`mailflow merge\``,
    );
  }
  if (!options.has("out"))
    throw new UsageError("`--shard` needs `--out`: name a file for the part");
  return { number, of };
}

/** The options of a replay that also apply to a shard. */
export type ForShard = Pick<
  ReplayOptions,
  "recipients" | "sender" | "workers" | "out" | "existing" | "onProgress" | "signal"
>;

export async function* runShard(
  given: Given,
  rehearsed: RehearsedDomain,
  places: readonly MailPlace[],
  shard: Shard,
  { out, existing = "refuse", ...options }: ForShard,
): Reports {
  const name = optionOf(given, "out")!;
  const keeps = given.options.has("sums-only") ? "sums" : "decisions";
  // The command line gives a file with its path, or standard output.
  const output = out as Exclude<typeof out, string | undefined>;
  const verdict = await replayShard(rehearsed, places, shard, output, {
    ...options,
    existing,
    keeps,
  });
  const what = `shard ${shard.number}/${shard.of}`;
  if (verdict === "ended") {
    yield note([styled("yellow", `${what} was stopped before all of it was routed`)]);
    return EXIT.unusable;
  }
  const said = verdict === "done" ? `written to ${name}` : `already in ${name}`;
  yield note([`${what} is ${said}`]);
  return EXIT.ok;
}
