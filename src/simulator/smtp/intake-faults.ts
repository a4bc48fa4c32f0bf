/**
 * Faults of incoming mail: what goes wrong at an SMTP command whose text matches a pattern. They end with the process, a reset
 * or a restore.
 */
import { z } from "zod";
import { LIMITS } from "../../base/limits.ts";
import { matchesWildcard } from "../../base/wildcard.ts";
import { canonicalAddress } from "../../engine/facts/address.ts";
import { ServiceProblem } from "../model/problem.ts";

/** The command at which it applies; `message`: after the message has arrived. */
export const INTAKE_STEPS = [
  "connect",
  "ehlo",
  "auth",
  "mail",
  "rcpt",
  "data",
  "message",
  "quit",
] as const;
export type IntakeStep = (typeof INTAKE_STEPS)[number];

export interface IntakeSettings {
  readonly server: "mx" | "submission" | null;
  readonly step: IntakeStep;
  /**
   * Matched against the client's address at `connect`, its name at `ehlo`, the recipient at `rcpt`, else the sender, in any
   * spelling. Each `*` matches any text.
   */
  readonly match: string;
  /** `refuse`: a permanent error, `defer`: a temporary one, `delay`: a late answer, `cut`: a closed connection. */
  readonly action: "refuse" | "defer" | "delay" | "cut";
  /** The code of the answer; `null` means 550, or 451 for `defer`. */
  readonly code: number | null;
  readonly delayMs: number;
  /** How often it applies; `null` means always. */
  readonly times: number | null;
}

export interface IntakeFault extends IntakeSettings {
  readonly id: string;
  readonly used: number;
}

/** The settings of a fault. */
export const INTAKE_FAULT: z.ZodObject = z.strictObject({
  server: z.enum(["mx", "submission"]).nullable().default(null),
  step: z.enum(INTAKE_STEPS),
  match: z.string().min(1).max(LIMITS.webhookUnitsMax).default("*"),
  action: z.enum(["refuse", "defer", "delay", "cut"]),
  code: z.int().min(400).max(599).nullable().default(null),
  delayMs: z.int().min(0).max(LIMITS.smtpIdleMs).default(0),
  times: z.int().min(1).nullable().default(null),
});

export interface IntakeFaults {
  isEmpty(): boolean;
  /** If several match, the one set first applies. */
  add(settings: IntakeSettings): IntakeFault;
  list(): readonly IntakeFault[];
  /** Returns whether there was one. */
  remove(id: string): boolean;
  /** Returns how many there were. */
  clear(): number;
  /** The fault that applies, whose use is counted. */
  take(server: "mx" | "submission", step: IntakeStep, text: string): IntakeFault | undefined;
}

export function createIntakeFaults(): IntakeFaults {
  const faults = new Map<string, IntakeFault>();
  let count = 0;
  return {
    isEmpty: () => faults.size === 0,
    add(settings) {
      if (faults.size >= LIMITS.intakeFaultsMax) {
        const message = `at most ${LIMITS.intakeFaultsMax} faults can be set: remove some`;
        throw new ServiceProblem(400, message);
      }
      const id = String(++count).padStart(8, "0");
      const fault = { ...settings, id, match: canonicalAddress(settings.match), used: 0 };
      faults.set(id, fault);
      return fault;
    },
    list: () => [...faults.values()],
    remove: (id) => faults.delete(id),
    clear() {
      const { size } = faults;
      faults.clear();
      return size;
    },
    take(server, step, text) {
      if (faults.size === 0) return undefined;
      const compared = canonicalAddress(text);
      for (const fault of faults.values()) {
        const isHere = fault.step === step && (fault.server ?? server) === server;
        const isLeft = fault.times === null || fault.used < fault.times;
        if (!isHere || !isLeft || !matchesWildcard(compared, fault.match)) continue;
        faults.set(fault.id, { ...fault, used: fault.used + 1 });
        return fault;
      }
      return undefined;
    },
  };
}
