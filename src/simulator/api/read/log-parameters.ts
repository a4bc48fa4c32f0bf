/** The filters of email logs in a query, for both versions (API v4 §4 Email logs). */
import { z } from "zod";
import type { LogFilter } from "../../model/logs/log-filter.ts";
import { LOG_STATUSES, type LogStatus, type Transport } from "../../model/records.ts";
import { isoTime, isoTimeMs } from "../timestamps.ts";
import { given, type Text, text } from "./parameters.ts";

type Time = z.ZodOptional<typeof isoTime>;

interface LogFilters {
  readonly sender: Text;
  readonly recipient: Text;
  readonly forward: Text;
  readonly status: Text;
  readonly transport: z.ZodOptional<z.ZodEnum<{ [Name in Transport]: Name }>>;
  readonly after: Time;
  readonly before: Time;
}

const STATUS = `(?:${LOG_STATUSES.join("|")})`;

/** `match`: how the three addresses are compared. */
export function logFilters(match: "exact" | "substring"): LogFilters {
  const address = (): Text => text(`${match} match, case-insensitive`);
  return {
    sender: address(),
    recipient: address(),
    forward: address(),
    status: z
      .string()
      .regex(new RegExp(`^${STATUS}(?:,${STATUS})*$`))
      .optional()
      .meta({ description: `a comma-separated list of ${LOG_STATUSES.join(", ")}` }),
    transport: z.enum({ mx: "mx", smtp: "smtp", api: "api" }).optional(),
    after: isoTime.optional(),
    before: isoTime.optional(),
  };
}

export function logFilterOf(
  query: {
    readonly [Name in keyof LogFilters]?: z.output<LogFilters[Name]>;
  },
): LogFilter {
  const { sender, recipient, forward, status, transport, after, before } = query;
  return given({
    sender,
    recipient,
    forward,
    statuses: status?.split(",") as LogStatus[] | undefined,
    transport,
    afterMs: after === undefined ? undefined : isoTimeMs(after),
    beforeMs: before === undefined ? undefined : isoTimeMs(before),
  });
}
