/** Routes the messages of one batch, and counts what became of them. */
import type { Facts } from "../mail/facts.ts";
import { MboxPart } from "../message/mbox-part.ts";
import type { MboxBorder } from "../message/mbox-splitter.ts";
import { storedMail } from "../message/stored-mail.ts";
import type { CompiledDomain } from "../routing/compile-domain.ts";
import { explain } from "../routing/explain.ts";
import type { Decision } from "../routing/resolution.ts";
import type { UnreadableMessage } from "./compare.ts";
import { type RehearsedDomain, rehearse, ruleEntries } from "./rehearsed-domain.ts";
import { type Batch, failureText } from "./replay-plan.ts";
import { type Tally, TallyCounter } from "./replay-tally.ts";
import { answer, readerOf, recipientsNamed, type SourceMessage } from "./route-message.ts";

/** What every batch of a replay needs; plain data. */
export interface ReplayJob {
  readonly config: RehearsedDomain["config"];
  /** For whom every message is; `null`: whom it names at the domain. */
  readonly recipients: readonly string[] | null;
  /** Envelope sender of every message; `null`: unknown. */
  readonly sender: string | null;
  /** Whether decisions are wanted as lines of JSON. */
  readonly lines: "wanted" | "unwanted";
}

export interface BatchResult {
  readonly tally: Tally;
  /** NDJSON, a line for each decision, in the order of the batch; `""` if unwanted. */
  readonly text: string;
  /** Of a part of an mbox: where its first message begins, and the first one behind it. */
  readonly borders?: { readonly first: MboxBorder | null; readonly next: MboxBorder | null };
}

export type BatchRouter = (batch: Batch) => Promise<BatchResult>;

type Found = SourceMessage | UnreadableMessage;

async function* inFiles({ files }: Extract<Batch, { kind: "files" }>): AsyncGenerator<Found> {
  for (const { path, name } of files) {
    try {
      for await (const found of storedMail(path, name)) {
        if (!("error" in found)) yield found;
        else yield { name: found.name, failure: failureText(found.error) };
      }
    } catch (error) {
      yield { name, failure: failureText(error) };
    }
  }
}

/** Its messages are numbered from 1: how many stand before it in the file is not known here. */
function* inPart(part: MboxPart, name: string): Generator<Found> {
  let number = 0;
  try {
    for (const { bytes } of part.messages()) {
      yield { name: `${name}#${++number}`, open: () => bytes };
    }
  } catch (error) {
    part.next = null;
    yield { name, failure: failureText(error) };
  }
}

/** The messages of a batch that is no part of an mbox. */
async function* messagesOf(batch: Exclude<Batch, { kind: "part" }>): AsyncGenerator<Found> {
  switch (batch.kind) {
    case "files":
      yield* inFiles(batch);
      return;
    case "bytes":
      for (const { name, bytes } of batch.messages) yield { name, open: () => bytes };
      return;
    case "failure":
      yield { name: batch.name, failure: batch.failure };
  }
}

/** The domain with only the rules that can fail, or `null` if none can: asking it tells failures at little cost. */
function fallibleRules(rehearsed: RehearsedDomain): CompiledDomain | null {
  if (rehearsed.domain.engine !== "rules") return null;
  const { rules } = rehearsed.domain;
  const ranks = new Map(rules.map(({ id, rank }) => [id, rank]));
  const canFail = new Set(
    rules
      .filter(({ active, forward, matcher }) => {
        const { type } = matcher.untried();
        return active && (type === "cel" || forward.usesCaptures);
      })
      .map(({ id }) => id),
  );
  if (canFail.size === 0) return null;
  const kept = ruleEntries(rehearsed)
    .filter(({ id }) => canFail.has(id))
    .map(({ id, values }) => ({ ...values, id, rank: ranks.get(id) }));
  const result = rehearse({ ...rehearsed.config, rules: kept });
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

/** Makes what routes batches; throws a TypeError if the domain does not compile. */
export function batchRouter({ config, recipients, sender, lines }: ReplayJob): BatchRouter {
  const result = rehearse(config);
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
    found: AsyncIterable<Found> | Iterable<Found>,
    bytes: number,
  ): Promise<BatchResult> {
    const counter = new TallyCounter();
    const texts: string[] = [];
    for await (const source of found) {
      if ("failure" in source) {
        counter.unreadable(source);
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

  return async (batch) => {
    if (batch.kind !== "part") return routeAll(messagesOf(batch), batch.bytes);
    const part = new MboxPart(batch, batch.border);
    const result = await routeAll(inPart(part, batch.name), batch.bytes);
    return { ...result, borders: { first: part.first, next: part.next } };
  };
}
