/** What the edits do to a mailbox: how many messages change, hits per rule, weeks, and the messages themselves. */
import type { VNode } from "preact";
import { changes } from "../../comparison.ts";
import type { Changes } from "../../model/changes.ts";
import { ruleName } from "../../model/words.ts";
import { opened } from "../../service/client.ts";
import { addInbox } from "../../service/logs.ts";
import { mails, ruleIds, showMail } from "../../state.ts";
import { html } from "../html.ts";
import { Icon } from "../icon.ts";

const LISTED_MAX = 50;
/** Made once: `toLocaleString` makes one for each number. */
const NUMBERS = new Intl.NumberFormat("en");

/** A decider such as `rule invoices`, in words for a person. */
function deciderWords(key: string): string {
  const words: Readonly<Record<string, string>> = {
    fallback: "no match",
    "no-match": "no match",
    "routing-disabled": "no routing",
    "over-budget": "over budget",
  };
  return words[key] ?? ruleName(key.replace(/^(?:rule|alias) /, ""));
}

function Hits({ now }: { now: Changes }): VNode {
  const keys = [
    ...ruleIds.value.split("\n").map((id) => `rule ${id}`),
    ...now.hitsAfter.keys(),
    ...now.hitsBefore.keys(),
  ];
  const max = Math.max(1, ...now.hitsAfter.values(), ...now.hitsBefore.values());
  const share = (count: number): string => `${(100 * count) / max}%`;
  return html`<ol class="hits">${[...new Set(keys)].map((key) => {
    const [old, count] = [now.hitsBefore.get(key) ?? 0, now.hitsAfter.get(key) ?? 0];
    const by = count - old;
    const bar = { width: share(Math.min(old, count)) };
    const rest = { left: share(Math.min(old, count)), width: share(Math.abs(by)) };
    return html`<li key=${key}><span class=${by === 0 ? "cut" : "cut strong"}>${deciderWords(key)}</span>
      <span class="track" aria-hidden="true"><i style=${bar}></i>${by === 0 ? null : html`<u class=${by > 0 ? "more" : "less"} style=${rest}></u>`}</span>
      <span class="n">${NUMBERS.format(count)}</span><span class="d">${by === 0 ? "" : by > 0 ? `+${by}` : `−${-by}`}</span></li>`;
  })}</ol>`;
}

const CHART = { width: 340, height: 60 };

function Weeks({ weeks }: { weeks: Changes["weeks"] }): VNode | null {
  if (weeks.length === 0) return null;
  const max = Math.max(...weeks.map(({ count }) => count));
  const step = CHART.width / weeks.length;
  const tall = (count: number): number => (CHART.height * count) / max;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const changed = weeks.reduce((sum, week) => sum + week.changed, 0);
  const label = `Decisions per week from ${day(weeks[0]!.startMs)} to ${day(weeks.at(-1)!.startMs)}: at most ${max} a week; ${changed} change.`;
  return html`<div class="part"><h3>Decisions per week <span class="count">changed in blue</span></h3>
    <svg class="chart" viewBox=${`0 0 ${CHART.width} ${CHART.height}`} preserveAspectRatio="none" role="img" aria-label=${label}>${weeks.map(
      (
        { count, changed: part },
        index,
      ) => html`<g><rect class="base" x=${index * step + 1} y=${CHART.height - tall(count)} width=${Math.max(1, step - 2)} height=${tall(count)} />
        <rect class="diff" x=${index * step + 1} y=${CHART.height - tall(count)} width=${Math.max(1, step - 2)} height=${tall(part)} /></g>`,
    )}</svg><div class="row xs faint"><span class="grow">${day(weeks[0]!.startMs)}</span><span>${day(weeks.at(-1)!.startMs)}</span></div></div>`;
}

function Moves({ now }: { now: Changes }): VNode | null {
  if (now.changed.length === 0) return null;
  return html`<div class="part"><h3>Messages that change</h3><ol class="moves">${now.changed
    .slice(0, LISTED_MAX)
    .map(({ index, before, after }) => {
      const each = mails.value[index];
      return html`<li key=${index}><button class="btn-link cut" onClick=${() => showMail(index)}>${each?.subject || each?.name}</button>
      <div class="way"><span>${deciderWords(before)}</span><${Icon} name="arrow" small="small" /><strong>${deciderWords(after)}</strong></div></li>`;
    })}</ol>${now.changedCount > LISTED_MAX ? html`<p class="faint xs">The first ${LISTED_MAX} of ${now.changedCount} are listed.</p>` : null}</div>`;
}

export function ChangePanel(): VNode {
  const now = changes.value;
  if (now === null) {
    return html`<div class="blank"><${Icon} name="open" /><h3>Drop a mailbox here</h3>
      <p>An mbox, or several .eml files. You then see, while you type, which of their messages your edits send elsewhere.</p>
      ${opened.value === "none" ? null : html`<button class="btn" onClick=${() => void addInbox()}><${Icon} name="mail" />Take the inbox</button>`}</div>`;
  }
  const isDone = now.decisions === now.of;
  return html`<div><div class="part"><div class="big"><strong>${now.changedCount.toLocaleString("en")}</strong>
      <span class="soft">of ${now.of.toLocaleString("en")} decisions would change</span></div>
      ${isDone ? null : html`<progress value=${now.decisions} max=${now.of} aria-label="Messages decided"></progress>`}
      ${
        now.lost === 0
          ? html`<div class="notice notice-good"><${Icon} name="shield" /><span>No message that is delivered today would be discarded or rejected.</span></div>`
          : html`<div class="notice notice-bad"><${Icon} name="bad" /><span>${now.lost} that are delivered today would be discarded or rejected.</span></div>`
      }</div>
    <div class="part"><h3>Hits per rule <span class="count">as edited, and against saved</span></h3><${Hits} now=${now} /></div>
    <${Weeks} weeks=${now.weeks} /><${Moves} now=${now} /></div>`;
}
