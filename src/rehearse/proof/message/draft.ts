/** Turns a model of a message into a draft: chooses every fact, with ordinary texts where any text will do. */

import type { Choice, Model } from "../solve/model.ts";

export interface DraftAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly octets: number;
}

export interface Draft {
  /** Local part of the recipient. */
  readonly local: string;
  /** `""`: no From field, and the null sender. */
  readonly sender: string;
  readonly subject: string;
  readonly body: string;
  /** Further fields by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Fields that the message must not have. */
  readonly without: ReadonlySet<string>;
  readonly attachments: readonly DraftAttachment[];
  /** Minimum size of the whole message in octets. */
  readonly octetsMin: number;
}

const ORDINARY = {
  local: "hello",
  sender: "ann@example.org",
  subject: "Hello",
  body: "Hello",
} as const;

/** Values for fields that may have any value. */
const HEADER_VALUES: Readonly<Record<string, string>> = {
  "list-id": "News <news.example.org>",
  "list-unsubscribe": "<mailto:unsubscribe@example.org>",
  "x-spam-flag": "YES",
  precedence: "bulk",
  "auto-submitted": "auto-generated",
  "in-reply-to": "<earlier@example.org>",
  references: "<earlier@example.org>",
  "reply-to": "ann@example.org",
};

const ORDINARY_ATTACHMENT: DraftAttachment = {
  filename: "document.pdf",
  contentType: "application/pdf",
  octets: 200,
};

/** File name extensions and their media types. */
const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  zip: "application/zip",
  exe: "application/octet-stream",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  ics: "text/calendar",
  xml: "application/xml",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

type Choices = ReadonlyMap<string, Choice>;

function textOf(choices: Choices, variable: string): string | undefined {
  const choice = choices.get(variable);
  return choice?.kind === "text" ? choice.text : undefined;
}

function elementsOf(choices: Choices, list: string): readonly Model[] | undefined {
  const choice = choices.get(`each ${list}`);
  return choice?.kind === "elements" ? choice.elements : undefined;
}

function octetsOf(choice: Choice | undefined, fallback: number): number {
  if (choice?.kind !== "number") return fallback;
  return Math.max(choice.least, Math.min(choice.most, fallback));
}

/** The attachment whose fields the model gives, with `prefix` before their names; `null` if it gives none. */
function attachmentOf(choices: Choices, prefix: string): DraftAttachment | null {
  const filename = textOf(choices, `${prefix}.filename`);
  const contentType = textOf(choices, `${prefix}.contentType`);
  const size = choices.get(`${prefix}.size`);
  if (filename === undefined && contentType === undefined && size === undefined) return null;
  const extension = filename?.split(".").at(-1)?.toLowerCase() ?? "";
  const type = Object.hasOwn(TYPES, extension)
    ? TYPES[extension]!
    : ORDINARY_ATTACHMENT.contentType;
  return {
    filename: filename ?? ORDINARY_ATTACHMENT.filename,
    contentType: contentType ?? type,
    octets: octetsOf(size, ORDINARY_ATTACHMENT.octets),
  };
}

function attachmentsOf(choices: Choices): readonly DraftAttachment[] {
  const first = attachmentOf(choices, "attachments[0]");
  const elements = (elementsOf(choices, "attachments") ?? []).map(
    (model) => attachmentOf(model.choices, "attachments[]") ?? ORDINARY_ATTACHMENT,
  );
  const isOrdinary = (attachment: DraftAttachment): boolean => attachment === ORDINARY_ATTACHMENT;
  // An attachment without demands can be any of the others.
  const asked = elements.filter((each) => !isOrdinary(each));
  const all = first === null ? asked : [first, ...asked];
  const attachments = all.length > 0 || elements.length === 0 ? all : [ORDINARY_ATTACHMENT];
  const count = octetsOf(choices.get("attachments.count"), attachments.length);
  const more = Math.max(0, Math.min(count, COUNT_MAX) - attachments.length);
  return [...attachments, ...new Array<DraftAttachment>(more).fill(ORDINARY_ATTACHMENT)];
}

const COUNT_MAX = 100;

function headersOf(choices: Choices): Pick<Draft, "headers" | "without"> {
  const headers = new Map<string, string[]>();
  const without = new Set<string>();
  const add = (name: string, value: string): void => {
    const values = headers.get(name);
    if (values === undefined) headers.set(name, [value]);
    else if (!values.includes(value)) values.push(value);
  };
  const names = new Set<string>();
  for (const subject of choices.keys()) {
    const name = /^(?:each )?headers\.(.+?)(?:\[0\])?$/.exec(subject)?.[1];
    if (name !== undefined) names.add(name);
  }
  for (const name of names) {
    const first = textOf(choices, `headers.${name}[0]`);
    if (first !== undefined) add(name, first);
    const elements = elementsOf(choices, `headers.${name}`);
    for (const { choices: element } of elements ?? []) {
      const text = textOf(element, `headers.${name}[]`);
      if (text !== undefined) add(name, text);
      else if (!headers.has(name)) add(name, HEADER_VALUES[name] ?? "yes");
    }
    if (elements?.length === 0) without.add(name);
  }
  return { headers, without };
}

export function draftOf({ choices }: Model): Draft {
  const size = choices.get("size");
  return {
    local: textOf(choices, "local") ?? ORDINARY.local,
    sender: textOf(choices, "sender") ?? ORDINARY.sender,
    subject: textOf(choices, "subject") ?? ORDINARY.subject,
    body: textOf(choices, "body") ?? ORDINARY.body,
    ...headersOf(choices),
    attachments: attachmentsOf(choices),
    octetsMin: size?.kind === "number" ? size.least : 0,
  };
}
