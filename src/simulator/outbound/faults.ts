/** Faults by destination: failures of the outside are an input, and the same seed gives the same failures. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { fieldErrorsOf } from "../../base/issues.ts";
import { LIMITS } from "../../base/limits.ts";
import { matchesWildcard } from "../../base/wildcard.ts";
import { canonicalDestination } from "../../engine/facts/address.ts";
import { fieldProblem, notFound, ServiceProblem } from "../model/problem.ts";
import type { HandoverAnswer, Parcel } from "../model/service.ts";
import type { TableSchema } from "../store/store.ts";
import type { Outside } from "./outside.ts";
import { answerOfStatus } from "./webhook.ts";

/** Where the conversation fails; `answer`: the destination has accepted the message, but its answer is lost. */
export const FAULT_STAGES = ["connect", "mail", "rcpt", "data", "answer"] as const;
/** The stage of a delivery at which a fault applies. */
export type FaultStage = (typeof FAULT_STAGES)[number];

export interface FaultSettings {
  /** A mailbox or URL as it is compared; each `*` matches any text. */
  readonly match: string;
  readonly stage: FaultStage;
  /** The destination's answer; `null` means its usual answer. */
  readonly code: number | null;
  /** How long the answer takes. */
  readonly delayMs: number;
  /** How often it applies; `null` means always. */
  readonly times: number | null;
  /** 0 to 1. */
  readonly probability: number;
  /** Decides, with the log entry and the attempt, when a fault with a probability applies. */
  readonly seed: string;
}

/** A fault: which deliveries it affects, and what goes wrong with them. */
export interface FaultRow extends FaultSettings {
  readonly [name: string]: unknown;
  readonly id: string;
  /** How often it has applied. */
  readonly used: number;
}

export const FAULTS: TableSchema<FaultRow> = {
  name: "fault",
  key: "id",
  columns: {},
  indexes: [["id"]],
};

/** The settings of a fault. */
export const FAULT: z.ZodObject = z.strictObject({
  match: z.string().min(1).max(LIMITS.webhookUnitsMax),
  stage: z.enum(FAULT_STAGES).default("rcpt"),
  code: z.int().min(200).max(599).nullable().default(null),
  delayMs: z.int().min(0).max(LIMITS.hostTimerMsMax).default(0),
  times: z.int().min(1).nullable().default(null),
  probability: z.number().min(0).max(1).default(1),
  seed: z.string().max(LIMITS.webhookUnitsMax).default(""),
});

/** A pattern of mailboxes takes the codes of SMTP, which has none of 300 to 399 at the end of a conversation. */
function refuseCode({ match, code }: FaultSettings): void {
  const isMailbox = match.includes("@") && !/^https?:/i.test(match);
  if (!isMailbox || code === null || code < 300 || code >= 400) return;
  const message = `\`code\` is \`${code}\`: a mailbox answers 2xx, 4xx or 5xx`;
  throw fieldProblem({ code: [message] });
}

/**
 * Sets a fault from `{ match, stage?, code?, delayMs?, times?, probability?, seed? }`; if several match, the one set first
 * applies. Throws 400 for an invalid fault.
 */
export async function addFault(outside: Outside, input: unknown): Promise<FaultRow> {
  const read = FAULT.safeParse(input);
  if (!read.success) throw fieldProblem(fieldErrorsOf(read.error, "named"));
  const table = outside.store.table(FAULTS);
  const settings = read.data as unknown as FaultSettings;
  refuseCode(settings);
  return outside.store.transaction(async () => {
    if ((await table.count({ where: {} })) >= LIMITS.faultsMax) {
      throw new ServiceProblem(400, `at most ${LIMITS.faultsMax} faults can be set: remove some`);
    }
    const id = String(outside.ids.next("fault")).padStart(8, "0");
    const row = { ...settings, id, match: compared(settings.match), used: 0 };
    await table.insert(row);
    return row;
  });
}

/** A destination or a pattern of them, in lower case and canonical form. */
const compared = (text: string): string => canonicalDestination(text).toLowerCase();

/** In the order in which they were set. */
export function listFaults({ store }: Outside): Promise<readonly FaultRow[]> {
  const order = { column: "id", direction: "asc" } as const;
  return store.table(FAULTS).find({ where: {}, order, limit: LIMITS.faultsMax });
}

export async function removeFault({ store }: Outside, id: string): Promise<void> {
  if (!(await store.table(FAULTS).delete(id))) throw notFound("fault");
}

/** Removes all faults, and returns their number. */
export function clearFaults({ store }: Outside): Promise<number> {
  return store.table(FAULTS).deleteWhere({});
}

/** A number from 0 to 1 that the fault, its seed, the log entry and the attempt determine. */
function draw({ id, seed }: FaultRow, { logId, attempt }: Parcel): number {
  const digest = createHash("sha256")
    .update(JSON.stringify([seed, id, logId, attempt]))
    .digest();
  return digest.readUInt32BE() / 0x1_0000_0000;
}

/** The fault that applies to this parcel, whose use is counted. */
export async function takeFault(outside: Outside, parcel: Parcel): Promise<FaultRow | undefined> {
  if ((await outside.store.table(FAULTS).count({ where: {} })) === 0) return undefined;
  const destination = compared(parcel.destination);
  return outside.store.transaction(async () => {
    const fault = (await listFaults(outside)).find(
      (each) =>
        (each.times === null || each.used < each.times) &&
        matchesWildcard(destination, each.match) &&
        draw(each, parcel) < each.probability,
    );
    if (fault === undefined) return undefined;
    await outside.store.table(FAULTS).replace({ ...fault, used: fault.used + 1 });
    return fault;
  });
}

/**
 * What the destination says where a fault gives a code: a mailbox says it in SMTP; a webhook in HTTP, and what that means is
 * what it
 * means of a real one. One that goes wrong at `connect` is nobody's answer.
 */
export function faultAnswer(
  { stage, code }: FaultRow,
  { kind }: Parcel,
  server: string,
): HandoverAnswer {
  const said = `simulated fault at ${stage}`;
  const unreached = stage === "connect" ? { reached: false } : {};
  if (kind !== "mailbox") return { ...answerOfStatus(code!, said, server), ...unreached };
  const enhanced = `${String(code).charAt(0)}.0.0`;
  return { code: code!, message: `${enhanced} ${said}`, server, ...unreached };
}
