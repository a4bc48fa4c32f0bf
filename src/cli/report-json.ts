/** Decisions as NDJSON: one object per line, for programs. */
import type { TraceEntry } from "../routing/resolution.ts";
import type { CliIo } from "./io.ts";
import type { Report, Told } from "./report.ts";

const NOTHING = { recipient: null, action: null, reason: null, decidedBy: null, destinations: [] };

/** Code units kept of a text that a pattern is not in: a thousand rules may all have searched one long body. */
const MISSED_UNITS_MAX = 1_000;

function withoutLongTexts(entry: TraceEntry): TraceEntry {
  if (entry.kind === "alias" || entry.type !== "regex") return entry;
  const scopes = entry.scopes.map((scope) => {
    const { actual, verdict } = scope;
    if (actual === undefined || verdict === "matched" || actual.length <= MISSED_UNITS_MAX) {
      return scope;
    }
    return { ...scope, actual: `${actual.slice(0, MISSED_UNITS_MAX).toWellFormed()}…` };
  });
  return { ...entry, scopes };
}

/** `trace` is in the records only when everything is traced, `problems` and `reply` only when there are any. */
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
