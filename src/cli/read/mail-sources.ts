/** The messages of several paths one after the other, for commands that read many. */
import type { Sources } from "../../rehearse/diff/compare.ts";
import type { Command } from "../command.ts";
import type { CliIo } from "../io.ts";
import { messagesAt } from "./find-messages.ts";

export const SOURCES_ARGUMENT: Command["arguments"][number] = {
  name: "messages",
  count: "many",
  description:
    "a message, an mbox, a folder or Maildir (each also .gz or .zst), or - for standard input",
};

/** Throws a `UsageError` at once if nothing is at one of the paths. */
export async function mailAt(paths: readonly string[], io: CliIo): Promise<Sources> {
  const places = await Promise.all(paths.map((path) => messagesAt(path, io)));
  return (async function* () {
    for (const place of places) yield* place;
  })();
}
