/** A log entry with its events as version 4 shows them (API v4 §2 Email log entry). */
import { z } from "zod";
import { LOG_STATUSES, type LogEvent, type LogRow } from "../../../model/records.ts";
import { PARTY } from "../../shared/present-party.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { isoSeconds, isoTimestamp } from "../../shared/timestamps.ts";

const EVENT: Presenter<LogEvent> = presenter("v4.LogEvent", {
  code: field(z.int(), (event) => event.code),
  created_at: field(isoTimestamp, (event) => isoSeconds(event.createdMs)),
  id: field(z.string(), (event) => event.id),
  local: field(z.string(), (event) => event.local),
  message: field(z.string(), (event) => event.message),
  server: field(z.string(), (event) => event.server),
  status: field(z.enum(LOG_STATUSES), (event) => event.status),
});

export const LOG: Presenter<LogRow> = presenter("v4.Log", {
  id: field(z.string(), (row) => row.id),
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  events: field(z.array(EVENT.schema), (row) => row.events.map(EVENT.present)),
  forward: field(PARTY.schema.nullable(), ({ forward }) =>
    forward === null ? null : PARTY.present(forward),
  ),
  hostname: field(z.string(), (row) => row.hostname),
  message_id: field(z.string(), (row) => row.messageId),
  recipient: field(PARTY.schema, (row) => PARTY.present(row.recipient)),
  sender: field(PARTY.schema, (row) => PARTY.present(row.sender)),
  subject: field(z.string(), (row) => row.subject),
  transport: field(z.enum(["mx", "smtp", "api"]), (row) => row.transport),
});
