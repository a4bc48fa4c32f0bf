/**
 * Entry point `mailflow/mailbox`: the messages of files, folders, Maildirs and mboxes, one at a time. For Node.js.
 * @module mailbox
 */
export { type MailRange, openRange } from "./mail-range.ts";
export {
  looksLikeMbox,
  type MboxMessage,
  type MboxOptions,
  mboxMessages,
  splitMbox,
} from "./mbox/mbox.ts";
export type { NotMail, NotMailReason } from "./not-mail.ts";
export {
  type FoundMail,
  isMessage,
  mailInStream,
  type StoredMessage,
  storedMail,
} from "./stored-mail.ts";
