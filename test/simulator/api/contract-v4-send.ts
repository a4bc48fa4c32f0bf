/** Version 4's send API and templates, with their tables of errors (API v4 §4, §7). */
import {
  type BodyParameter,
  type Endpoint,
  endpoint,
  needs,
  type Refusal,
  takes,
} from "./endpoint.ts";
import type { Fields } from "./fixtures.ts";
import { filled, list, object, type Shape } from "./shape.ts";
import { templateSummaryV4, templateV4 } from "./shapes-v4.ts";

/** A request that the send endpoint takes. */
export const LETTER: Fields = {
  from: "info",
  to: "reader@dest.test",
  subject: "A letter",
  text: "Dear reader",
};

function attached(...attachments: unknown[]): Fields {
  return { ...LETTER, attachments };
}

function without(name: string, of: Fields = LETTER): Fields {
  return Object.fromEntries(Object.entries(of).filter(([each]) => each !== name));
}

const FILE: Fields = { filename: "note.txt", content: "bm90ZQ==", content_type: "text/plain" };
/** Six megabytes, so that two are over the limit however a megabyte is counted. */
const SIX_MB: string = "A".repeat(8_388_608);

function refused(when: string, ...bodies: readonly Fields[]): Refusal[] {
  return bodies.map((body) => ({ when, status: 400, sent: () => ({ body }) }));
}

/** The text's conditions, word for word; the ones that need another account or state are tested apart. */
const SEND_REFUSALS: readonly Refusal[] = [
  ...refused("from, to or subject missing", without("from"), without("to"), without("subject")),
  ...refused("No body content (text or html required)", without("text")),
  ...refused(
    "Invalid address in to, cc, bcc or reply_to",
    { ...LETTER, to: "nobody" },
    { ...LETTER, to: ["reader@dest.test", "nobody@"] },
    { ...LETTER, to: [] },
    { ...LETTER, cc: "nobody" },
    { ...LETTER, bcc: ["@dest.test"] },
    { ...LETTER, reply_to: "nobody" },
  ),
  ...refused(
    "variables is not a JSON object",
    { ...LETTER, template: "welcome", variables: "name" },
    { ...LETTER, template: "welcome", variables: ["name"] },
  ),
  ...refused("Malformed Mustache syntax in template subject or body", {
    ...LETTER,
    template: "welcome",
    subject: "Hello {{name",
  }),
  ...refused(
    "Invalid attachment: missing filename or content, bad base64, bad content_type, or attachments not an array",
    attached(without("filename", FILE)),
    attached(without("content", FILE)),
    attached({ ...FILE, content: "not base64!" }),
    attached({ ...FILE, content_type: "text" }),
    attached({ ...FILE, content_type: "text/plain\r\nX-Injected: 1" }),
    attached("note.txt"),
    { ...LETTER, attachments: FILE },
  ),
  ...refused(
    "Blocked file extension",
    ...["run.exe", "run.bat", "run.js", "run.vbs", "run.ps1", "run.scr", "RUN.EXE"].map(
      (filename) => attached({ ...FILE, filename }),
    ),
  ),
  ...refused(
    "More than 25 attachments or over 10 MB total",
    attached(...Array.from({ length: 26 }, (_, index) => ({ ...FILE, filename: `${index}.txt` }))),
    attached({ ...FILE, content: SIX_MB }, { ...FILE, content: SIX_MB }),
  ),
  {
    when: "Domain not in the account",
    status: 404,
    sent: () => ({ body: LETTER }),
    absent: ["domain"],
  },
  {
    when: "No template with that name on the domain",
    status: 404,
    sent: () => ({ body: { ...LETTER, template: "absent" } }),
  },
];

/** Conditions of the text's table that `sending.test.ts` brings about: another plan, another DNS state, a full window. */
export const SEND_REFUSALS_APART: readonly string[] = [
  "Premium plan required",
  "Domain DNS not configured for sending",
  "More than 10 requests per minute",
];

/** Rows of the send table of errors in the text, counted by hand. */
export const SEND_ERROR_ROWS = 13;

export const sendV4: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/domains/:domain/emails/outbound",
    body: [
      needs("from", "string"),
      needs("to", "string or array"),
      takes("subject", "string"),
      takes("text", "string"),
      takes("html", "string"),
      takes("template", "string"),
      takes("variables", "object"),
      takes("cc", "string or array"),
      takes("bcc", "string or array"),
      takes("reply_to", "string"),
      takes("attachments", "array"),
    ],
    sent: () => ({
      body: {
        ...LETTER,
        html: '<p>Dear reader <img src="cid:logo"></p>',
        cc: ["copy@dest.test"],
        bcc: "hidden@dest.test",
        reply_to: "answers@own.test",
        attachments: [{ ...FILE, content_id: "logo" }, without("content_type", FILE)],
      },
    }),
    answer: object({ id: filled, message_id: filled }),
    plan: "paid",
    refusals: SEND_REFUSALS,
  }),
];

const oneTemplate: Shape = object({ template: templateV4 });

const TEXTS: readonly BodyParameter[] = [
  takes("description", "string"),
  takes("subject", "string"),
  takes("html_body", "string"),
  takes("text_body", "string"),
];

export const TEMPLATE: Fields = {
  name: "a-new_template1",
  description: "What it is for",
  subject: "Hello {{name}}",
  html_body: "<p>Dear {{name}}</p>",
  text_body: "Dear {{name}}",
};

const wrongNames: readonly string[] = [
  "",
  "Upper",
  "with space",
  "dot.ted",
  "-led",
  "_led",
  "ümlaut",
  "a/b",
  "a".repeat(251),
];

const tooLong: readonly Fields[] = [
  { description: "x".repeat(501) },
  { subject: "x".repeat(251) },
  { html_body: "x".repeat(100_001) },
  { text_body: "x".repeat(100_001) },
];

const malformed: readonly Fields[] = ["subject", "html_body", "text_body"].flatMap((name) =>
  ["Hello {{name", "{{#each}}never closed", "{{/never}}opened"].map((value) => ({ [name]: value })),
);

const both = (more: Fields): Fields => ({ ...TEMPLATE, ...more });

const CREATE = "Create: missing name, invalid name format, field too long, invalid Mustache";
const UPDATE = "Update: invalid name format, field too long, invalid Mustache";
const TAKEN = "Name already taken on the domain (create, or rename to an existing name)";

/** Rows of the template table of errors in the text, counted by hand. */
export const TEMPLATE_ERROR_ROWS = 6;

/** What `sending.test.ts` brings about. */
export const TEMPLATE_REFUSALS_APART: readonly string[] = [
  TAKEN,
  "200 templates per domain already reached (create)",
  "Premium plan required (create)",
  "Domain not in the account (create); domain or template not found (update)",
];

export const templatesV4: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/domains/:domain/templates",
    answer: object({ templates: list(templateSummaryV4) }),
  }),
  endpoint({
    method: "GET",
    path: "/domains/:domain/templates/:name",
    child: "template",
    answer: oneTemplate,
  }),
  endpoint({
    method: "POST",
    path: "/domains/:domain/templates",
    body: [needs("name", "string"), ...TEXTS],
    sent: () => ({ body: TEMPLATE }),
    status: [200, 201],
    answer: oneTemplate,
    plan: "paid",
    refusals: [
      ...refused(CREATE, without("name", TEMPLATE), ...wrongNames.map((name) => both({ name }))),
      ...refused(CREATE, ...tooLong.map(both), ...malformed.map(both)),
      ...refused(TAKEN, both({ name: "welcome" })),
    ],
  }),
  endpoint({
    method: "PUT",
    path: "/domains/:domain/templates/:name",
    child: "template",
    body: [takes("name", "string"), ...TEXTS],
    sent: () => ({ body: { name: "renamed", description: "What it was for" } }),
    answer: oneTemplate,
    refusals: [
      ...refused(UPDATE, ...wrongNames.map((name) => ({ name }))),
      ...refused(UPDATE, ...tooLong, ...malformed),
    ],
  }),
  endpoint({
    method: "DELETE",
    path: "/domains/:domain/templates/:name",
    child: "template",
    status: [204],
    answer: null,
  }),
];
