/**
 * The outside world as deliveries see it: what is due next, hosts that do not answer, and DNS answers that replace the expected
 * ones.
 */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { breakers, clock, dnsRecords, due, steer } from "../control.ts";
import { spanWords, timeOf } from "../model/times.ts";
import { onSend } from "./domain-view.ts";
import { Card } from "./parts.ts";

const webText = (text: string): string => text.replace(/^https?:\/\//, "");

export function DueCard(): VNode {
  const { deliveries, total } = due.value;
  const nowMs = clock.value?.nowMs ?? 0;
  const rows = deliveries.map(({ logId, destination, recipient, attempts, nextMs }) => {
    const left = Math.max(0, nextMs - nowMs);
    const when = left === 0 ? "now" : `in ${spanWords(left)}`;
    const advance = (): void => void steer("POST", "/clock/advance", { ms: left });
    return html`<li key=${logId}><${Icon} name="clock" /><div class="min"><b>${when}</b> <time class="faint xs">${timeOf(nextMs)}</time>
      <p class="cut"><a href=${`#logs/${logId}`}><code>${webText(destination)}</code></a></p><p class="soft xs cut">for ${recipient}, try ${attempts + 1}</p></div>
      <button class="btn-link" onClick=${advance}>Advance to it<span class="sr">, ${webText(destination)}</span></button></li>`;
  });
  return html`<${Card} title="What is due next" actions=${html`<span class="count">${total}</span>`}>${
    rows.length === 0
      ? html`<p class="pad soft">Nothing waits: every delivery is done.</p>`
      : html`<ol class="cases">${rows}</ol>`
  }${total > rows.length ? html`<p class="pad faint xs">The next ${rows.length} of ${total} are listed.</p>` : null}<//>`;
}

const STATES = { closed: "closed", open: "open", "half-open": "open, one tries" } as const;

export function BreakersCard(): VNode {
  const rows = breakers.value.map(
    ({ host, state, failures, openUntilMs, reason, running, waiting }) => {
      const until = openUntilMs === null ? "" : ` until ${timeOf(openUntilMs)}`;
      const close = (): void => void steer("DELETE", `/breakers?host=${encodeURIComponent(host)}`);
      return html`<tr key=${host}><td><code>${host}</code><p class="soft xs">${reason}</p></td>
        <td class=${state === "closed" ? "" : "v-failed"}>${STATES[state]}${until}<p class="soft xs">${failures} without an answer, ${running} under way, ${waiting} waiting</p></td>
        <td><button class="btn btn-quiet" onClick=${close}>Close<span class="sr"> the circuit of ${host}</span></button></td></tr>`;
    },
  );
  return html`<${Card} title="Circuits of hosts" actions=${html`<span class="count">${rows.length}</span>`}>${
    rows.length === 0
      ? html`<p class="pad soft">Every host answers. After five attempts without an answer a host's circuit opens, and its mail waits.</p>`
      : html`<div class="scroll-x"><table class="table"><thead><tr><th scope="col">Host</th><th scope="col">Circuit</th><th scope="col"><span class="sr">Close</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
  }<//>`;
}

export function DnsCard(): VNode {
  const set = onSend((value) =>
    steer("PUT", "/dns", {
      type: value("type"),
      name: value("name"),
      values: value("values")
        .split("\n")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    }),
  );
  const rows = dnsRecords.value.map(({ type, name, values }) => {
    const path = `/dns?type=${type}&name=${encodeURIComponent(name)}`;
    return html`<tr key=${`${type} ${name}`}><td>${type} <code>${name}</code></td><td>${
      values.length === 0
        ? html`<span class="v-failed">no such record</span>`
        : values.map((each) => html`<code class="block">${each}</code>`)
    }</td><td><button class="btn btn-quiet btn-icon" aria-label=${`Back to the expected ${type} of ${name}`} onClick=${() => void steer("DELETE", path)}><${Icon} name="close" /></button></td></tr>`;
  });
  return html`<${Card} title="DNS answers" actions=${html`<span class="count">${rows.length}</span>`}>${
    rows.length === 0
      ? html`<p class="pad soft">As expected: every domain has the records it needs.</p>`
      : html`<div class="scroll-x"><table class="table"><thead><tr><th scope="col">Record</th><th scope="col">Answers</th><th scope="col"><span class="sr">Remove</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
  }<form class="pad form" onSubmit=${set}><div class="row wrap"><select class="select narrow" name="type" aria-label="Type of the record">${[
    "TXT",
    "MX",
    "CNAME",
  ].map(
    (type) => html`<option value=${type}>${type}</option>`,
  )}</select><input class="input mono grow" name="name" aria-label="Name of the record" placeholder="_dmarc.example.com" required /></div>
    <textarea class="input mono" name="values" rows="2" aria-label="Values, one a line; none: there is no such record" placeholder="Values, one a line; none: no such record" spellcheck="false"></textarea>
    <div class="row"><button class="btn"><${Icon} name="add" />Set answer</button></div></form><//>`;
}
