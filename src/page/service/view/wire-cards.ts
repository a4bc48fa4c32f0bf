/** What went over the wire: SMTP sessions with their transcripts, and requests to the API with their answers. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { openSession, request, requests, session, sessions } from "../control.ts";
import { timeOf } from "../model/times.ts";
import { Card } from "./parts.ts";

const ARROWS: Readonly<Record<string, string>> = { client: "→", server: "←", note: "·" };

function Transcript(): VNode | null {
  if (session.value === null) return null;
  const { lines, linesCut, server, remote } = session.value;
  const text = lines
    .map(({ atMs, from, text: said }) => `${timeOf(atMs).slice(11)} ${ARROWS[from]} ${said}`)
    .join("\n");
  return html`<pre class="plain mono lines" tabindex="0" role="region" aria-label=${`Transcript of ${server} with ${remote}`}>${text}${linesCut > 0 ? `\n${linesCut} more lines were not kept` : ""}</pre>`;
}

export function SessionsCard(): VNode {
  return html`<${Card} title="SMTP sessions" actions=${html`<span class="count">${sessions.value.length}</span>`}><ul class="wire" tabindex="0" aria-label="SMTP sessions">${sessions.value.map(
    ({ id, server, remote, startedMs, endedMs }) =>
      html`<li key=${id}><button class="btn-link" aria-expanded=${session.value?.id === id} onClick=${() => void openSession(id)}>${timeOf(startedMs)} ${server}, from ${remote}${endedMs === null ? ", open" : ""}</button></li>`,
  )}</ul>${sessions.value.length === 0 ? html`<p class="pad soft">No client has connected yet.</p>` : null}<${Transcript} /><//>`;
}

function Exchange(): VNode | null {
  if (request.value === null) return null;
  const { method, path, body, status, answer } = request.value;
  const text = `${method} ${path}\n${body ?? ""}\n\n${status}\n${answer ?? ""}`;
  return html`<pre class="plain mono lines" tabindex="0" role="region" aria-label="Request and answer">${text}</pre>`;
}

export function RequestsCard(): VNode {
  return html`<${Card} title="API requests" actions=${html`<span class="count">${requests.value.length}</span>`}><ul class="wire" tabindex="0" aria-label="API requests">${requests.value.map(
    (each) =>
      html`<li key=${each.id}><button class="btn-link" aria-expanded=${request.value?.id === each.id} onClick=${() => {
        request.value = each;
      }}>${timeOf(each.atMs)} ${each.method} ${each.path} <span class=${each.status < 400 ? "v-matched" : "v-rejected"}>${each.status}</span></button></li>`,
  )}</ul>${requests.value.length === 0 ? html`<p class="pad soft">No program has asked yet.</p>` : null}<${Exchange} /><//>`;
}
