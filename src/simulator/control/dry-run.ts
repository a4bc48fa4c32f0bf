/** Where a message would go: the engine's decision and trace, for the live domain or a proposed one. */
import { strict as assert } from "node:assert";
import { type Diagnostic, formatPath } from "../../base/diagnostic.ts";
import { byField } from "../../base/issues.ts";
import { canonicalAddress } from "../../engine/facts/address.ts";
import { type CompiledDomain, compileDomain } from "../../engine/routing/compile-domain.ts";
import type { TraceEntry } from "../../engine/routing/explain.ts";
import { explain } from "../../engine/routing/explain.ts";
import type { Decision } from "../../engine/routing/resolution.ts";
import type { MessageProblem } from "../../message/header/message-problem.ts";
import { messageFacts, toFacts } from "../../message/index.ts";
import { compiledDomain, storedConfig } from "../model/compiled.ts";
import { ServiceProblem } from "../model/problem.ts";
import type { Service } from "../model/service.ts";
import { messageOctets } from "./message-octets.ts";

/** Replaces the domain's own aliases and rules, each as the API shows it. */
export interface Proposal {
  readonly routing_engine?: "alias" | "rules" | null | undefined;
  readonly rules_fallback_email?: string | null | undefined;
  readonly aliases?: readonly unknown[] | undefined;
  readonly rules?: readonly unknown[] | undefined;
}

/** A message, a recipient, and perhaps proposed aliases and rules. */
export interface DryRunQuestion {
  /** Full address; its domain is in the account. */
  readonly recipient: string;
  /** Envelope sender; default `""`, the null sender. */
  readonly sender?: string | undefined;
  readonly message: string | Uint8Array;
  readonly proposed?: Proposal | undefined;
}

/** Named like the records of `mailflow route --json --explain`. */
export interface DryRun extends Omit<Decision, "verdict"> {
  readonly recipient: string;
  /** Problems of the message. */
  readonly problems: readonly MessageProblem[];
  readonly trace: readonly TraceEntry[];
}

function refusalOf(diagnostics: readonly Diagnostic[]): ServiceProblem {
  const errors = byField(
    diagnostics.map(({ path, message }) => [`proposed.${formatPath(path)}`, message] as const),
  );
  return new ServiceProblem(400, diagnostics[0]!.message, errors);
}

async function domainOf(
  service: Service,
  name: string,
  proposed: Proposal | undefined,
): Promise<CompiledDomain> {
  if (proposed === undefined) return compiledDomain(service, name);
  const given = Object.entries(proposed).filter(([, value]) => value !== undefined);
  const config = { ...(await storedConfig(service, name)), ...Object.fromEntries(given) };
  const compiled = compileDomain(config, { ruleTypes: service.ruleTypes });
  if (!compiled.ok) throw refusalOf(compiled.diagnostics);
  return compiled.domain;
}

/** Changes nothing. Throws 404 if the recipient's domain is not in the account, 400 for a proposal that does not compile. */
export async function dryRun(service: Service, question: DryRunQuestion): Promise<DryRun> {
  const recipient = canonicalAddress(question.recipient);
  const name = recipient.slice(recipient.lastIndexOf("@") + 1);
  const domain = await domainOf(service, name, question.proposed);
  const read = await messageFacts(messageOctets(question.message));
  const facts = toFacts({ recipient, sender: question.sender ?? "" }, read);
  const { resolution, trace } = explain(domain, facts);
  assert(resolution.verdict === "decided", "undecided although every fact is known");
  const { verdict: _verdict, ...decision } = resolution;
  return { recipient, ...decision, problems: read.problems, trace };
}
