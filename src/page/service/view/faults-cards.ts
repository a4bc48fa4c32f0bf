/** Faults: what goes wrong with deliveries, and with mail that comes in. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { faults, intakeFaults, steer } from "../control.ts";
import { onSend } from "./domain-view.ts";
import { Card } from "./parts.ts";

const numberOr = (text: string, otherwise: number | null): number | null =>
  text === "" ? otherwise : Number(text);

function leftWords(times: number | null, used: number): string {
  return times === null
    ? `always, ${used} so far`
    : `${Math.max(0, times - used)} of ${times} left`;
}

interface FaultLine {
  readonly id: string;
  readonly match: string;
  readonly happens: string;
  readonly left: string;
}

function FaultTable({ path, lines }: { path: string; lines: readonly FaultLine[] }): VNode {
  if (lines.length === 0) return html`<p class="pad soft">None: everything goes well.</p>`;
  return html`<div class="scroll-x"><table class="table"><thead><tr><th scope="col">Strikes</th><th scope="col">What happens</th><th scope="col">How often</th><th scope="col"><span class="sr">Remove</span></th></tr></thead><tbody>${lines.map(
    ({
      id,
      match,
      happens,
      left,
    }) => html`<tr key=${id}><td><code>${match}</code></td><td>${happens}</td><td>${left}</td>
      <td><button class="btn btn-quiet btn-icon" aria-label=${`Remove the fault ${match}`} onClick=${() => void steer("DELETE", `${path}/${id}`)}><${Icon} name="close" /></button></td></tr>`,
  )}</tbody></table></div>`;
}

function option(value: string): VNode {
  return html`<option value=${value}>${value}</option>`;
}

const TIMES = html`<input class="input narrow" name="times" type="number" min="1" aria-label="How often, always if empty" placeholder="always" />`;
const ADD = html`<button class="btn"><${Icon} name="add" />Add fault</button>`;

export function FaultsCard(): VNode {
  const lines = faults.value.map(
    ({ id, match, stage, code, delayMs, times, probability, used }): FaultLine => {
      const waits = delayMs === 0 ? "" : `waits ${delayMs / 1_000} s, then `;
      const share = probability === 1 ? "" : `, ${Math.round(probability * 100)} in 100`;
      const happens = `${waits}${code === null ? "as usual" : `answers ${code}`} at ${stage}`;
      return { id, match, happens, left: leftWords(times, used) + share };
    },
  );
  const add = onSend((value) =>
    steer("POST", "/faults", {
      match: value("match"),
      stage: value("stage"),
      code: numberOr(value("code"), null),
      delayMs: (numberOr(value("delay"), 0) ?? 0) * 1_000,
      times: numberOr(value("times"), null),
    }),
  );
  return html`<${Card} title="Faults of deliveries" actions=${html`<span class="count">${lines.length}</span>`}><${FaultTable} path="/faults" lines=${lines} />
    <form class="pad row wrap" onSubmit=${add}><input class="input mono grow" name="match" aria-label="Destination, * for anything" placeholder="*@books.example" required />
      <select class="select narrow" name="stage" aria-label="Where">${["rcpt", "connect", "mail", "data", "answer"].map(option)}</select>
      <input class="input narrow" name="code" type="number" min="200" max="599" aria-label="Code it answers" placeholder="451" />
      <input class="input narrow" name="delay" type="number" min="0" aria-label="Seconds it waits" placeholder="seconds" />${TIMES}${ADD}</form><//>`;
}

export function IntakeFaultsCard(): VNode {
  const lines = intakeFaults.value.map(
    ({ id, match, step, action, code, delayMs, times, used }): FaultLine => {
      const what = action === "delay" ? `waits ${delayMs / 1_000} s` : `${action}s`;
      const happens = `${what}${code === null ? "" : ` with ${code}`} at ${step}`;
      return { id, match, happens, left: leftWords(times, used) };
    },
  );
  const add = onSend((value) =>
    steer("POST", "/intake-faults", {
      match: value("match") || "*",
      step: value("step"),
      action: value("action"),
      delayMs: (numberOr(value("delay"), 0) ?? 0) * 1_000,
      times: numberOr(value("times"), null),
    }),
  );
  const steps = ["rcpt", "connect", "ehlo", "auth", "mail", "data", "message", "quit"];
  return html`<${Card} title="Faults of mail coming in" actions=${html`<span class="count">${lines.length}</span>`}><${FaultTable} path="/intake-faults" lines=${lines} />
    <form class="pad row wrap" onSubmit=${add}><input class="input mono grow" name="match" aria-label="Recipient, sender or client, * for anything" placeholder="*" />
      <select class="select narrow" name="step" aria-label="At which command">${steps.map(option)}</select>
      <select class="select narrow" name="action" aria-label="What happens">${["defer", "refuse", "delay", "cut"].map(option)}</select>
      <input class="input narrow" name="delay" type="number" min="0" aria-label="Seconds of delay" placeholder="seconds" />${TIMES}${ADD}</form><//>`;
}
