/** `mailflow merge`: joins the parts of a sharded replay. */

import { stat } from "node:fs/promises";
import { placeAt } from "../../rehearse/replay/mail-place.ts";
import { ReplayError } from "../../rehearse/replay/replay-error.ts";
import { mergeParts } from "../../rehearse/replay/shard/merge-parts.ts";
import { type Command, type Given, UsageError } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { styled, writeLines } from "../line.ts";
import { fileFailure } from "../read/file-failure.ts";
import { filesOf, REPLAYED_OPTIONS, showReplayed } from "./replay.ts";

async function runMerge(given: Given, io: CliIo): Promise<number> {
  const parts = given.arguments.map((path) => placeAt(path, io.cwd));
  for (const { path, name } of parts) {
    await stat(path).catch((error: unknown) => {
      throw new UsageError(fileFailure(error, name, "a part"));
    });
  }
  const { out, existing } = filesOf(given, io);
  try {
    const { rehearsed, tally } = await mergeParts(parts, { out, existing });
    return await showReplayed(given, io, rehearsed, { tally, resumedAt: 0, verdict: "done" });
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    if (error.kind === "refused") throw new UsageError(error.message);
    await writeLines(io.stderr, io.env, [[styled("red", "error: "), error.message]]);
    return EXIT.errorsFound;
  }
}

export const mergeCommand: Command = {
  name: "merge",
  summary: "puts the parts of a replay in shards together",
  arguments: [
    { name: "parts", count: "many", description: "the parts of all shards, in any order" },
  ],
  options: [
    {
      name: "out",
      value: "file.ndjson",
      description:
        "write every decision, one JSON object per line, in the order of the mail; - for standard output",
    },
    { name: "force", description: "overwrite --out" },
    ...REPLAYED_OPTIONS,
  ],
  notes: [
    "",
    "What comes out is what `mailflow replay` of all the mail gives, but for the times of the slowest messages. A part of",
    "another run (another domain, other mail, other options) is refused, and so is a shard that is missing or there twice.",
    "Where a Content-Length holds a message together over a border of shards the mail is read again, and has to be there.",
    "Exit code: 0 merged, 1 something could not be read or written, in a shard or now, 2 wrong use, parts that do not",
    "belong together, or nothing that was routed.",
  ],
  examples: [
    "mailflow replay example.com.json archive/ --shard 3/100 --out part-3.json",
    "mailflow merge part-*.json --out decisions.ndjson",
    "mailflow merge part-*.json --json | jq .entries",
  ],
  run: runMerge,
};
