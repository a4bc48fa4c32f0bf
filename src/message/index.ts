/** Entry point `mailflow/message`: from the bytes of a message to the facts that rules see. */
export type { AddressLimits } from "../mail/address-list.ts";
export type { AttachmentFact } from "../mail/facts.ts";
export type { HeaderFacts } from "../mail/header-facts.ts";
export type { Envelope, MessageFacts, ToFactsOptions } from "../mail/message-facts.ts";
export { toFacts } from "../mail/message-facts.ts";
export type { MessageProblem, MessageProblemCode } from "../mail/message-problem.ts";
export { recipientsOf } from "../mail/recipients.ts";
export { type MailRange, openRange } from "./mail-range.ts";
export {
  looksLikeMbox,
  type MboxMessage,
  type MboxOptions,
  mboxMessages,
  splitMbox,
} from "./mbox.ts";
export type { MessageLimits, ReadOptions } from "./message-limits.ts";
export type { MessageSource } from "./message-source.ts";
export { headerFacts, headerFactsOf, messageFacts, messageFactsOf } from "./read-message.ts";
export { type Routed, type RouteOptions, route } from "./route.ts";
export { type ReadSoFar, type StagedMessage, stagedMessage } from "./staged-message.ts";
export {
  mailInStream,
  type StoredMessage,
  storedMail,
  type UnreadableMail,
} from "./stored-mail.ts";
export { type Attachment, type WholeMessage, wholeMessage } from "./whole-message.ts";
