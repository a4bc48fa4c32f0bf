/** The story of one log entry: its events, its next try, its messages, and the trace of the decision. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { TraceRows } from "../../view/message/trace.ts";
import { clock, steer } from "../control.ts";
import { arrived, decideNow, logMail, tryInRules } from "../logs.ts";
import { type LogEntry, nextTryMs, storyOf, triesOf } from "../model/log-story.ts";
import { hashOf } from "../model/place.ts";
import { spanWords, timeOf } from "../model/times.ts";
import { go } from "../navigation.ts";
import { CopyButton, StandingPill } from "./parts.ts";

function NextTry({ entry }: { entry: LogEntry }): VNode | null {
  const ms = nextTryMs(entry);
  if (ms === null) return null;
  const nowMs = clock.value?.nowMs ?? ms;
  const left = Math.max(0, ms - nowMs);
  const advance = (): void => void steer("POST", "/clock/advance", { ms: left });
  return html`<div class="notice notice-warn"><${Icon} name="retry" /><div class="grow"><strong>Try ${triesOf(entry) + 1} ${left === 0 ? "is due" : `in ${spanWords(left)}, at ${timeOf(ms)} UTC`}</strong>
    <p>The destination has put it off ${triesOf(entry) === 1 ? "once" : `${triesOf(entry)} times`}.</p>
    <button class="btn" onClick=${advance}>Advance the clock to then</button></div></div>`;
}

function Trace({ entry }: { entry: LogEntry }): VNode {
  const decided = decideNow();
  if (decided === null || logMail.value === null)
    return html`<p class="pad soft">No rules are loaded.</p>`;
  const isWhole = arrived.value.some(({ kind }) => kind === "mailbox");
  const mail = logMail.value;
  return html`<div class="pad row"><div class="grow"><h3>Trace of the decision</h3><p class="soft xs">How the saved rules decide ${
    isWhole
      ? "the message as it was received"
      : "what the log has of it: sender, recipient and subject"
  }.</p></div><button class="btn" onClick=${() => tryInRules(mail)}><${Icon} name="rules" />Open in Rules <kbd class="hide-phone">r</kbd></button></div>
    <${TraceRows} outcomes=${decided.outcomes} label=${`Trace of ${entry.subject || entry.id}`} />`;
}

export function LogDetail({ entry }: { entry: LogEntry }): VNode {
  const { id, subject, sender, recipient, forward, transport } = entry;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Opened entry">
    <div class="pane-head only-phone"><button class="btn btn-quiet" onClick=${() => go("logs")}><${Icon} name="left" />Entries</button></div>
    <div class="mail-head"><h2>${subject || "no subject"}</h2><dl class="facts">
      <dt>From</dt><dd><code>${sender.email || "<>"}</code></dd><dt>To</dt><dd><code>${recipient.email}</code></dd>
      <dt>Goes to</dt><dd><code>${forward?.email ?? "nobody"}</code></dd><dt>Came by</dt><dd>${transport}</dd>
      <dt>Id</dt><dd class="row"><code class="cut">${id}</code><${CopyButton} text=${id} what="the id" /></dd></dl></div>
    <${NextTry} entry=${entry} />
    <div class="pad"><h3>Events</h3><ol class="story">${storyOf(entry).map(
      ({ id: step, words, atMs, says, standing }) =>
        html`<li key=${step}><span class="row"><b class="grow">${words}</b><time class="faint xs">${timeOf(atMs)}</time></span>
        ${standing === "queued" ? null : html`<${StandingPill} standing=${standing} />`} <code class="soft">${says}</code></li>`,
    )}</ol>
    ${arrived.value.map(({ id: message, attempt: number }) => html`<p><a href=${hashOf({ view: "inbox", id: message })}>What arrived at try ${number}</a></p>`)}</div>
    <${Trace} entry=${entry} /></div>`;
}
