/** What the domain needs to send mail: its credentials, and templates with a preview. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { mustacheProblem } from "../../../simulator/model/sending/mustache-text.ts";
import { renderTemplate } from "../../../simulator/send/send-render.ts";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { previewOf } from "../mail-preview.ts";
import {
  changeSending,
  credentials,
  NEW_TEMPLATE,
  openTemplate,
  saveTemplate,
  type Template,
  template,
  templates,
} from "../sending.ts";
import { onSend } from "./domain-view.ts";
import { Bar, Card, Failure } from "./parts.ts";

function CredentialsCard(): VNode {
  const add = onSend((value) =>
    changeSending("POST", "/credentials", {
      username: value("username"),
      password: value("password"),
    }),
  );
  const again = (username: string): void => {
    const password = crypto.randomUUID();
    const path = `/credentials/${encodeURIComponent(username)}`;
    void changeSending("PUT", path, { password }).then((worked) => {
      if (worked) shown.value = { username, password };
    });
  };
  const shown = useSignal<{ username: string; password: string } | null>(null);
  return html`<${Card} title="Credentials for SMTP"><table class="table"><thead><tr><th scope="col">User</th><th scope="col">Sent</th><th scope="col"><span class="sr">Change</span></th></tr></thead><tbody>${credentials.value.map(
    ({
      username,
      usage,
    }) => html`<tr key=${username}><td><code>${username}</code></td><td>${usage}</td><td class="row"><button class="btn btn-quiet" onClick=${() => again(username)}>New password<span class="sr"> of ${username}</span></button>
      <button class="btn btn-quiet btn-icon btn-risk" aria-label=${`Delete the credential ${username}`} onClick=${() => void changeSending("DELETE", `/credentials/${encodeURIComponent(username)}`)}><${Icon} name="bin" /></button></td></tr>`,
  )}</tbody></table>
    ${shown.value === null ? null : html`<p class="pad" role="status">The password of ${shown.value.username} is <code>${shown.value.password}</code>. It is not shown again.</p>`}
    <form class="pad row wrap" onSubmit=${add}><input class="input mono grow" name="username" aria-label="User, the name of an alias" placeholder="an alias" required />
      <input class="input mono grow" name="password" aria-label="Password" placeholder="password" autocomplete="off" required /><button class="btn"><${Icon} name="add" />Add credential</button></form><//>`;
}

/** A text of the template, filled with its variables, or the error. */
function rendered(
  text: string,
  variables: Readonly<Record<string, unknown>>,
  form: "html" | "text",
): string {
  const problem = mustacheProblem(text);
  return problem === null ? renderTemplate(text, variables, form) : `${problem}`;
}

function readVariables(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    return isRecord
      ? (value as Readonly<Record<string, unknown>>)
      : "the variables are not a JSON object";
  } catch (error) {
    return (error as Error).message;
  }
}

function Preview({ draft, variables }: { draft: Template; variables: string }): VNode {
  const read = readVariables(variables);
  if (typeof read === "string") return html`<p class="notice notice-bad" role="alert">${read}</p>`;
  try {
    const { document } = previewOf(rendered(draft.html_body, read, "html"));
    return html`<h3>${rendered(draft.subject, read, "text")}</h3><iframe class="mail-frame" title="Preview of the template" sandbox="" srcdoc=${document}></iframe>
      <pre class="plain">${rendered(draft.text_body, read, "text")}</pre>`;
  } catch (error) {
    return html`<p class="notice notice-bad" role="alert">${(error as Error).message}</p>`;
  }
}

const FIELDS = [
  { name: "name", label: "Name" },
  { name: "description", label: "What it is for" },
  { name: "subject", label: "Subject" },
] as const;

function TemplateEditor({ saved, draft }: { saved: string | null; draft: Template }): VNode {
  const variables = useSignal('{ "name": "Ann" }');
  const set = (name: keyof Template, event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    template.value = { saved, draft: { ...draft, [name]: value } };
  };
  const area = (name: "html_body" | "text_body", label: string): VNode =>
    html`<label class="field"><span class="label">${label}</span><textarea class="input mono area" value=${draft[name]} spellcheck="false" onInput=${(event: Event) => set(name, event)}></textarea></label>`;
  return html`<div class="pad form two"><div class="form">${FIELDS.map(
    ({ name, label }) =>
      html`<label class="field"><span class="label">${label}</span><input class="input" value=${draft[name]} onInput=${(event: Event) => set(name, event)} /></label>`,
  )}${area("html_body", "HTML (Mustache)")}${area("text_body", "Plain text (Mustache)")}
    <label class="field"><span class="label">Variables of the preview (JSON)</span><textarea class="input mono area" value=${variables.value} spellcheck="false" onInput=${(
      event: Event,
    ) => {
      variables.value = (event.currentTarget as HTMLTextAreaElement).value;
    }}></textarea></label>
    <div class="row"><button class="btn btn-primary" onClick=${() => void saveTemplate()}>Save template</button><button class="btn" onClick=${() => {
      template.value = null;
    }}>Close</button></div></div>
    <div aria-label="Preview" role="region"><${Preview} draft=${draft} variables=${variables.value} /></div></div>`;
}

function TemplatesCard(): VNode {
  const add = html`<button class="btn" onClick=${() => {
    template.value = { saved: null, draft: NEW_TEMPLATE };
  }}><${Icon} name="add" />New template</button>`;
  return html`<${Card} title="Templates" actions=${add}><ul class="cases">${templates.value.map(
    ({
      name,
      subject,
    }) => html`<li key=${name}><${Icon} name="mail" /><button class="btn-link" onClick=${() => void openTemplate(name)}>${name}<span class="soft"> ${subject}</span></button>
      <button class="btn btn-quiet btn-icon btn-risk" aria-label=${`Delete the template ${name}`} onClick=${() => void changeSending("DELETE", `/templates/${encodeURIComponent(name)}`)}><${Icon} name="bin" /></button></li>`,
  )}</ul>${template.value === null ? null : html`<${TemplateEditor} ...${template.value} />`}<//>`;
}

export function SendingView(): VNode {
  return html`<${Bar} title="Sending" says="credentials and templates" /><main id="main" class="scroll"><div class="cards"><${Failure} /><${CredentialsCard} /><${TemplatesCard} /></div></main>`;
}
