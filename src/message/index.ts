/** Entry point `mailflow/message`: from the bytes of a message to the facts that rules see. */
export type { AttachmentFact } from "../mail/facts.ts";
export type { HeaderFacts } from "../mail/header-facts.ts";
export type { Envelope, MessageFacts, ToFactsOptions } from "../mail/message-facts.ts";
export { toFacts } from "../mail/message-facts.ts";
export type { MessageProblem, MessageProblemCode } from "../mail/message-problem.ts";
export { recipientsOf } from "../mail/recipients.ts";
export { looksLikeMbox, splitMbox } from "./mbox.ts";
export type { MessageSource } from "./message-source.ts";
export { headerFacts, messageFacts } from "./read-message.ts";
