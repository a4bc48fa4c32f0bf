/** The inbox: what mailboxes and webhooks received, beside the message that is open. */
import type { VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { clock } from "../control.ts";
import {
  arrivals,
  counts,
  isUnreadOnly,
  kindShown,
  loadOlder,
  markAllRead,
  message,
  search,
  tagShown,
  tags,
} from "../inbox.ts";
import { isLive } from "../live.ts";
import { type MessageSummary, senderWords } from "../model/arrivals.ts";
import { hashOf } from "../model/place.ts";
import { shortTime } from "../model/times.ts";
import { place } from "../navigation.ts";
import { MessageDetail } from "./message-detail.ts";
import { Bar, Failure, searchWhenTyped } from "./parts.ts";
import { VirtualList } from "./virtual-list.ts";

/** Pixels of a row; the style sheet sets the same height. */
const ROW_PIXELS = 78;

function Row({ row }: { row: MessageSummary }): VNode {
  const { from, subject, destination, kind, read, receivedMs, tags: own } = row;
  return html`<span class=${read ? "" : "unread"}>
    <span class="row"><b class="cut grow">${senderWords(from)}</b>${read ? null : html`<span class="sr">unread</span>`}<time class="faint xs">${shortTime(receivedMs, clock.value?.nowMs ?? receivedMs)}</time></span>
    <span class="cut block subject">${subject || "no subject"}</span>
    <span class="row xs soft"><${Icon} name=${kind === "mailbox" ? "arrow" : "hook"} small="small" /><code class="cut grow">${destination.replace(/^https?:\/\//, "")}</code>${own.map((tag) => html`<span class="tag">${tag}</span>`)}</span></span>`;
}

function Blank(): VNode {
  const isSought =
    search.value !== "" || isUnreadOnly.value || kindShown.value !== "" || tagShown.value !== "";
  if (counts.value === null) return html`<p class="blank" role="status">Loading messages</p>`;
  return isSought
    ? html`<div class="blank"><${Icon} name="search" /><h3>No message fits</h3><p>Search for other words, or show all messages.</p></div>`
    : html`<div class="blank"><${Icon} name="mail" /><h3>Nothing has arrived yet</h3>
      <p>What the rules forward lands here, in simulated mailboxes. Hand in a message under <a href="#control">Control</a>, or send one to the MX.</p></div>`;
}

const onSearch = searchWhenTyped((text) => {
  search.value = text;
});

export function LiveSign(): VNode {
  return isLive.value
    ? html`<span class="row xs v-matched"><${Icon} name="matched" small="small" />Live</span>`
    : html`<span class="row xs v-failed" role="status"><${Icon} name="failed" small="small" />Offline, trying again</span>`;
}

const KINDS = [
  { kind: "", words: "All kinds" },
  { kind: "mailbox", words: "Mailboxes" },
  { kind: "webhook", words: "Webhooks" },
  { kind: "event", words: "Events" },
] as const;

function Choices(): VNode {
  const chooseKind = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    kindShown.value = KINDS.find(({ kind }) => kind === value)?.kind ?? "";
  };
  const chooseTag = (event: Event): void => {
    tagShown.value = (event.currentTarget as HTMLSelectElement).value;
  };
  return html`<select class="select narrow" aria-label="What received it" value=${kindShown.value} onChange=${chooseKind}>${KINDS.map(
    ({ kind, words }) => html`<option value=${kind}>${words}</option>`,
  )}</select>
    ${
      tags.value.length === 0 && tagShown.value === ""
        ? null
        : html`<select class="select narrow" aria-label="Tag" value=${tagShown.value} onChange=${chooseTag}><option value="">All tags</option>${tags.value.map(
            ({ tag, messages }) => html`<option value=${tag}>${tag} (${messages})</option>`,
          )}</select>`
    }`;
}

export function InboxView(): VNode {
  const { total, unread } = counts.value ?? { total: 0, unread: 0 };
  const show = (only: boolean, words: string, count: number): VNode =>
    html`<button aria-pressed=${isUnreadOnly.value === only} onClick=${() => {
      isUnreadOnly.value = only;
    }}>${words} <span class="count">${count.toLocaleString("en")}</span></button>`;
  return html`<${Bar} title="Inbox" says="what mailboxes and webhooks have received"><${LiveSign} />
      <button class="btn btn-quiet" disabled=${unread === 0} onClick=${() => void markAllRead()}><${Icon} name="check" />Mark all read</button><//>
    <main id="main" class="beside" data-pane=${place.value.id === null ? 1 : 2}>
      <section class="pane" aria-label="Messages"><div class="pane-head"><input class="input" type="search" id="search" aria-label="Search messages" placeholder="Sender, subject, text" defaultValue=${search.value} onInput=${onSearch} /><kbd class="hide-phone">/</kbd></div>
        <div class="pane-head wrap"><div class="seg" role="group" aria-label="Show">${show(false, "All", total)}${show(true, "Unread", unread)}</div><${Choices} /></div>
        <${Failure} />
        <${VirtualList} label="List of messages" rows=${arrivals.value.rows} rowHeight=${ROW_PIXELS} openId=${place.value.id}
          hrefOf=${({ id }: MessageSummary) => hashOf({ view: "inbox", id })} draw=${(row: MessageSummary) => html`<${Row} row=${row} />`}
          blank=${html`<${Blank} />`} onEnd=${loadOlder} /></section>
      <article class="pane" aria-label="Message">${
        message.value === null
          ? html`<div class="blank"><${Icon} name="mail" /><p>Choose a message, or press <kbd>j</kbd>.</p></div>`
          : html`<${MessageDetail} message=${message.value} />`
      }</article></main>`;
}
