/** A log entry with its events as each version shows them (API v4 §2 Email log entry, v3 §2 Log entry). */
import { z } from "zod";
import { LOG_STATUSES, type LogEvent, type LogRow, type Party } from "../../../model/records.ts";
import { type Field, field, type Presenter, presenter } from "../../presenter.ts";
import { epoch, isoSeconds, isoTimestamp } from "../../timestamps.ts";

const CODE: Field<LogEvent> = field(z.int(), (event) => event.code);
const EVENT: Readonly<Record<string, Field<LogEvent>>> = {
  id: field(z.string(), (event) => event.id),
  local: field(z.string(), (event) => event.local),
  message: field(z.string(), (event) => event.message),
  server: field(z.string(), (event) => event.server),
  status: field(z.enum(LOG_STATUSES), (event) => event.status),
};

const EVENT_V4: Presenter<LogEvent> = presenter("v4.LogEvent", {
  code: CODE,
  created_at: field(isoTimestamp, (event) => isoSeconds(event.createdMs)),
  ...EVENT,
});

const EVENT_V3: Presenter<LogEvent> = presenter("v3.LogEvent", {
  code: CODE,
  created: field(epoch, (event) => event.createdMs),
  ...EVENT,
});

/** A mailbox with its display name. */
const PARTY: Presenter<Party> = presenter("Party", {
  email: field(z.string(), (party) => party.email),
  name: field(z.string().nullable(), (party) => party.name),
});

const ID: Field<LogRow> = field(z.string(), (row) => row.id);
const FORWARD: Field<LogRow> = field(PARTY.schema.nullable(), ({ forward }) =>
  forward === null ? null : PARTY.present(forward),
);
const HOSTNAME: Field<LogRow> = field(z.string(), (row) => row.hostname);
const MESSAGE_ID: Field<LogRow> = field(z.string(), (row) => row.messageId);
const REST: Readonly<Record<string, Field<LogRow>>> = {
  recipient: field(PARTY.schema, (row) => PARTY.present(row.recipient)),
  sender: field(PARTY.schema, (row) => PARTY.present(row.sender)),
  subject: field(z.string(), (row) => row.subject),
  transport: field(z.enum(["mx", "smtp", "api"]), (row) => row.transport),
};

export const LOG_V4: Presenter<LogRow> = presenter("v4.Log", {
  id: ID,
  created_at: field(isoTimestamp, (row) => isoSeconds(row.createdMs)),
  events: field(z.array(EVENT_V4.schema), (row) => row.events.map(EVENT_V4.present)),
  forward: FORWARD,
  hostname: HOSTNAME,
  message_id: MESSAGE_ID,
  ...REST,
});

// ASSUMPTION(v3-created-raw): `created_raw` is the same time as `created`
export const LOG_V3: Presenter<LogRow> = presenter("v3.Log", {
  created: field(epoch, (row) => row.createdMs),
  created_raw: field(epoch, (row) => row.createdMs),
  events: field(z.array(EVENT_V3.schema), (row) => row.events.map(EVENT_V3.present)),
  forward: FORWARD,
  hostname: HOSTNAME,
  id: ID,
  messageId: MESSAGE_ID,
  ...REST,
});
