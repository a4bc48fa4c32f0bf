/** A log entry with its events as version 3 shows them (API v3 §2 Log entry). */
import { z } from "zod";
import { LOG_STATUSES, type LogEvent, type LogRow } from "../../../model/records.ts";
import { PARTY } from "../../shared/present-party.ts";
import { field, type Presenter, presenter } from "../../shared/presenter.ts";
import { epoch } from "../../shared/timestamps.ts";

const EVENT: Presenter<LogEvent> = presenter("v3.LogEvent", {
  code: field(z.int(), (event) => event.code),
  created: field(epoch, (event) => event.createdMs),
  id: field(z.string(), (event) => event.id),
  local: field(z.string(), (event) => event.local),
  message: field(z.string(), (event) => event.message),
  server: field(z.string(), (event) => event.server),
  status: field(z.enum(LOG_STATUSES), (event) => event.status),
});

// ASSUMPTION(v3-created-raw): `created_raw` is the same time as `created`
export const LOG: Presenter<LogRow> = presenter("v3.Log", {
  created: field(epoch, (row) => row.createdMs),
  created_raw: field(epoch, (row) => row.createdMs),
  events: field(z.array(EVENT.schema), (row) => row.events.map(EVENT.present)),
  forward: field(PARTY.schema.nullable(), ({ forward }) =>
    forward === null ? null : PARTY.present(forward),
  ),
  hostname: field(z.string(), (row) => row.hostname),
  id: field(z.string(), (row) => row.id),
  messageId: field(z.string(), (row) => row.messageId),
  recipient: field(PARTY.schema, (row) => PARTY.present(row.recipient)),
  sender: field(PARTY.schema, (row) => PARTY.present(row.sender)),
  subject: field(z.string(), (row) => row.subject),
  transport: field(z.enum(["mx", "smtp", "api"]), (row) => row.transport),
});
