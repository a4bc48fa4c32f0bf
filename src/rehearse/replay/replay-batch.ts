/** Routes the messages of one batch and counts the results. */

import type { Facts } from "../../engine/facts/facts.ts";
import type { CompiledDomain } from "../../engine/routing/compile-domain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import type { MboxDoubt } from "../../mailbox/mbox/mbox-from-line.ts";
import { MboxPart } from "../../mailbox/mbox/mbox-part.ts";
import type { MboxBorder } from "../../mailbox/mbox/mbox-splitter.ts";
import { type NotMail, unreadable, unreadableBecause } from "../../mailbox/not-mail.ts";
import { dialectNote, mailInFile } from "../../mailbox/stored-mail.ts";
import { systemReason } from "../../mailbox/system-failure.ts";
import type { UnreadableMessage } from "../diff/compare.ts";
import {
  type RehearsedDomain,
  type RehearseOptions,
  rehearse,
  ruleEntries,
} from "../rehearsed-domain.ts";
import { answer, readerOf, recipientsNamed, type SourceMessage } from "../route-message.ts";
import { toolsOfType } from "../rules/tools-table.ts";
import type { Batch, MboxPartBatch } from "./replay-plan.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";
import { changeSince, type SourceChange } from "./source-stamp.ts";

/** Data that every batch of a replay needs; plain data. */
export interface ReplayJob {
  readonly config: RehearsedDomain["config"];
  /** Recipients of every message; `null`: those that it names at the domain. */
  readonly recipients: readonly string[] | null;
  /** Envelope sender of every message; `null`: unknown. */
  readonly sender: string | null;
  /** Whether decisions are wanted as lines of JSON. */
  readonly lines: "wanted" | "unwanted";
}

/** How often each doubt came up, in the order of first appearance. */
export type Doubts = readonly (readonly [MboxDoubt, number])[];

/** What is known, after one part of an mbox, about the parts around it. */
export interface PartBorders {
  /** Where its first message begins; `null`: none begins in it. */
  readonly first: MboxBorder | null;
  /** Where the first message after the part begins; `null`: the file has ended. */
  readonly next: MboxBorder | null;
  readonly doubts: Doubts;
}

export interface BatchResult {
  readonly tally: Tally;
  /** NDJSON, one line for each decision, in the order of the batch; `""` if unwanted. */
  readonly text: string;
  /** For a part of an mbox. */
  readonly borders?: PartBorders;
  /** Set if a source has changed since the batches were cut: the counts are then unreliable. */
  readonly changed?: { readonly name: string; readonly change: SourceChange };
}

export type BatchRouter = (batch: Batch) => Promise<BatchResult>;

type BatchItem = SourceMessage | UnreadableMessage | NotMail;

/** Describes a failure; errors of the file system by their code, so that no path of the machine is shown. */
function failureText(error: unknown): string {
  const reason = systemReason(error);
  if (reason !== undefined) return `cannot be read: ${reason}`;
  return error instanceof Error ? error.message : String(error);
}

async function* inFiles({ files }: Extract<Batch, { kind: "files" }>): AsyncGenerator<BatchItem> {
  for (const file of files) {
    if ("kind" in file) yield file;
    else yield* mailInFile({ ...file, bytes: file.stamp.bytes });
  }
}

/** The messages of a part, numbered from 1: how many messages come before the part is not known here. */
function* inPart(part: MboxPart, batch: MboxPartBatch): Generator<BatchItem> {
  const { path, name, start, end, stamp, dialect } = batch;
  let number = 0;
  if (start === 0) yield dialectNote(name, dialect);
  try {
    for (const { bytes } of part.messages()) {
      yield { name: `${name}#${++number}`, open: () => bytes };
    }
    if (end === stamp.bytes && changeSince(path, stamp) === "grew") {
      const said = "it grew while it was read: what came after is not counted";
      yield unreadable(name, "unreadable", said);
    }
  } catch (error) {
    part.next = null;
    yield unreadableBecause(name, error);
  }
}

/** The messages of a batch that is not a part of an mbox. */
async function* messagesOf(batch: Exclude<Batch, MboxPartBatch>): AsyncGenerator<BatchItem> {
  switch (batch.kind) {
    case "files":
      yield* inFiles(batch);
      return;
    case "bytes":
      for (const message of batch.messages) {
        if ("kind" in message) yield message;
        else yield { name: message.name, open: () => message.bytes };
      }
      return;
    case "changed":
  }
}

/** The first source of a batch that has changed since the batch was cut. */
function changeOf(batch: Batch): BatchResult["changed"] {
  if (batch.kind === "changed") return batch;
  const files = batch.kind === "files" ? batch.files : batch.kind === "part" ? [batch] : [];
  for (const file of files) {
    if (!("stamp" in file)) continue;
    const { path, name, stamp } = file;
    const change = changeSince(path, stamp);
    // Octets appended to an mbox are not read; a file that is gone is listed among those that cannot be read.
    const isHarmless = change === "grew" && batch.kind === "part";
    if (change !== null && !isHarmless && change !== "is gone") return { name, change };
  }
  return undefined;
}

/** The domain with only the rules that can fail, or `null` if none can. Asking it finds failures at low cost. */
function fallibleRules(rehearsed: RehearsedDomain): CompiledDomain | null {
  if (rehearsed.domain.engine !== "rules") return null;
  const { rules } = rehearsed.domain;
  const ranks = new Map(rules.map(({ id, rank }) => [id, rank]));
  const canFail = new Set(
    rules
      .filter(({ active, forward, type: { type } }) => {
        return active && (toolsOfType(type).fails !== "never" || forward.usesCaptures);
      })
      .map(({ id }) => id),
  );
  if (canFail.size === 0) return null;
  const kept = ruleEntries(rehearsed)
    .filter(({ id }) => canFail.has(id))
    .map(({ id, values }) => ({ ...values, id, rank: ranks.get(id) }));
  const result = rehearse({ ...rehearsed.config, rules: kept }, rehearsed.options);
  return result.ok ? result.rehearsed.domain : null;
}

function countFailures(
  fallible: CompiledDomain,
  facts: Facts,
  { decidedBy }: Decision,
  message: string,
  counter: TallyCounter,
): void {
  const rank = decidedBy?.kind === "rule" ? decidedBy.rank : Number.POSITIVE_INFINITY;
  for (const entry of explain(fallible, facts).trace) {
    if (entry.kind !== "rule" || entry.verdict !== "failed" || entry.rank > rank) continue;
    counter.failure(entry.id, { count: 1, message, failure: entry.failure ?? "" });
  }
}

function lineOf(message: string, recipient: string, decision: Decision): string {
  const { action, reason, decidedBy, destinations } = decision;
  return `${JSON.stringify({ message, recipient, action, reason, decidedBy, destinations })}\n`;
}

/** Makes a router of batches; throws a TypeError if the domain does not compile. */
export function batchRouter(
  { config, recipients, sender, lines }: ReplayJob,
  ruleTypes?: RehearseOptions["ruleTypes"],
): BatchRouter {
  // It has been compiled already, within the budget that was given there.
  const result = rehearse(config, { ruleTypes, domainFuelMax: Number.POSITIVE_INFINITY });
  if (!result.ok)
    throw new TypeError(`the domain does not compile: ${result.diagnostics[0]?.message}`);
  const { rehearsed } = result;
  const { domain } = rehearsed;
  const fallible = fallibleRules(rehearsed);
  const asked = {
    domain,
    sender: sender ?? undefined,
    senderSource: "header",
    trace: "nothing",
  } as const;

  async function routeMessage(source: SourceMessage, counter: TallyCounter): Promise<string> {
    const started = performance.now();
    const reader = readerOf(source);
    const named = recipients ?? (await recipientsNamed(domain, reader));
    let text = "";
    for (const recipient of named) {
      const question = { ...asked, recipient };
      const { decision, facts } = await answer(question, reader);
      counter.decision(decision);
      if (fallible !== null) countFailures(fallible, facts, decision, source.name, counter);
      if (lines === "wanted") text += lineOf(source.name, recipient, decision);
    }
    counter.message(source.name, named.length, performance.now() - started);
    return text;
  }

  async function routeAll(
    found: AsyncIterable<BatchItem> | Iterable<BatchItem>,
    bytes: number,
  ): Promise<BatchResult> {
    const counter = new TallyCounter("all destinations");
    const texts: string[] = [];
    for await (const source of found) {
      if (!("open" in source)) {
        if ("kind" in source) counter.notMail(source);
        else counter.unreadable(source);
        continue;
      }
      try {
        texts.push(await routeMessage(source, counter));
      } catch (error) {
        counter.unreadable({ name: source.name, failure: failureText(error) });
      }
    }
    counter.bytes(bytes);
    return { tally: counter.tally(), text: texts.join("") };
  }

  async function routeBatch(batch: Batch): Promise<BatchResult> {
    if (batch.kind !== "part") return routeAll(messagesOf(batch), batch.bytes);
    const part = new MboxPart({ ...batch, fileEnd: batch.stamp.bytes }, batch.border);
    const result = await routeAll(inPart(part, batch), batch.bytes);
    return { ...result, borders: { first: part.first, next: part.next, doubts: [...part.doubts] } };
  }

  return async (batch) => {
    const result = await routeBatch(batch);
    const changed = changeOf(batch);
    return changed === undefined ? result : { ...result, changed };
  };
}
