/** A message made as a witness, read back as a server reads it, with what the domain does with it. */

import type { Facts } from "../../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../../engine/routing/compile-domain.ts";
import type { Decision } from "../../../engine/routing/resolution.ts";
import { resolve } from "../../../engine/routing/resolve.ts";
import { toFacts } from "../../../message/header/message-facts.ts";
import { messageFactsOf } from "../../../message/read-message.ts";
import type { Model } from "../solve/model.ts";
import { draftOf } from "./draft.ts";
import { writeMessage } from "./write-message.ts";

/** A message that shows something. */
export interface Message {
  /** For whom it is. */
  readonly recipient: string;
  /** As it would be received, lines ended by CRLF; in UTF-8 where its addresses are. */
  readonly text: string;
}

const encoder = new TextEncoder();

/** The facts of a written message, its envelope sender unknown. */
export function factsOf({ recipient, text }: Message): Facts {
  return toFacts({ recipient }, messageFactsOf(encoder.encode(text)));
}

export function decisionOn(domain: CompiledDomain, message: Message): Decision {
  const resolution = resolve(domain, factsOf(message));
  if (resolution.verdict !== "decided") throw new TypeError("a fact of a whole message is unknown");
  return resolution;
}

/** The message that a model describes; `null` where it cannot be written. */
export function messageOf(model: Model, domain: CompiledDomain): Message | null {
  return writeMessage(draftOf(model), domain.name);
}
