/** Decisions as NDJSON: one object per line, for programs. */
import type { TraceEntry } from "../../engine/routing/resolution.ts";
import type { CliIo } from "../io.ts";
import type { Report, Told } from "./report.ts";

const NOTHING = { recipient: null, action: null, reason: null, decidedBy: null, destinations: [] };

/** Code units to keep of a text without a match: a thousand rules may all have searched one long body. */
const MISSED_UNITS_MAX = 1_000;

/** A search without a match, with its text cut. */
function cutMissed(part: unknown): unknown {
  const { actual, verdict } = (part ?? {}) as { actual?: unknown; verdict?: unknown };
  if (typeof actual !== "string" || verdict === "matched" || actual.length <= MISSED_UNITS_MAX) {
    return part;
  }
  return { ...(part as object), actual: `${actual.slice(0, MISSED_UNITS_MAX).toWellFormed()}…` };
}

function withoutLongTexts(entry: TraceEntry): object {
  const parts = Object.entries(entry).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(cutMissed) : value,
  ]);
  return Object.fromEntries(parts);
}

/** Records have `trace` only if everything is traced, and `problems` and `reply` only if there are any. */
export function jsonReport({ trace, domain }: Told, io: CliIo): Report {
  let decisions = 0;
  let message = "";

  async function write(record: object): Promise<void> {
    await io.stdout.write(`${JSON.stringify(record)}\n`);
  }

  return {
    async begin(name) {
      message = name;
    },
    async answered(recipient, answer, problems) {
      decisions++;
      const { action, reason, decidedBy, destinations, reply } = answer.decision;
      await write({
        ...{ message, recipient, action, reason, decidedBy, destinations },
        ...(reply !== undefined && { reply }),
        ...(problems.length > 0 && { problems }),
        ...(trace === "everything" && { trace: answer.trace.map(withoutLongTexts) }),
      });
    },
    async noRecipient(problems) {
      const said = `the message names no recipient at \`${domain.name}\`: name one with --recipient`;
      const missing = { code: "no-recipient", message: said };
      await write({ message, ...NOTHING, problems: [...problems, missing] });
    },
    async unreadable(failure) {
      const unreadable = { code: "unreadable", message: failure };
      await write({ message, ...NOTHING, problems: [unreadable] });
    },
    end: async () => decisions,
  };
}
