/** One message of the inbox: preview, text, headers, source and attachments. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { InboxMessage } from "../../../simulator/control/inbox/message-view.ts";
import type { Released } from "../../../simulator/control/inbox/release.ts";
import { html } from "../../view/html.ts";
import { Icon } from "../../view/icon.ts";
import {
  deleteMessage,
  markRead,
  messageTab,
  pictures,
  releaseMessage,
  setTags,
  showSource,
  source,
} from "../inbox.ts";
import { openInRules } from "../logs.ts";
import { previewOf } from "../mail-preview.ts";
import { octets, timeOf } from "../model/times.ts";
import { go } from "../navigation.ts";

/** The frame has no permissions and its document loads nothing; a line above it says what was not loaded. */
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

/** The message's tags; Enter adds the typed one. */
function Tags({ message }: { message: InboxMessage }): VNode {
  const { id, tags } = message;
  const add = (event: Event): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const tag = String(new FormData(form).get("tag")).trim();
    form.reset();
    if (tag !== "" && !tags.includes(tag)) void setTags(id, [...tags, tag]);
  };
  return html`<form class="row wrap" onSubmit=${add}>${tags.map(
    (tag) =>
      html`<span class="chip" key=${tag}>${tag}<button type="button" aria-label=${`Remove the tag ${tag}`} onClick=${() =>
        void setTags(
          id,
          tags.filter((each) => each !== tag),
        )}><${Icon} name="close" small="small" /></button></span>`,
  )}<input class="input narrow" name="tag" aria-label="Add a tag" placeholder="Add a tag" autocomplete="off" maxlength="100" /></form>`;
}

/** Sends the message on to a real server, and shows its answers. */
function ReleasePopover({ message }: { message: InboxMessage }): VNode {
  const answers = useSignal<readonly Released[]>([]);
  const send = (event: Event): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const value = (name: string): string => String(form.get(name) ?? "").trim();
    const to = value("to")
      .split(/[\s,]+/)
      .filter((each) => each !== "");
    const port = value("port");
    const server = value("host") === "" ? {} : { host: value("host") };
    const at = port === "" ? {} : { port: Number(port) };
    void releaseMessage(message.id, { to, ...server, ...at }).then((released) => {
      if (released === null) document.getElementById("release")?.hidePopover();
      else answers.value = released;
    });
  };
  return html`<div class="pop pop-right" id="release" popover role="dialog" aria-labelledby="release-h"><form class="form" onSubmit=${send}>
    <h3 id="release-h">Release this message</h3>
    <p class="soft">It leaves the simulator: a real server gets it as it is here. It stays in the inbox.</p>
    <label class="field"><span class="label">To</span><input class="input mono" name="to" defaultValue=${message.destination} required /></label>
    <div class="row"><label class="field grow"><span class="label">Server, else the relay or the mail exchanger</span><input class="input mono" name="host" placeholder="mail.example.com" /></label>
      <label class="field"><span class="label">Port</span><input class="input narrow" name="port" type="number" min="1" max="65535" placeholder="25" /></label></div>
    <div role="status">${answers.value.map(
      ({ recipient, code, message: said }) =>
        html`<p class=${code < 400 ? "v-matched" : "v-rejected"}><code>${recipient}</code>: ${code} ${said}</p>`,
    )}</div>
    <div class="row"><button type="button" class="btn" popovertarget="release" popovertargetaction="hide">Close</button><span class="grow"></span>
      <button class="btn btn-primary"><${Icon} name="share" />Release</button></div></form></div>`;
}

export function MessageDetail({ message }: { message: InboxMessage }): VNode {
  const { id, subject, from, to, destination, receivedMs, envelopeSender, logId, kind } = message;
  const Panel = PANELS[messageTab.value];
  return html`<div class="pane-head wrap"><button class="btn btn-quiet btn-icon only-phone" aria-label="Messages" onClick=${() => go("inbox")}><${Icon} name="left" /></button><span class="grow"></span>
      ${kind === "event" ? null : html`<a class="btn btn-quiet" href=${`#logs/${logId}`}><${Icon} name="logs" />Log</a>`}
      ${kind === "mailbox" ? html`<button class="btn btn-quiet" onClick=${() => void openInRules(message)}><${Icon} name="rules" /><span><span class="hide-phone">Open in </span>Rules</span> <kbd class="hide-phone">r</kbd></button>` : null}
      <button class="btn btn-quiet hide-phone" onClick=${() => void markRead(id, false)}>Mark unread</button>
      ${kind === "mailbox" ? html`<button class="btn btn-quiet" popovertarget="release">Release…</button>` : null}
      <a class="btn btn-quiet btn-icon" aria-label="Download the message" download href=${`/_sim/messages/${id}/eml`}><${Icon} name="save" /></a>
      <button class="btn btn-quiet btn-icon btn-risk" aria-label="Delete the message" onClick=${() => void deleteMessage(id)}><${Icon} name="bin" /></button></div>
    <div class="mail-head"><h2>${subject || "no subject"}</h2><dl class="facts">
      <dt>From</dt><dd>${from || "no address"}</dd><dt>To</dt><dd>${to || "no address"}</dd>
      <dt>Received by</dt><dd><code>${destination}</code> <span class="faint">${timeOf(receivedMs)} UTC</span></dd>
      <dt>Sent as</dt><dd><code>${envelopeSender || "<>"}</code></dd></dl><${Tags} key=${id} message=${message} /></div>
    ${kind === "mailbox" ? html`<${ReleasePopover} key=${`release ${id}`} message=${message} />` : null}
    <${Tabs} message=${message} />
    <div class="scroll pad" id="message-panel" role="tabpanel" aria-labelledby=${`tab-${messageTab.value}`} tabindex="0"><${Panel} key=${`${id}-${messageTab.value}`} message=${message} /></div>`;
}
