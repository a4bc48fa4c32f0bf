/** Reads messages from files, folders, archives or standard input, one after the other. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type FoundMail,
  isMessage,
  mailInStream,
  type NotMail,
  storedMail,
} from "../../mailbox/index.ts";
import type { Sources, UnreadableMessage } from "../../rehearse/diff/compare.ts";
import type { SourceMessage } from "../../rehearse/route-message.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { type Command, UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { writeLines } from "../line.ts";
import { fileFailure } from "./files.ts";

export const SOURCES_ARGUMENT: Command["arguments"][number] = {
  name: "messages",
  count: "many",
  description:
    "a message, an mbox, a folder or Maildir (each also packed: .gz, .tar, .zip …), or - for standard input",
};

const STDIN_NAME = "(stdin)";
/** Files that are not mail, and doubts, to list one by one. */
const LISTED_MAX = 20;

function lineOf({ kind, name, message }: NotMail): Line {
  return [
    styled("yellow", `${kind === "skipped" ? "skipped" : "warning"}: `),
    `${name}: ${message}`,
  ];
}

/** Gives messages, and reports everything that is not mail on standard error. */
async function* messagesOf(
  all: AsyncIterable<FoundMail>,
  io: CliIo,
): AsyncGenerator<SourceMessage | UnreadableMessage> {
  let listed = 0;
  for await (const found of all) {
    if (isMessage(found)) yield found;
    else if (found.kind === "unreadable") yield { name: found.name, failure: found.message };
    else if (found.kind !== "note" && ++listed <= LISTED_MAX) {
      await writeLines(io.stderr, io.env, [lineOf(found)]);
    }
  }
  if (listed <= LISTED_MAX) return;
  await writeLines(io.stderr, io.env, [[`… and ${listed - LISTED_MAX} more`]]);
}

/**
 * The messages at `path`; `-` is standard input. Folders are read with all subfolders, in the order of names. Rejects
 * with a `UsageError` if nothing is at `path`.
 */
export async function messagesAt(path: string, io: CliIo): Promise<Sources> {
  if (path === "-") return messagesOf(mailInStream(io.stdin, STDIN_NAME), io);
  const absolute = resolve(io.cwd, path);
  await stat(absolute).catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a message"));
  });
  return messagesOf(storedMail(absolute, path), io);
}

/** The messages of several paths one after the other. Throws a `UsageError` at once if nothing is at one of them. */
export async function mailAt(paths: readonly string[], io: CliIo): Promise<Sources> {
  const places = await Promise.all(paths.map((path) => messagesAt(path, io)));
  return (async function* () {
    for (const place of places) yield* place;
  })();
}

/** All octets of a message. */
export async function octetsOf(source: Pick<SourceMessage, "open">): Promise<Buffer> {
  const opened = source.open();
  if (opened instanceof Uint8Array) return Buffer.from(opened);
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
