/** Routes the messages of one batch, and counts what became of them. */
import { open } from "node:fs/promises";
import type { Facts } from "../mail/facts.ts";
import { unquoteFromLines } from "../message/mbox-quoting.ts";
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
  /** Whether decisions are wanted as lines of JSON. */
  readonly lines: "wanted" | "unwanted";
}

export interface BatchResult {
  readonly tally: Tally;
  /** NDJSON, a line for each decision, in the order of the batch; `""` if unwanted. */
  readonly text: string;
}

export type BatchRouter = (batch: Batch) => Promise<BatchResult>;

async function* inRanges(batch: Extract<Batch, { kind: "ranges" }>): AsyncGenerator<SourceMessage> {
  const { path, messages } = batch;
  const start = messages[0]!.start;
  const all = Buffer.allocUnsafe(messages.at(-1)!.end - start);
  const file = await open(path);
  let length = 0;
  try {
    while (length < all.length) {
      const { bytesRead } = await file.read(all, length, all.length - length, start + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
  } finally {
    await file.close();
  }
  for (const { name, start: from, end, quoting } of messages) {
    const bytes = all.subarray(from - start, Math.min(length, end - start));
    yield { name, open: () => (quoting === "none" ? bytes : unquoteFromLines(bytes, quoting)) };
  }
}

async function* messagesOf(batch: Batch): AsyncGenerator<SourceMessage | UnreadableMessage> {
  switch (batch.kind) {
    case "files":
      for (const { path, name } of batch.files) {
        try {
          for await (const found of storedMail(path, name)) {
            if (!("error" in found)) yield found;
            else yield { name: found.name, failure: failureText(found.error) };
          }
        } catch (error) {
          yield { name, failure: failureText(error) };
        }
      }
      return;
    case "ranges":
      yield* inRanges(batch);
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
export function batchRouter({ config, recipients, lines }: ReplayJob): BatchRouter {
  const result = rehearse(config);
  if (!result.ok)
    throw new TypeError(`the domain does not compile: ${result.diagnostics[0]?.message}`);
  const { rehearsed } = result;
  const { domain } = rehearsed;
  const fallible = fallibleRules(rehearsed);

  async function routeMessage(source: SourceMessage, counter: TallyCounter): Promise<string> {
    const started = performance.now();
    const reader = readerOf(source);
    const named = recipients ?? (await recipientsNamed(domain, reader));
    let text = "";
    for (const recipient of named) {
      const question = { domain, recipient, sender: undefined, senderSource: "header" } as const;
      const { decision, facts } = await answer({ ...question, trace: "nothing" }, reader);
      counter.decision(decision);
      if (fallible !== null) countFailures(fallible, facts, decision, source.name, counter);
      if (lines === "wanted") text += lineOf(source.name, recipient, decision);
    }
    counter.message(source.name, named.length, performance.now() - started);
    return text;
  }

  return async (batch) => {
    const counter = new TallyCounter();
    const texts: string[] = [];
    for await (const source of messagesOf(batch)) {
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
    counter.bytes(batch.bytes);
    return { tally: counter.tally(), text: texts.join("") };
  };
}
