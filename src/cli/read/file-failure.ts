/** Explains why a file could not be read, in the words of the command line. */
import { systemFailure } from "../../mailbox/system-failure.ts";
import { UsageError } from "../command.ts";

/** One line for an error from reading `path`; a `UsageError` keeps its message. Throws other errors again. */
export function fileFailure(error: unknown, path: string, wanted: string): string {
  if (error instanceof UsageError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return `\`${path}\` is a folder: name ${wanted}`;
  if (code === undefined) throw error;
  return systemFailure("read", path, error);
}

/** One line for an error from writing `path`; a `UsageError` keeps its message. Throws other errors again. */
export function writeFailure(error: unknown, path: string): string {
  if (error instanceof UsageError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return `\`${path}\` is a folder: name a file to write`;
  if (code === undefined) throw error;
  return systemFailure("write", path, error);
}
