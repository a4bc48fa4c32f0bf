/** Resolves a message for one recipient, with as much of the message as is available. */
import { strict as assert } from "node:assert";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import { resolve } from "../../engine/routing/resolve.ts";
import type { HeaderFacts } from "../../message/header/header-facts.ts";
import { route, type StagedMessage, toFacts } from "../../message/index.ts";
import type { DecisionWatch } from "../model/service.ts";

export async function headerOf(message: StagedMessage): Promise<HeaderFacts> {
  const read = await message.upTo("header");
  assert(read !== undefined, "a header that was asked for has been read");
  return read;
}

/** The decision; `null` if there is no message and the decision needs more than the envelope. */
export async function decide(
  domain: CompiledDomain,
  envelope: { readonly sender: string; readonly recipient: string },
  message: StagedMessage | null,
  watch?: DecisionWatch,
): Promise<Decision | null> {
  const began = watch === undefined ? 0 : performance.now();
  const stats = watch?.stats;
  const done = (stage: string): void => watch?.decided(stage, (performance.now() - began) / 1_000);
  if (message !== null) {
    const { decision, stage } = await route(domain, envelope, message, { stats });
    done(stage);
    return decision;
  }
  const resolution = resolve(domain, toFacts(envelope), stats === undefined ? {} : { stats });
  if (resolution.verdict !== "decided") return null;
  done("envelope");
  return resolution;
}
