/** Reads a send request and reports all its errors at once (API v4 §4 Send, §7 Send errors). */
import { LIMITS } from "../../base/limits.ts";
import { canonicalDomain, parseAddrSpec } from "../../engine/facts/address.ts";
import { isRecord } from "../../engine/routing/config/config-fields.ts";
import { refuseFields } from "../model/problem.ts";
import type { Party, TemplateRow } from "../model/records.ts";
import { mustacheProblem } from "../model/sending/mustache-text.ts";
import { readAttachments, type SendAttachment } from "./send-attachments.ts";
import { RenderLimitError, renderTemplate } from "./send-render.ts";

/** Values as clients send them. */
export interface SendInput {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly cc?: unknown;
  readonly bcc?: unknown;
  readonly reply_to?: unknown;
  readonly subject?: unknown;
  readonly text?: unknown;
  readonly html?: unknown;
  readonly template?: unknown;
  readonly variables?: unknown;
  readonly attachments?: unknown;
}

/** A checked request, without the fields that a template fills. */
export interface SendRequest {
  readonly from: string;
  readonly to: readonly Party[];
  readonly cc: readonly Party[];
  readonly bcc: readonly Party[];
  readonly replyTo: Party | null;
  readonly subject: string | null;
  readonly text: string;
  readonly html: string;
  /** Name of a template. */
  readonly template: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly attachments: readonly SendAttachment[];
}

type Errors = Record<string, readonly string[]>;

/** Most code units of a mailbox with its name. */
const MAILBOX_UNITS_MAX = 1_000;

/** Reads `user@host` or `Name <user@host>`; `null` for anything else. */
function readMailbox(value: unknown): Party | null {
  if (typeof value !== "string" || value.length > MAILBOX_UNITS_MAX) return null;
  if (/\p{Cc}/u.test(value)) return null;
  const text = value.trim();
  const [, before, inner] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? [undefined, "", text];
  const address = inner!.trim();
  const parsed = parseAddrSpec(address);
  if (parsed === null) return null;
  const name = before!.trim().replace(/^"(.*)"$/, "$1");
  const email = `${parsed.localPart}@${canonicalDomain(parsed.domain)}`;
  return { email, name: name === "" ? null : name };
}

function readMailboxes(errors: Errors, name: string, value: unknown): readonly Party[] {
  if (value === undefined) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > LIMITS.sendRecipientsMax) {
    errors[name] = [
      `${items.length} addresses in \`${name}\`: at most ${LIMITS.sendRecipientsMax}`,
    ];
    return [];
  }
  const parties = items.map(readMailbox);
  const wrong = items.filter((_, index) => parties[index] === null);
  if (wrong.length === 0) return parties as readonly Party[];
  errors[name] = wrong.map((item) => {
    const shown = typeof item === "string" ? `\`${item.slice(0, 80)}\`` : "this";
    return `${shown} in \`${name}\` is not a mailbox: write \`user@domain\``;
  });
  return [];
}

function readText(errors: Errors, name: string, value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" && value.length <= LIMITS.renderedUnitsMax) return value;
  errors[name] = [`\`${name}\` is not a string of at most ${LIMITS.renderedUnitsMax} characters`];
  return "";
}

function readFrom(errors: Errors, value: unknown, domain: string): string {
  const isLocal =
    typeof value === "string" &&
    !value.includes("@") &&
    parseAddrSpec(`${value}@${domain}`) !== null;
  if (isLocal) return `${value}@${domain}`;
  errors.from =
    value === undefined || value === ""
      ? ["`from` is missing: give the part of your address before the `@`"]
      : ["`from` is not a local part: give the part of your address before the `@`"];
  return "";
}

/** Whether nothing of a subject would be left in its line. */
const isBlank = (text: string): boolean => /^[\p{Cc}\s]*$/u.test(text);

function readSubject(errors: Errors, value: unknown): string | null {
  if (value === undefined || (typeof value === "string" && isBlank(value))) return null;
  if (typeof value === "string" && value.length <= LIMITS.sendSubjectUnitsMax) return value;
  errors.subject = [
    `\`subject\` is not a string of at most ${LIMITS.sendSubjectUnitsMax} characters`,
  ];
  return null;
}

function readVariables(errors: Errors, value: unknown): SendRequest["variables"] {
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  errors.variables = ["`variables` is not a JSON object: give names with their values"];
  return {};
}

const NO_SUBJECT = "`subject` is missing: give one, or a template that has one";
const NO_BODY = "no body content: give `text` or `html`, or a template that has one";

/** Throws 400 with the errors of all fields. */
export function readSendRequest(domain: string, input: SendInput): SendRequest {
  const errors: Errors = {};
  const from = readFrom(errors, input.from, domain);
  const to = readMailboxes(errors, "to", input.to);
  if (to.length === 0) errors.to ??= ["`to` is missing: give at least one address"];
  const cc = readMailboxes(errors, "cc", input.cc);
  const bcc = readMailboxes(errors, "bcc", input.bcc);
  const count = to.length + cc.length + bcc.length;
  if (count > LIMITS.sendRecipientsMax) {
    errors.to ??= [
      `${count} recipients: at most ${LIMITS.sendRecipientsMax} can be sent to at once`,
    ];
  }
  const [replyTo = null] = readMailboxes(errors, "reply_to", input.reply_to);
  if (Array.isArray(input.reply_to))
    errors.reply_to = ["`reply_to` is not a string: give one mailbox"];
  const subject = readSubject(errors, input.subject);
  const text = readText(errors, "text", input.text);
  const html = readText(errors, "html", input.html);
  const variables = readVariables(errors, input.variables);
  let template: string | null = null;
  if (typeof input.template === "string") template = input.template;
  else if (input.template !== undefined)
    errors.template = ["`template` is not a string: give a name"];
  const read = readAttachments(input.attachments);
  if (!read.ok) errors.attachments = read.messages;
  if (template === null) {
    if (subject === null) errors.subject ??= [NO_SUBJECT];
    if (text === "" && html === "") errors.text ??= [NO_BODY];
  }
  refuseFields(errors);
  const attachments = read.ok ? read.attachments : [];
  return { from, to, cc, bcc, replyTo, subject, text, html, template, variables, attachments };
}

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The content of a request without a template; its subject is used as it is. */
// ASSUMPTION(subject-variables): without a template nothing is rendered, not even the subject
export function plainLetter({ subject, text, html }: SendRequest): Letter {
  return { subject: subject ?? "", text, html };
}

/** Renders a template for a request; throws 400 if it cannot be rendered or lacks a subject or body. */
export function templateLetter(request: SendRequest, template: TemplateRow): Letter {
  const errors: Errors = {};
  const render = (field: string, source: string, form: "html" | "text"): string => {
    const problem = mustacheProblem(source);
    if (problem !== null) {
      errors[field] = [problem];
      return "";
    }
    try {
      return renderTemplate(source, request.variables, form);
    } catch (error) {
      if (!(error instanceof RenderLimitError)) throw error;
      errors[field] = [error.message];
      return "";
    }
  };
  const letter: Letter = {
    subject: render("subject", request.subject ?? template.subject, "text"),
    text: render("text_body", template.textBody, "text"),
    html: render("html_body", template.htmlBody, "html"),
  };
  if (isBlank(letter.subject)) errors.subject ??= [NO_SUBJECT];
  // A rendered subject has the same limits as a subject in a request.
  readSubject(errors, letter.subject);
  if (letter.text === "" && letter.html === "") errors.text_body ??= [NO_BODY];
  refuseFields(errors);
  return letter;
}
