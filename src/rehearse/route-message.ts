/** Decides one message for its recipients as a server does: at the earliest stage that suffices. */
import { type Facts, STAGES, type Stage } from "../engine/facts/facts.ts";
import type { CompiledDomain } from "../engine/routing/compile-domain.ts";
import type { TraceEntry } from "../engine/routing/explain.ts";
import { explain } from "../engine/routing/explain.ts";
import type { Decision } from "../engine/routing/resolution.ts";
import { decideStaged } from "../message/decide-staged.ts";
import type { MessageProblem } from "../message/header/message-problem.ts";
import {
  headerFacts,
  messageFacts,
  type ReadSoFar,
  recipientsOf,
  type StagedMessage,
} from "../message/index.ts";

/** A message of a source, which can be read more than once. */
export interface SourceMessage {
  /** Its path; for a message of an mbox, that of the file with its number: `archive.mbox#3`. */
  readonly name: string;
  open(): Uint8Array | AsyncIterable<Uint8Array>;
}

/** Reads a message only to the stage asked for, each stage at most once. */
export interface Reader extends Pick<StagedMessage, "upTo"> {
  /** The problems at the furthest stage read. */
  problems(): readonly MessageProblem[];
}

/** Opens the source again for each stage and then closes it, so that nothing stays open while recipients are decided. */
export function readerOf(source: Pick<SourceMessage, "open">): Reader {
  let read: ReadSoFar;
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

export interface RoutingQuestion {
  readonly domain: CompiledDomain;
  readonly recipient: string;
  /** Envelope sender; `""` is the null sender, `undefined` unknown. */
  readonly sender: string | undefined;
  readonly senderSource: "header" | "envelope";
  /**
   * `nothing`: only the resolution; `decision`: a trace of the entry that decided; `everything`: a trace on all
   * facts.
   */
  readonly trace: "nothing" | "decision" | "everything";
}

export interface RoutedAnswer {
  readonly decision: Decision;
  readonly trace: readonly TraceEntry[];
  /** The facts that the decision is based on. */
  readonly facts: Facts;
}

/** Asks the engine stage by stage, and reads no further than it needs. */
export async function answer(
  question: RoutingQuestion,
  reader: Reader,
  from: Stage = question.trace === "everything" ? "body" : "envelope",
): Promise<RoutedAnswer> {
  const { domain, recipient, sender, senderSource } = question;
  const envelope = sender === undefined ? { recipient } : { recipient, sender };
  const { decision, facts } = await decideStaged(domain, envelope, reader, from, { senderSource });
  const trace = question.trace === "nothing" ? [] : explain(domain, facts).trace;
  return { decision, trace, facts };
}

/** All facts of a message. */
export async function wholeFacts(
  domain: CompiledDomain,
  recipient: string,
  sender: string | undefined,
  reader: Reader,
): Promise<Facts> {
  const question = { domain, recipient, sender, senderSource: "header", trace: "nothing" } as const;
  return (await answer(question, reader, "body")).facts;
}

/** The recipients that the message names at the domain. */
export async function recipientsNamed(
  domain: CompiledDomain,
  reader: Reader,
): Promise<readonly string[]> {
  const read = await reader.upTo("header");
  return read === undefined ? [] : recipientsOf(read, domain.name);
}
