/** What is found besides messages: what cannot be read, what is not mail, and what was read but is doubtful. */
import { systemReason } from "./system-failure.ts";

/** Why something was not read as mail, or is doubtful. */
export type NotMailReason =
  | "archive"
  | "UTF-16"
  | "damaged"
  | "unreadable"
  | "dangling link"
  | "index"
  | "hidden"
  | "unfinished"
  | "deleted"
  | "empty"
  | "not mail"
  | "pipe"
  | "linked folder"
  | "doubtful"
  | "dialect";

/** Plain JSON. */
export interface NotMail {
  readonly name: string;
  /**
   * `unreadable`: it has mail, or may have, that was not read; `skipped`: it is not mail; `warning`: its messages
   * were read, but are doubtful; `note`: how they were read.
   */
  readonly kind: "unreadable" | "skipped" | "warning" | "note";
  readonly reason: NotMailReason;
  /** One line for people. */
  readonly message: string;
}

export function unreadable(name: string, reason: NotMailReason, message: string): NotMail {
  return { name, kind: "unreadable", reason, message };
}

export function skipped(name: string, reason: NotMailReason, message: string): NotMail {
  return { name, kind: "skipped", reason, message };
}

export function warning(name: string, reason: NotMailReason, message: string): NotMail {
  return { name, kind: "warning", reason, message };
}

/** Makes an entry of an error thrown while a file or folder was read. */
export function unreadableBecause(name: string, error: unknown): NotMail {
  const { code } = error as NodeJS.ErrnoException;
  const said = systemReason(error) ?? (error instanceof Error ? error.message : String(error));
  const isDamage = code?.startsWith("Z_") === true;
  return unreadable(name, isDamage ? "damaged" : "unreadable", `cannot read \`${name}\`: ${said}`);
}
