/** `mailflow merge`: joins the parts of a sharded replay. */

import { stat } from "node:fs/promises";
import { placeAt } from "../../rehearse/replay/mail-place.ts";
import { mergeParts } from "../../rehearse/replay/shard/merge-parts.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { fileFailure } from "../read/files.ts";
import type { Reports } from "../report.ts";
import { filesOf, REPLAYED_OPTIONS, replayFailure, reportReplayed } from "./replay.ts";

async function* runMerge(given: Given, io: CliIo): Reports {
  const parts = given.arguments.map((path) => placeAt(path, io.cwd));
  for (const { path, name } of parts) {
    await stat(path).catch((error: unknown) => {
      throw new UsageError(fileFailure(error, name, "a part"));
    });
  }
  const { out, existing } = filesOf(given, io);
  const { rehearsed, tally } = await mergeParts(parts, { out, existing }).catch((error) => {
    throw replayFailure(error);
  });
  return yield* reportReplayed(given, rehearsed, { tally, resumedAt: 0, verdict: "done" });
}

export const mergeCommand: Command = {
  name: "merge",
  summary: "merges the parts of a sharded replay",
  arguments: [
    { name: "parts", count: "many", description: "the parts of all shards, in any order" },
  ],
  options: [
    {
      name: "out",
      value: "file.ndjson",
      description:
        "write every decision as a line of JSON, in the order of the mail; - is standard output",
    },
    { name: "force", needs: ["out"], description: "overwrite --out" },
    ...REPLAYED_OPTIONS,
  ],
  notes: [
    "",
    "The result is the same as that of `mailflow replay` over all the mail, except for the times of the slowest messages.",
    "merge refuses parts of different runs (another domain, other mail, other options), and missing or repeated shards.",
    "If a Content-Length makes a message cross the border of two shards, merge reads the mail again: it must still exist.",
    "Exit code: 0 merged, 1 something could not be read or written, in a shard or now, 2 wrong use, parts that do not",
    "belong together, or nothing was routed.",
  ],
  examples: [
    "mailflow replay example.com.json archive/ --shard 3/100 --out part-3.json",
    "mailflow merge part-*.json --out decisions.ndjson",
    "mailflow merge part-*.json --json | jq .entries",
  ],
  run: runMerge,
};
