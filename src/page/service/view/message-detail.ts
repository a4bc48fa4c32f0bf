/** One message of the inbox: preview, text, headers, source and attachments. */
import type { VNode } from "preact";
import type { InboxMessage } from "../../../simulator/control/inbox/message-view.ts";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import { deleteMessage, markRead, messageTab, pictures, showSource, source } from "../inbox.ts";
import { openInRules } from "../logs.ts";
import { previewOf } from "../mail-preview.ts";
import { octets, timeOf } from "../model/times.ts";
import { go } from "../navigation.ts";

/** The frame may do nothing, and its document loads nothing; what it would have loaded is said above it. */
function Preview({ message }: { message: InboxMessage }): VNode {
  if (message.html === "") return html`<p class="blank">The message has no HTML.</p>`;
  const { document, pictures: blocked, pixels } = previewOf(message.html, pictures.value);
  const counted = blocked === 1 ? "1 remote picture was" : `${blocked} remote pictures were`;
  const said = pixels === 0 ? "" : ` (${pixels} of them too small to see)`;
  return html`<div class="notice"><${Icon} name="shield" /><span>${blocked === 0 ? "" : `${counted} not loaded${said}. `}Nothing in this frame can run or reach the network.</span></div>
    <iframe class="mail-frame" title="HTML preview of the message" sandbox="" referrerpolicy="no-referrer" srcdoc=${document}></iframe>`;
}

function Headers({ message }: { message: InboxMessage }): VNode {
  return html`<dl class="facts">${message.headers.map(
    ({ name, value }) => html`<dt class="mono">${name}</dt><dd class="mono">${value}</dd>`,
  )}</dl>`;
}

function Source({ message }: { message: InboxMessage }): VNode {
  if (source.value === null) {
    void showSource(message.id);
    return html`<p class="blank" role="status">Loading the source</p>`;
  }
  return html`<pre class="plain mono">${source.value}</pre>`;
}

function Attachments({ message }: { message: InboxMessage }): VNode {
  const files = filesOf(message);
  if (files.length === 0) return html`<p class="blank">No attachments</p>`;
  return html`<ul class="cases">${files.map(
    ({
      part,
      filename,
      contentType,
      bytes,
    }) => html`<li><${Icon} name="clip" /><div><b>${filename || "no name"}</b><p class="soft">${contentType}, ${octets(bytes)}</p></div>
      <a class="btn" download href=${`/_sim/messages/${message.id}/parts/${part}`}><${Icon} name="save" />Download<span class="sr"> ${filename}</span></a></li>`,
  )}</ul>`;
}

/** Parts beside the texts. */
function filesOf({ parts }: InboxMessage): InboxMessage["parts"] {
  return parts.filter(
    ({ disposition, filename, contentType }) =>
      disposition === "attachment" || filename !== "" || !contentType.startsWith("text/"),
  );
}

const TABS = ["preview", "text", "headers", "source", "attachments"] as const;
type Tab = (typeof TABS)[number];

const PANELS: Readonly<Record<Tab, (props: { message: InboxMessage }) => VNode>> = {
  preview: Preview,
  text: ({ message }) =>
    html`<pre class="plain">${message.plain || "The message has no text."}</pre>`,
  headers: Headers,
  source: Source,
  attachments: Attachments,
};

function countOf(tab: Tab, message: InboxMessage): string {
  if (tab === "headers") return String(message.headers.length);
  return tab === "attachments" ? String(filesOf(message).length) : "";
}

function Tabs({ message }: { message: InboxMessage }): VNode {
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    const at = TABS.indexOf(messageTab.value);
    messageTab.value = TABS[(at + by + TABS.length) % TABS.length]!;
    document.getElementById(`tab-${messageTab.value}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Message as">${TABS.map(
    (
      tab,
    ) => html`<button role="tab" id=${`tab-${tab}`} aria-controls="message-panel" aria-selected=${messageTab.value === tab}
      tabindex=${messageTab.value === tab ? 0 : -1} onKeyDown=${onKey} onClick=${() => {
        messageTab.value = tab;
      }}>${tab[0]!.toUpperCase()}${tab.slice(1)} <span class="count">${countOf(tab, message)}</span></button>`,
  )}</div>`;
}

export function MessageDetail({ message }: { message: InboxMessage }): VNode {
  const { id, subject, from, to, destination, receivedMs, envelopeSender, logId, kind } = message;
  const Panel = PANELS[messageTab.value];
  return html`<div class="pane-head"><button class="btn btn-quiet only-phone" onClick=${() => go("inbox")}><${Icon} name="left" />Messages</button><span class="grow"></span>
      ${kind === "event" ? null : html`<a class="btn btn-quiet" href=${`#logs/${logId}`}><${Icon} name="logs" />Log</a>`}
      ${kind === "mailbox" ? html`<button class="btn btn-quiet" onClick=${() => void openInRules(message)}><${Icon} name="rules" />Open in Rules <kbd class="hide-phone">r</kbd></button>` : null}
      <button class="btn btn-quiet hide-phone" onClick=${() => void markRead(id, false)}>Mark unread</button>
      <a class="btn btn-quiet btn-icon" aria-label="Download the message" download href=${`/_sim/messages/${id}/eml`}><${Icon} name="save" /></a>
      <button class="btn btn-quiet btn-icon btn-risk" aria-label="Delete the message" onClick=${() => void deleteMessage(id)}><${Icon} name="bin" /></button></div>
    <div class="mail-head"><h2>${subject || "no subject"}</h2><dl class="facts">
      <dt>From</dt><dd>${from || "no address"}</dd><dt>To</dt><dd>${to || "no address"}</dd>
      <dt>Received by</dt><dd><code>${destination}</code> <span class="faint">${timeOf(receivedMs)} UTC</span></dd>
      <dt>Sent as</dt><dd><code>${envelopeSender || "<>"}</code></dd></dl></div>
    <${Tabs} message=${message} />
    <div class="scroll pad" id="message-panel" role="tabpanel" aria-labelledby=${`tab-${messageTab.value}`} tabindex="0"><${Panel} key=${`${id}-${messageTab.value}`} message=${message} /></div>`;
}
