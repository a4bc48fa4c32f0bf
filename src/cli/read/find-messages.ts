/** Reads messages from files, folders, archives or standard input, one after the other. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type FoundMail,
  isMessage,
  mailInStream,
  type NotMail,
  type StoredMessage,
  storedMail,
} from "../../mailbox/index.ts";
import { UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { type Line, styled, writeLines } from "../line.ts";
import { fileFailure } from "./file-failure.ts";

const STDIN_NAME = "(stdin)";
/** Files that are not mail, and doubts, to list one by one. */
const LISTED_MAX = 20;

/** A message that can be read more than once. */
export type MessageSource = Pick<StoredMessage, "name" | "open">;

/** A file that cannot be read. */
export interface Unreadable {
  readonly name: string;
  readonly failure: string;
}

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
): AsyncGenerator<MessageSource | Unreadable> {
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
export async function messagesAt(
  path: string,
  io: CliIo,
): Promise<AsyncIterable<MessageSource | Unreadable>> {
  if (path === "-") return messagesOf(mailInStream(io.stdin, STDIN_NAME), io);
  const absolute = resolve(io.cwd, path);
  await stat(absolute).catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a message"));
  });
  return messagesOf(storedMail(absolute, path), io);
}
