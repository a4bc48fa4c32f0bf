/** Parts that the service's views share: the box around a view, the icons for a delivery's state, and errors. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { html } from "../../view/html.ts";
import { Icon, type IconName } from "../../view/icon.ts";
import { failure } from "../client.ts";
import type { Standing } from "../model/log-story.ts";

const STANDINGS: Readonly<Record<Standing, { icon: IconName; words: string; verdict: string }>> = {
  delivered: { icon: "matched", words: "delivered", verdict: "delivered" },
  retry: { icon: "retry", words: "will retry", verdict: "failed" },
  bounced: { icon: "bad", words: "bounced", verdict: "rejected" },
  refused: { icon: "bad", words: "refused", verdict: "rejected" },
  discarded: { icon: "bin", words: "discarded", verdict: "discarded" },
  queued: { icon: "clock", words: "under way", verdict: "missed" },
};

export function StandingPill({ standing }: { standing: Standing }): VNode {
  const { icon, words, verdict } = STANDINGS[standing];
  return html`<span class=${`pill v-${verdict}`}><${Icon} name=${icon} />${words}</span>`;
}

export function Failure(): VNode | null {
  if (failure.value === null) return null;
  return html`<div class="notice notice-bad" role="alert"><${Icon} name="bad" /><span class="grow">${failure.value}</span>
    <button class="btn btn-quiet btn-icon" aria-label="Close the message" onClick=${() => {
      failure.value = null;
    }}><${Icon} name="close" small="small" /></button></div>`;
}

export function CopyButton({ text, what }: { text: string; what: string }): VNode {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
  };
  return html`<button class="btn btn-quiet btn-icon" aria-label=${isCopied.value ? `${what}, copied` : `Copy ${what}`} onClick=${copy}>
    <${Icon} name=${isCopied.value ? "check" : "copy"} /></button>`;
}

export function Card({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: VNode | null;
  children?: ComponentChildren;
}): VNode {
  return html`<section class="card" aria-label=${title}><div class="pane-head"><h2 class="grow">${title}</h2>${actions}</div>${children}</section>`;
}

/** A question before an action that cannot be undone. */
export function Confirm({
  id,
  words,
  verb,
  act,
}: {
  id: string;
  words: string;
  verb: string;
  act: () => void;
}): VNode {
  const yes = (): void => {
    document.getElementById(id)?.hidePopover();
    act();
  };
  return html`<div class="pop" id=${id} popover role="dialog" aria-labelledby=${`${id}-h`}><h2 id=${`${id}-h`}>${words}</h2>
    <div class="row"><button class="btn" popovertarget=${id} popovertargetaction="hide">Keep it</button><span class="grow"></span>
    <button class="btn btn-risk" onClick=${yes}>${verb}</button></div></div>`;
}

export function Bar({
  title,
  says,
  children,
}: {
  title: string;
  says: string;
  children?: ComponentChildren;
}): VNode {
  return html`<section class="tools" aria-label=${`${title}: actions`}><h1>${title}</h1><span class="soft hide-phone grow cut">${says}</span>${children}</section>`;
}

/** Milliseconds after the last key until a search begins. */
const SEARCH_MS = 150;

/** Listens to a search field: `search` gets its text when the typing ends. */
export function searchWhenTyped(search: (text: string) => void): (event: Event) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (event) => {
    const text = (event.currentTarget as HTMLInputElement).value.trim();
    clearTimeout(timer);
    timer = setTimeout(() => search(text), SEARCH_MS);
  };
}
