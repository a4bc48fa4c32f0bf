/** The logs: one entry per recipient and destination, beside the story of the one that is open. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { clock } from "../control.ts";
import { entries, entry, loadOlderLogs, logSearch, logStatus } from "../logs.ts";
import { FILTERS, type LogEntry, standingOf, triesOf } from "../model/log-story.ts";
import { hashOf } from "../model/place.ts";
import { shortTime } from "../model/times.ts";
import { place } from "../navigation.ts";
import { LiveSign } from "./inbox-view.ts";
import { LogDetail } from "./log-detail.ts";
import { Bar, Failure, StandingPill, searchWhenTyped } from "./parts.ts";
import { VirtualList } from "./virtual-list.ts";

const ROW_PIXELS = 66;

function Row({ row }: { row: LogEntry }): VNode {
  const { subject, sender, forward, recipient, created_at } = row;
  const ms = Date.parse(created_at);
  const tries = triesOf(row);
  return html`<span class="log-row"><span><${StandingPill} standing=${standingOf(row)} /></span>
    <span class="min"><span class="cut block subject">${subject || "no subject"}</span><code class="cut block xs soft">${sender.email || "<>"}</code></span>
    <span class="min"><code class="cut block xs">${forward?.email.replace(/^https?:\/\//, "") ?? "nobody"}</code><span class="cut block xs soft">for ${recipient.email}${tries > 1 ? `, ${tries} tries` : ""}</span></span>
    <time class="faint xs">${shortTime(ms, clock.value?.nowMs ?? ms)}</time></span>`;
}

const onSearch = searchWhenTyped((text) => {
  logSearch.value = text;
});

function Blank(): VNode {
  if (entries.value === null) return html`<p class="blank" role="status">Loading the log</p>`;
  return html`<div class="blank"><${Icon} name="logs" /><h3>No entries</h3><p>Each recipient and destination of a message gets one. ${logStatus.value === "" && logSearch.value === "" ? "Hand in a message under " : "Show all entries, or hand in a message under "}<a href="#control">Control</a>.</p></div>`;
}

export function LogsView(): VNode {
  const rows = entries.value ?? [];
  return html`<${Bar} title="Logs" says="one entry per recipient and destination"><${LiveSign} /><//>
    <main id="main" class="beside beside-log" data-pane=${place.value.id === null ? 1 : 2}>
      <section class="pane" aria-label="Log entries"><div class="pane-head"><input class="input" type="search" id="search" aria-label="Search the log" placeholder="Address, subject" defaultValue=${logSearch.value} onInput=${onSearch} /><kbd class="hide-phone">/</kbd></div>
        <div class="pane-head scroll-x"><div class="seg" role="group" aria-label="Show">${FILTERS.map(
          ({ name, status }) =>
            html`<button aria-pressed=${logStatus.value === status} onClick=${() => {
              logStatus.value = status;
            }}>${name}</button>`,
        )}</div></div><${Failure} />
        <${VirtualList} label="List of log entries" rows=${rows} rowHeight=${ROW_PIXELS} openId=${place.value.id}
          hrefOf=${({ id }: LogEntry) => hashOf({ view: "logs", id })} draw=${(row: LogEntry) => html`<${Row} row=${row} />`}
          blank=${html`<${Blank} />`} onEnd=${() => void loadOlderLogs()} /></section>
      <article class="pane" aria-label="Log entry">${
        entry.value === null
          ? html`<div class="blank"><${Icon} name="logs" /><p>Choose an entry, or press <kbd>j</kbd>.</p></div>`
          : html`<${LogDetail} entry=${entry.value} />`
      }</article></main>`;
}
