/** The worker's side of a long decision: it keeps the rules and the message, and receives only what changed. */
import { createCompiler } from "../../engine/routing/compile-domain.ts";
import { decide } from "../model/decide.ts";
import type { DomainDraft } from "../model/domain.ts";
import { type Mail, typedMail } from "../model/mail.ts";
import { type PackedDecision, packDecision } from "../model/packed-decision.ts";

export interface DecideRequest {
  readonly kind: "decide";
  /** Rules that compile; `null`: unchanged. */
  readonly domain: DomainDraft | null;
  /** The fields that changed. */
  readonly mail: Partial<Mail>;
}

export interface DecideAnswer {
  readonly packed: PackedDecision;
  /** Milliseconds that compiling and explaining took. */
  readonly ms: number;
}

/** What changed since the last request, so that a large body is not sent with every key typed elsewhere. */
export function changedFields(before: Mail | null, after: Mail): Partial<Mail> {
  if (before === null) return after;
  const fields = Object.entries(after) as [keyof Mail, Mail[keyof Mail]][];
  return Object.fromEntries(fields.filter(([name, value]) => value !== before[name]));
}

/** Takes requests one after the other. */
export function createDecider(): (request: DecideRequest) => DecideAnswer {
  const compiler = createCompiler();
  let compiled: ReturnType<typeof compiler.compileDomain> | undefined;
  let mail = typedMail("");
  return ({ domain, mail: fields }) => {
    const start = performance.now();
    if (domain !== null) compiled = compiler.compileDomain(domain);
    mail = { ...mail, ...fields };
    if (compiled?.ok !== true) throw new Error("the rules that decide do not compile");
    const packed = packDecision(decide(compiled.domain, mail), mail);
    return { packed, ms: performance.now() - start };
  };
}
