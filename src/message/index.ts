/**
 * Entry point `mailflow/message`: from the bytes of a message to the facts that rules see.
 * @module message
 */

export type { AttachmentFact } from "../engine/facts/facts.ts";
export type { AddressLimits } from "./header/address-list.ts";
export type { HeaderFacts } from "./header/header-facts.ts";
export type { Envelope, MessageFacts, TextFacts, ToFactsOptions } from "./header/message-facts.ts";
export { toFacts } from "./header/message-facts.ts";
export type { MessageProblem, MessageProblemCode } from "./header/message-problem.ts";
export { recipientsOf } from "./header/recipients.ts";
export type { BodySource, MessageLimits, ReadOptions } from "./message-limits.ts";
export type { MessageSource } from "./message-source.ts";
export { headerFacts, headerFactsOf, messageFacts, messageFactsOf } from "./read-message.ts";
export { type Routed, type RouteOptions, route } from "./route.ts";
export { type StagedOptions, stagedMessage } from "./staged-message.ts";
export type { ReadSoFar, StagedMessage } from "./streamed-message.ts";
export { type Attachment, type WholeMessage, wholeMessage } from "./whole-message.ts";
