/** The simulated world around the rules: its clock, faults, and a message handed in. */
import type { VNode } from "preact";
import { download } from "../../view/download.ts";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { attempt } from "../client.ts";
import { clock, loadControl, restoreSnapshot, steer, takeSnapshot } from "../control.ts";
import { domainName } from "../domains.ts";
import { handIn } from "../inbox.ts";
import { timeOf } from "../model/times.ts";
import { onSend } from "./domain-view.ts";
import { FaultsCard, IntakeFaultsCard } from "./faults-cards.ts";
import { BreakersCard, DnsCard, DueCard } from "./outside-cards.ts";
import { Bar, Card, Confirm, Failure } from "./parts.ts";
import { RequestsCard, SessionsCard } from "./wire-cards.ts";

const MINUTE_MS = 60_000;
const STEPS = [
  { words: "+1 min", ms: MINUTE_MS },
  { words: "+10 min", ms: 10 * MINUTE_MS },
  { words: "+1 h", ms: 60 * MINUTE_MS },
  { words: "+1 day", ms: 24 * 60 * MINUTE_MS },
] as const;

function ClockCard(): VNode {
  const now = clock.value;
  const [day = "", time = ""] = now === null ? [] : timeOf(now.nowMs).split(" ");
  const isFrozen = now?.frozen === true;
  const toggle = html`<button class="btn" onClick=${() => void steer("POST", isFrozen ? "/clock/unfreeze" : "/clock/freeze")}>${isFrozen ? "Let it run" : "Freeze"}</button>`;
  const set = onSend((value) => steer("POST", "/clock/set", { now: `${value("time")}:00Z` }));
  return html`<${Card} title="Clock" actions=${toggle}><div class="pad form"><p class="row wrap"><strong class="big-time">${time}</strong><span class="soft">${day}, UTC, ${isFrozen ? "stopped" : "running"}</span></p>
    <div class="seg" role="group" aria-label="Advance the clock">${STEPS.map(
      ({ words, ms }) =>
        html`<button onClick=${() => void steer("POST", "/clock/advance", { ms })}>${words}</button>`,
    )}</div>
    <form class="row wrap" onSubmit=${set}><input class="input grow" type="datetime-local" name="time" aria-label="Time to set, UTC" required /><button class="btn">Set</button></form></div><//>`;
}

function HandInCard(): VNode {
  const send = onSend((value) =>
    attempt(async () => {
      const to = value("to").split(/[\s,]+/);
      await handIn(value("sender"), to, value("message"));
      await loadControl();
    }),
  );
  const domain = domainName.value ?? "example.com";
  return html`<${Card} title="Hand in a message"><form class="pad form" onSubmit=${send}>
    <label class="field"><span class="label">To</span><input class="input mono" name="to" value=${`someone@${domain}`} required /></label>
    <label class="field"><span class="label">Envelope sender</span><input class="input mono" name="sender" value="ann@mail.example" /></label>
    <label class="field"><span class="label">Message</span><textarea class="input mono area" name="message" spellcheck="false" required>${`From: Ann <ann@mail.example>\nTo: someone@${domain}\nSubject: invoice 2231\n\nTwo of them, please.\n`}</textarea></label>
    <div class="row"><button class="btn btn-primary"><${Icon} name="mail" />Hand in</button></div></form><//>`;
}

function ApisCard(): VNode {
  const documents = [
    { words: "All three APIs on one page", href: "/_sim/docs" },
    { words: "Version 4 as OpenAPI", href: "/v4/openapi.json" },
    { words: "Version 3 as OpenAPI", href: "/v3/openapi.json" },
    { words: "Control plane as OpenAPI", href: "/_sim/openapi.json" },
  ];
  return html`<${Card} title="Documents of the APIs"><ul class="pad form">${documents.map(
    ({ words, href }) =>
      html`<li><a href=${href} target="_blank" rel="noreferrer">${words}</a></li>`,
  )}</ul><//>`;
}

async function onRestore(event: Event): Promise<void> {
  const input = event.currentTarget as HTMLInputElement;
  const [file] = input.files ?? [];
  if (file === undefined) return;
  await attempt(async () => {
    await restoreSnapshot(file);
    await loadControl();
  });
  input.value = "";
}

export function ControlView(): VNode {
  const save = (): void =>
    void attempt(async () => download("mailflow-snapshot.ndjson", await takeSnapshot()));
  return html`<${Bar} title="Control" says="the simulated world around the rules">
      <label class="btn btn-quiet"><${Icon} name="open" />Restore<input class="sr" type="file" onChange=${onRestore} /></label>
      <button class="btn" onClick=${save}><${Icon} name="save" />Snapshot</button>
      <button class="btn btn-risk" popovertarget="reset">Reset…</button>
      <${Confirm} id="reset" words="Back to the beginning? Mail, logs and changes since then are gone." verb="Reset" act=${() => void steer("POST", "/reset")} /><//>
    <main id="main" class="scroll"><div class="cards"><${Failure} /><${ClockCard} /><${DueCard} /><${HandInCard} /><${FaultsCard} /><${IntakeFaultsCard} /><${BreakersCard} /><${DnsCard} /><${SessionsCard} /><${RequestsCard} /><${ApisCard} /></div></main>`;
}
