/** Messages of a file, an mbox, a folder (Maildirs too) or standard input, one after the other. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  mailInStream,
  type StoredMessage,
  storedMail,
  type UnreadableMail,
} from "../message/index.ts";
import { UsageError } from "./command.ts";
import { fileFailure } from "./file-failure.ts";
import type { CliIo } from "./io.ts";

const STDIN_NAME = "(stdin)";

/** A message that can be read, more than once if need be. */
export type MessageSource = Pick<StoredMessage, "name" | "open">;

/** A file in a folder that cannot be read. */
export interface Unreadable {
  readonly name: string;
  readonly failure: string;
}

function unreadable({ name, kind, error }: UnreadableMail): Unreadable {
  // What is too large for a pipe says so itself.
  if (error instanceof RangeError) return { name, failure: error.message };
  return { name, failure: fileFailure(error, name, kind === "file" ? "a message" : "a folder") };
}

async function* messagesOf(
  found: AsyncIterable<StoredMessage | UnreadableMail>,
): AsyncGenerator<MessageSource | Unreadable> {
  for await (const each of found) yield "error" in each ? unreadable(each) : each;
}

async function* messagesOfStdin(io: CliIo): AsyncGenerator<MessageSource> {
  try {
    yield* mailInStream(io.stdin, STDIN_NAME);
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/**
 * The messages at `path`; `-` is standard input. Folders are read with all their subfolders, by name.
 * Rejects with a `UsageError` if there is nothing at `path`.
 */
export async function messagesAt(
  path: string,
  io: CliIo,
): Promise<AsyncIterable<MessageSource | Unreadable>> {
  if (path === "-") return messagesOfStdin(io);
  const absolute = resolve(io.cwd, path);
  await stat(absolute).catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a message"));
  });
  return messagesOf(storedMail(absolute, path));
}
