/** Resolves a message for one recipient, as far as there is a message to read. */
import { strict as assert } from "node:assert";
import type { HeaderFacts } from "../mail/header-facts.ts";
import { route, type StagedMessage, toFacts } from "../message/index.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import type { Decision } from "../routing/resolution.ts";
import { resolve } from "../routing/resolve.ts";

export async function headerOf(message: StagedMessage): Promise<HeaderFacts> {
  const read = await message.upTo("header");
  assert(read !== undefined, "a header that was asked for has been read");
  return read;
}

/** The decision; without a message, `null` where it needs more than the envelope. */
export async function decide(
  domain: CompiledDomain,
  envelope: { readonly sender: string; readonly recipient: string },
  message: StagedMessage | null,
): Promise<Decision | null> {
  if (message !== null) return (await route(domain, envelope, message)).decision;
  const resolution = resolve(domain, toFacts(envelope));
  return resolution.verdict === "decided" ? resolution : null;
}
