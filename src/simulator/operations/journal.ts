/** The operator's log: one line of JSON for each event, without the contents of mail unless asked for. */
import { type DestinationStream, pino } from "pino";
import type { ServiceEvent } from "../model/service.ts";

/** The events that are logged. */
export interface Journal {
  happened(event: ServiceEvent): void;
  answered(method: string, path: string, status: number, seconds: number): void;
  failed(error: unknown): void;
  note(message: string): void;
}

/** How much is logged; `content` adds subjects and addresses. */
export interface JournalOptions {
  readonly level: "warn" | "info" | "debug";
  readonly content: boolean;
}

/** Ids in a path are logged; parameters, which can contain addresses, are not. */
const pathOnly = (path: string): string => path.split("?", 1)[0]!;

/** Writes to `stream`, by default the process's standard error. */
export function createJournal(
  { level, content }: JournalOptions,
  stream: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Journal {
  const logger = pino({ level, base: { pid: process.pid } }, stream);
  return {
    happened({ kind, domain, id, log }) {
      const last = log?.events.at(-1);
      if (kind !== "log" || log === undefined || last === undefined) {
        logger.debug({ kind, domain, id }, "event");
        return;
      }
      const { status, code, server } = last;
      const { sender, recipient, forward, subject } = log;
      const shown = content
        ? {
            sender: sender.email,
            recipient: recipient.email,
            forward: forward?.email,
            subject,
            message: last.message,
          }
        : {};
      const how = status === "SOFT-BOUNCE" || status === "BOUNCED" ? "warn" : "info";
      logger[how](
        { domain, id, transport: log.transport, status, code, server, ...shown },
        "message",
      );
    },
    answered(method, path, status, seconds) {
      const ms = Math.round(seconds * 1_000_000) / 1_000;
      const how = status >= 500 ? "warn" : "info";
      logger[how]({ method, path: pathOnly(path), status, ms }, "request");
    },
    failed(error) {
      logger.error({ err: error instanceof Error ? error : new Error(String(error)) }, "failure");
    },
    note: (message) => logger.info(message),
  };
}
