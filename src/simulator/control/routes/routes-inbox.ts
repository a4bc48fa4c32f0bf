/** Endpoints of the inboxes: what arrived, found, read, marked, downloaded, deleted and released. */
import { z } from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { parseAddrSpec } from "../../../engine/facts/address.ts";
import { given } from "../../api/read/parameters.ts";
import { NO_CONTENT, ok } from "../../api/route.ts";
import { fieldProblem, ServiceProblem } from "../../model/problem.ts";
import type { ReceivedRow } from "../../model/records.ts";
import {
  CHOSEN_MAX,
  countMessages,
  deleteMessages,
  findMessages,
  getMessage,
  listTags,
  type MessageFilter,
  markMessage,
  markMessages,
  summaryOf,
  wholeOf,
} from "../inbox/inbox.ts";
import { waitForMessage } from "../inbox/inbox-wait.ts";
import { messageFile, partFile, viewMessage } from "../inbox/message-view.ts";
import { releaseMessage } from "../inbox/release.ts";
import { type ControlRoute, controlRoute, type Desk } from "./route.ts";

const word = (description: string): z.ZodOptional<z.ZodString> =>
  z.string().optional().meta({ description });

const FILTER = z.object({
  query: word('words and `"phrases"` of any field or text'),
  destination: word("a mailbox or URL"),
  from: word("part of the From field"),
  to: word("part of the To field"),
  subject: word("part of the subject"),
  domain: word("domain of the account"),
  log: word("id of the log entry"),
  tag: word("a tag"),
  kind: z
    .enum(["mailbox", "webhook", "event"])
    .optional()
    .meta({ description: "what received it" }),
  read: z.boolean().optional(),
  after: word("only what arrived after the message of this id"),
  before: word("only what arrived before the message of this id"),
});

const summary = z
  .strictObject({
    id: z.string(),
    logId: z.string(),
    attempt: z.int(),
    kind: z.enum(["mailbox", "webhook", "event"]),
    domain: z.string(),
    destination: z.string(),
    receivedMs: z.number(),
    envelopeSender: z.string(),
    from: z.string(),
    to: z.string(),
    subject: z.string(),
    bytes: z.int(),
    read: z.boolean(),
    tags: z.array(z.string()),
  })
  .meta({ id: "MessageSummary" });

const part = z.strictObject({
  part: z.int(),
  contentType: z.string(),
  filename: z.string(),
  disposition: z.enum(["inline", "attachment"]),
  contentId: z.string(),
  bytes: z.int(),
});

const view = summary
  .extend({
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    plain: z.string(),
    html: z.string(),
    parts: z.array(part),
    problems: z.array(z.looseObject({})),
  })
  .meta({ id: "Message" });

const whole = summary.extend({ text: z.string(), base64: z.string() });

const tags = z
  .array(z.string().trim().min(1).max(LIMITS.messageTagUnitsMax))
  .max(LIMITS.messageTagsMax)
  .optional()
  .meta({ description: "all tags of the message from now on" });
const read = z.boolean().optional().meta({ description: "whether somebody has read it" });
const ids = z.array(z.string()).max(LIMITS.messageIdsMax).optional();

type Filters = z.output<typeof FILTER>;
const filterOf = (query: Filters): MessageFilter => given(query);

/** The messages with these ids, or all that match the filter. */
async function chosen(
  { parts: { service } }: Desk,
  filter: MessageFilter,
  wanted: readonly string[] | undefined,
): Promise<readonly ReceivedRow[]> {
  if (wanted === undefined) return findMessages(service.store, filter, { limit: CHOSEN_MAX });
  const rows = wanted.map((id) => getMessage(service.store, id).catch(() => null));
  return (await Promise.all(rows)).filter((row) => row !== null);
}

function marksOf(body: {
  readonly read?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}): { read?: boolean; tags?: readonly string[] } {
  if (body.read === undefined && body.tags === undefined) {
    throw fieldProblem({ read: ["nothing to change: give `read` or `tags`"] });
  }
  return {
    ...(body.read === undefined ? {} : { read: body.read }),
    ...(body.tags === undefined ? {} : { tags: [...new Set(body.tags)] }),
  };
}

const WAIT_MS = 5_000;
const removed = { 200: z.strictObject({ removed: z.int() }) };

export const INBOX_ROUTES: readonly ControlRoute[] = [
  controlRoute({
    method: "GET",
    path: "/messages",
    summary:
      "what mailboxes and webhooks received, without bodies; `total` and `unread` count all messages",
    query: FILTER.extend({
      order: z
        .enum(["oldest", "newest"])
        .default("oldest")
        .meta({ description: "what comes first" }),
      limit: z.int().min(1).max(LIMITS.receivedShownMax).default(100),
    }),
    answers: {
      200: z.strictObject({
        messages: z.array(summary),
        total: z.int(),
        unread: z.int(),
        next: z.string().nullable().meta({
          description: "for `after` (oldest first) or `before` (newest first); null at the end",
        }),
      }),
    },
    async handle({ parts: { service } }, { query: { order, limit, ...filter } }) {
      const { store } = service;
      const found = await findMessages(store, filterOf(filter), { order, limit: limit + 1 });
      const rows = found.slice(0, limit);
      const next = found.length > limit ? rows.at(-1)!.id : null;
      return ok({ messages: rows.map(summaryOf), ...(await countMessages(store)), next });
    },
  }),
  controlRoute({
    method: "PUT",
    path: "/messages",
    summary:
      "marks the messages with these ids, or all that match the filter: as read or unread, or with other tags",
    query: FILTER,
    body: z.object({ ids, read, tags }),
    answers: { 200: z.strictObject({ changed: z.int() }) },
    async handle(desk, { query, body }) {
      const marks = marksOf(body);
      const rows = await chosen(desk, filterOf(query), body.ids);
      return ok({ changed: await markMessages(desk.parts.service, rows, marks) });
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/messages",
    summary: "deletes the messages with these ids, or all that match the filter; without both, all",
    query: FILTER,
    body: z.object({ ids }),
    answers: removed,
    async handle(desk, { query, body }) {
      const rows = await chosen(desk, filterOf(query), body.ids);
      const gone = rows.map(({ id }) => id);
      return ok({ removed: await deleteMessages(desk.parts.service, gone) });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/messages/wait",
    summary:
      "waits for the first message that matches, and answers it with its text; 404 after the timeout",
    query: FILTER.extend({
      timeoutMs: z.int().min(0).max(LIMITS.waitMsMax).default(WAIT_MS),
    }),
    answers: { 200: z.strictObject({ message: whole }) },
    async handle({ parts: { service, feed }, over }, { query, request }) {
      const { timeoutMs, ...filter } = query;
      const signal = AbortSignal.any([request.signal, over]);
      const wait = { timeoutMs, signal };
      const row = await waitForMessage(service.store, feed, filterOf(filter), wait);
      if (row !== null) return ok({ message: await wholeOf(service.store, row) });
      throw new ServiceProblem(404, `no such message arrived within ${timeoutMs} ms`);
    },
  }),
  controlRoute({
    method: "GET",
    path: "/messages/:id",
    summary: "one message: its fields, texts and parts",
    answers: { 200: z.strictObject({ message: view }) },
    async handle({ parts: { service } }, { params }) {
      return ok({ message: await viewMessage(service.store, params.id) });
    },
  }),
  controlRoute({
    method: "PUT",
    path: "/messages/:id",
    summary: "marks a message read or unread, or gives it other tags",
    body: z.object({ read, tags }),
    answers: { 200: z.strictObject({ message: summary }) },
    async handle({ parts: { service } }, { params, body }) {
      return ok({ message: summaryOf(await markMessage(service, params.id, marksOf(body))) });
    },
  }),
  controlRoute({
    method: "DELETE",
    path: "/messages/:id",
    summary: "deletes a message",
    answers: { 204: null },
    async handle({ parts: { service } }, { params }) {
      await getMessage(service.store, params.id);
      await deleteMessages(service, [params.id]);
      return NO_CONTENT;
    },
  }),
  controlRoute({
    method: "GET",
    path: "/messages/:id/eml",
    summary: "a message as a file, octet for octet; for a webhook, its JSON",
    answers: { 200: z.string() },
    media: "message/rfc822",
    handle: ({ parts: { service } }, { params }) => messageFile(service.store, params.id),
  }),
  controlRoute({
    method: "GET",
    path: "/messages/:id/parts/:part",
    summary: "one part of a message as a file, decoded",
    answers: { 200: z.string() },
    media: "application/octet-stream",
    handle: ({ parts: { service } }, { params }) => partFile(service.store, params.id, params.part),
  }),
  controlRoute({
    method: "POST",
    path: "/messages/:id/release",
    summary:
      "sends a message on to a real server: `host`, or the relay, or the exchanger of each address",
    body: z.object({
      to: z
        .array(z.string().refine((text) => parseAddrSpec(text) !== null, "not an address"))
        .min(1)
        .max(LIMITS.smtpRecipientsMax)
        .optional()
        .meta({ description: "addresses; default: where it arrived" }),
      host: z.string().min(1).optional(),
      port: z.int().min(1).max(65_535).optional(),
    }),
    answers: {
      200: z.strictObject({
        released: z.array(
          z.strictObject({
            recipient: z.string(),
            code: z.int(),
            message: z.string(),
            server: z.string(),
          }),
        ),
      }),
    },
    async handle({ parts: { service } }, { params, body }) {
      return ok({ released: await releaseMessage(service, params.id, body) });
    },
  }),
  controlRoute({
    method: "GET",
    path: "/tags",
    summary: "the tags in use, each with the number of its messages",
    answers: {
      200: z.strictObject({
        tags: z.array(z.strictObject({ tag: z.string(), messages: z.int() })),
      }),
    },
    async handle({ parts: { service } }) {
      return ok({ tags: await listTags(service.store) });
    },
  }),
];
