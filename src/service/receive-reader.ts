/** Resolves a message for one recipient, as far as there is a message to read. */
import { strict as assert } from "node:assert";
import type { HeaderFacts } from "../mail/header-facts.ts";
import { toFacts } from "../message/index.ts";
import { answer, type Reader, readerOf } from "../rehearse/route-message.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import type { Decision } from "../routing/resolution.ts";
import { resolve } from "../routing/resolve.ts";

/** Reads each stage of the message once, for all recipients. */
export function stageReader(message: Uint8Array): Reader {
  return readerOf({ open: () => message });
}

export async function headerOf(reader: Reader): Promise<HeaderFacts> {
  const read = await reader.upTo("header");
  assert(read !== undefined, "a header that was asked for has been read");
  return read;
}

/** The decision; without a `reader`, `null` where it needs more than the envelope. */
export async function decide(
  domain: CompiledDomain,
  envelope: { readonly sender: string; readonly recipient: string },
  reader: Reader | null,
): Promise<Decision | null> {
  if (reader === null) {
    const resolution = resolve(domain, toFacts(envelope));
    return resolution.verdict === "decided" ? resolution : null;
  }
  const question = { domain, ...envelope, senderSource: "header", trace: "nothing" } as const;
  return (await answer(question, reader)).decision;
}
