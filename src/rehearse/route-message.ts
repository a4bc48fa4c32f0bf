/** One message for its recipients, decided as a server does: at the earliest stage that suffices. */
import { strict as assert } from "node:assert";
import { type Facts, STAGES, type Stage } from "../mail/facts.ts";
import type { HeaderFacts } from "../mail/header-facts.ts";
import type { MessageFacts } from "../mail/message-facts.ts";
import type { MessageProblem } from "../mail/message-problem.ts";
import { headerFacts, messageFacts, recipientsOf, toFacts } from "../message/index.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import { explain } from "../routing/explain.ts";
import type { Decision, TraceEntry } from "../routing/resolution.ts";
import { resolve } from "../routing/resolve.ts";

type Read = HeaderFacts | MessageFacts;

/** A message of a source, which can be read more than once. */
export interface SourceMessage {
  /** Its path, or for a message of an mbox the file's with its place in it: `archive.mbox#3`. */
  readonly name: string;
  open(): Uint8Array | AsyncIterable<Uint8Array>;
}

/** Reads a message as far as it is asked to, each stage at most once. */
export interface Reader {
  upTo(stage: Stage): Promise<Read | undefined>;
  /** Of the furthest stage read. */
  problems(): readonly MessageProblem[];
}

export function readerOf(source: Pick<SourceMessage, "open">): Reader {
  let read: Read | undefined;
  let reached: Stage = "envelope";
  return {
    async upTo(stage) {
      if (STAGES.indexOf(stage) <= STAGES.indexOf(reached)) return read;
      read = await (stage === "header" ? headerFacts(source.open()) : messageFacts(source.open()));
      reached = stage;
      return read;
    },
    problems: () => read?.problems ?? [],
  };
}

export interface Question {
  readonly domain: CompiledDomain;
  readonly recipient: string;
  /** Envelope sender; `""` is the null sender, `undefined` unknown. */
  readonly sender: string | undefined;
  readonly senderSource: "header" | "envelope";
  /** `nothing`: the resolution alone; `decision`: a trace of what decided; `everything`: on all facts. */
  readonly trace: "nothing" | "decision" | "everything";
}

export interface Answer {
  readonly decision: Decision;
  readonly trace: readonly TraceEntry[];
  /** The facts it was decided on. */
  readonly facts: Facts;
}

/** Asks the engine stage by stage, reading no further than it needs. */
export async function answer(question: Question, reader: Reader): Promise<Answer> {
  const { domain, recipient, sender, senderSource } = question;
  const envelope = sender === undefined ? { recipient } : { recipient, sender };
  let stage: Stage = question.trace === "everything" ? "body" : "envelope";
  for (;;) {
    const facts = toFacts(envelope, await reader.upTo(stage), { senderSource });
    const resolution = resolve(domain, facts);
    if (resolution.verdict === "decided") {
      const trace = question.trace === "nothing" ? [] : explain(domain, facts).trace;
      return { decision: resolution, trace, facts };
    }
    assert(stage !== "body", "a domain left a message undecided of which every fact is known");
    stage = stage === "header" ? "body" : resolution.needs;
  }
}

/** The recipients that the message names at the domain. */
export async function recipientsNamed(
  domain: CompiledDomain,
  reader: Reader,
): Promise<readonly string[]> {
  const read = await reader.upTo("header");
  return read === undefined ? [] : recipientsOf(read, domain.name);
}
