/** Describes a file error in words: the operation, the file, and the reason from the system's code. */

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EEXIST: "it exists already",
  ELOOP: "its links go round in a circle",
  ENOSPC: "no space left",
  EDQUOT: "the quota is used up",
  EFBIG: "the file would be too large",
  EROFS: "the file system is read-only",
  EIO: "the device reports an error",
  EPIPE: "nobody reads it any more",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ESTALE: "the server does not know the file any more",
  ETIMEDOUT: "the server does not answer",
  Z_DATA_ERROR: "it is damaged",
  Z_BUF_ERROR: "it ends too early",
};

/** `no space left` for an error of the file system or of zlib; `undefined` for any other error. */
export function systemReason(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code !== "string" || code.startsWith("ERR_")) return undefined;
  return REASONS[code] ?? code;
}

/** ``cannot write `x`: no space left``. */
export function systemFailure(operation: string, name: string, error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  // Writing creates the file, so the folder is missing.
  if (operation === "write" && (code === "ENOENT" || code === "ENOTDIR")) {
    return `cannot write \`${name}\`: there is no such folder`;
  }
  const reason = systemReason(error) ?? (error instanceof Error ? error.message : String(error));
  return `cannot ${operation} \`${name}\`: ${reason}`;
}
