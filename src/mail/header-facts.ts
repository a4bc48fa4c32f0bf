/** The facts of a message that its header block gives. */
import { parseMailboxes } from "./address-list.ts";
import type { CharsetDecoder } from "./encoded-words.ts";
import { type HeaderBlock, splitHeaderBlock } from "./header-block.ts";
import { headerText, rawHeaderText } from "./header-text.ts";
import type { MessageProblem } from "./message-problem.ts";

export interface HeaderFacts {
  /** The first usable mailbox of the From field, canonical; `null` if there is none. */
  readonly from: string | null;
  /** Decoded, unfolded, without control characters; `""` if missing. */
  readonly subject: string;
  /** Lower-case field name → decoded values, in the order of the message. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** What could not be read. */
  readonly problems: readonly MessageProblem[];
}

/** The facts of a block that was split. Total. */
export function factsOfBlock(block: HeaderBlock, decode: CharsetDecoder): HeaderFacts {
  const headers = new Map<string, string[]>();
  let from: string | null = null;
  for (const { name, value } of block.fields) {
    const text = headerText(value, decode);
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [text]);
    else values.push(text);
    // Encoded words stay as they are: what they say is a name, never an address.
    if (name === "from") from ??= parseMailboxes(rawHeaderText(value, decode))[0] ?? null;
  }
  return { from, subject: headers.get("subject")?.[0] ?? "", headers, problems: block.problems };
}

/** The facts of a message's beginning, which ends anywhere after the blank line. Any bytes give facts. */
export function readHeaderFacts(bytes: Uint8Array, decode: CharsetDecoder): HeaderFacts {
  return factsOfBlock(splitHeaderBlock(bytes), decode);
}
