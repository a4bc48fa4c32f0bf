/** Why a file could not be read, in the words of the command line. */
import { UsageError } from "./command.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ELOOP: "its links go round in a circle",
  Z_DATA_ERROR: "its compressed data is damaged",
  Z_BUF_ERROR: "its compressed data ends too early",
};

/** One line for a failure that reading `path` threw; a `UsageError` keeps its own. Other errors are thrown on. */
export function fileFailure(error: unknown, path: string, wanted: string): string {
  if (error instanceof UsageError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return `\`${path}\` is a folder: name ${wanted}`;
  if (code === undefined) throw error;
  return `cannot read \`${path}\`: ${REASONS[code] ?? code}`;
}
