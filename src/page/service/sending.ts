/** What a domain needs to send mail: SMTP credentials and templates. */
import { effect, signal, untracked } from "@preact/signals";
import { attempt, call, isSignedIn, load } from "./client.ts";
import { domainName, pathOf } from "./domains.ts";
import { place } from "./navigation.ts";

export interface Credential {
  readonly username: string;
  readonly created_at: string;
  readonly usage: number;
}

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly subject: string;
  readonly html_body: string;
  readonly text_body: string;
}

export const credentials = signal<readonly Credential[]>([]);
export const templates = signal<readonly Pick<Template, "name" | "description" | "subject">[]>([]);
/** The open template with its edits; `saved` is its name in the service, `null` for a new one. */
export const template = signal<{ readonly saved: string | null; readonly draft: Template } | null>(
  null,
);

export const NEW_TEMPLATE: Template = {
  name: "new-template",
  description: "",
  subject: "Hello {{name}}",
  html_body: "<h1>Hello {{name}}</h1>",
  text_body: "Hello {{name}}",
};

export async function loadSending(): Promise<void> {
  const chosen = domainName.value;
  if (chosen === null || !isSignedIn.value) return;
  const [people, texts] = await Promise.all([
    call<{ credentials: Credential[] }>("GET", pathOf("/credentials?limit=200")),
    call<{ templates: Template[] }>("GET", pathOf("/templates")),
  ]);
  if (chosen !== domainName.value) return;
  credentials.value = people.credentials;
  templates.value = texts.templates;
}

/** Changes a credential or a template, then reads the lists again. */
export function changeSending(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
): Promise<boolean> {
  return attempt(async () => {
    await call(method, pathOf(path), body);
    await loadSending();
  });
}

export async function openTemplate(name: string): Promise<void> {
  await attempt(async () => {
    const path = pathOf(`/templates/${encodeURIComponent(name)}`);
    const { template: draft } = await call<{ template: Template }>("GET", path);
    template.value = { saved: draft.name, draft };
  });
}

export async function saveTemplate(): Promise<void> {
  if (template.value === null) return;
  const { saved, draft } = template.value;
  const { name, description, subject, html_body, text_body } = draft;
  const body = { name, description, subject, html_body, text_body };
  const isSaved =
    saved === null
      ? await changeSending("POST", "/templates", body)
      : await changeSending("PUT", `/templates/${encodeURIComponent(saved)}`, body);
  if (isSaved) template.value = { saved: name, draft };
}

export function watchSending(): void {
  effect(() => {
    void [domainName.value, isSignedIn.value];
    if (place.value.view === "sending") void untracked(() => load(loadSending));
  });
}
