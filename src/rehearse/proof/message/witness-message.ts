/** A message made as a witness, read as a server reads it, and resolved by the domain. */

import type { Facts } from "../../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../../engine/routing/compile-domain.ts";
import type { Decision } from "../../../engine/routing/resolution.ts";
import { resolve } from "../../../engine/routing/resolve.ts";
import { BodyStream } from "../../../message/body-stream.ts";
import { toFacts } from "../../../message/header/message-facts.ts";
import { bodySourceOf, messageLimits } from "../../../message/message-limits.ts";
import { atOnce, type Sliced } from "../slices.ts";
import type { Model } from "../solve/model.ts";
import { draftOf } from "./draft.ts";
import { type Written, writeMessage } from "./write-message.ts";

/** A message made as an example. */
export interface Message {
  /** The recipient's address. */
  readonly recipient: string;
  /** As it would be received, with CRLF at line ends; in UTF-8 if its addresses are. */
  readonly text: string;
}

const encoder = new TextEncoder();

/** The facts of a written message, with the envelope sender unknown. */
export function* readFacts({ recipient, pieces }: Written): Sliced<Facts> {
  const read = new BodyStream(messageLimits({}), bodySourceOf({}));
  let [piece, bytes] = ["", encoder.encode("")];
  for (const each of pieces) {
    if (each !== piece) bytes = encoder.encode(each);
    piece = each;
    read.push(bytes);
    yield;
  }
  return toFacts({ recipient }, read.facts());
}

/** The facts of a message in one text, without slices. */
export function factsOf({ recipient, text }: Message): Facts {
  return atOnce(readFacts({ recipient, pieces: [text] }));
}

/** The message in one text, for display. */
export function inOneText({ recipient, pieces }: Written): Message {
  return { recipient, text: pieces.join("") };
}

/** The decision of the domain for a message of which all facts are known. */
export function decisionOn(domain: CompiledDomain, facts: Facts): Decision {
  const resolution = resolve(domain, facts);
  if (resolution.verdict !== "decided") throw new TypeError("a fact of a whole message is unknown");
  return resolution;
}

/** The message that a model describes; `null` if it cannot be written. */
export function messageOf(model: Model, domain: CompiledDomain): Written | null {
  return writeMessage(draftOf(model), domain.name);
}
