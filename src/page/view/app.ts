/** The page: a bar, and the view that is chosen; the playground has three panes: rules, the message with its decision, effects. */
import type { VNode } from "preact";
import { destinationText } from "../../rehearse/outcome.ts";
import { opened } from "../service/client.ts";
import type { ViewName } from "../service/model/place.ts";
import { place } from "../service/navigation.ts";
import { ControlView } from "../service/view/control-view.ts";
import { DomainView } from "../service/view/domain-view.ts";
import { InboxView } from "../service/view/inbox-view.ts";
import { LogsView } from "../service/view/logs-view.ts";
import { asksForKey, DomainChoice, SignIn, Views } from "../service/view/navigation-bar.ts";
import { SendingView } from "../service/view/sending-view.ts";
import { announcement, decided, draft, notice, pane } from "../state.ts";
import { EffectsPane } from "./effects/effects-pane.ts";
import { html } from "./html.ts";
import { Icon } from "./icon.ts";
import { isTyping, KeyMap } from "./keyboard.ts";
import { MessagePane } from "./message/message-pane.ts";
import { openFiles, pastedFiles } from "./open-mail.ts";
import { RuleList } from "./rule-list.ts";
import { switchTheme } from "./theme.ts";
import { Tools } from "./tools.ts";

function Top(): VNode {
  const isService = opened.value !== "none";
  return html`<header class="top"><span class="brand"><${Icon} name="logo" /><span class="hide-phone">mailflow</span></span>
    ${isService ? html`<${DomainChoice} /><${Views} />` : html`<span class="strong">${draft.value.domain}</span>`}<span class="grow"></span>
    <button class="btn btn-quiet" popovertarget="keys" aria-label="Keys: ? shows the keyboard map"><${Icon} name="keys" /><kbd class="hide-phone">?</kbd></button>
    <button class="btn btn-quiet btn-icon" aria-label="Change between light and dark" onClick=${switchTheme}><${Icon} name="dark" /></button></header>`;
}

function PaneSwitch(): VNode {
  const button = (index: 1 | 2 | 3, words: string): VNode =>
    html`<button aria-pressed=${pane.value === index} onClick=${() => {
      pane.value = index;
    }}>${words}</button>`;
  return html`<nav class="phone seg" aria-label="Panes">${button(1, "Rules")}${button(2, "Message")}${button(3, "Changes")}</nav>`;
}

/** Keeps the answer in view on a phone. */
function DecisionStrip(): VNode | null {
  const decision = decided.value?.decision;
  if (decision === undefined || pane.value === 2) return null;
  const where = decision.destinations.map(destinationText).join(", ") || `${decision.action}ed`;
  return html`<button class="decide-strip" onClick=${() => {
    pane.value = 2;
  }}><code class="strong cut">${where}</code><span class="xs soft">this message, by ${decision.decidedBy?.id ?? "no rule"}</span></button>`;
}

/** What went wrong, above the panes: on a phone only one of them is seen. */
function Problem(): VNode | null {
  if (notice.value?.kind !== "bad") return null;
  return html`<div class="notice notice-bad" role="alert"><${Icon} name="bad" /><span class="grow">${notice.value.text}</span>
    <button class="btn btn-quiet btn-icon" aria-label="Close the message" onClick=${() => {
      notice.value = null;
    }}><${Icon} name="close" small="small" /></button></div>`;
}

function Playground(): VNode {
  return html`<${Tools} /><${Problem} /><${PaneSwitch} /><main id="main" class="panes" data-pane=${pane.value}><${RuleList} /><${MessagePane} /><${EffectsPane} /></main><${DecisionStrip} />`;
}

const VIEWS: Readonly<Record<ViewName, () => VNode>> = {
  rules: Playground,
  inbox: InboxView,
  logs: LogsView,
  domain: DomainView,
  sending: SendingView,
  control: ControlView,
};

/** A component of its own, so that an announcement for a screen reader redraws nothing else. */
function Status(): VNode {
  const good = notice.value?.kind === "good" ? notice.value.text : "";
  return html`<div class="sr" role="status">${announcement.value} ${good}</div>`;
}

export function App(): VNode {
  const onDrop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void openFiles(files);
  };
  const onPaste = (event: ClipboardEvent): void => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0 || isTyping(event)) return;
    event.preventDefault();
    void openFiles(files);
  };
  const isService = opened.value !== "none";
  const { view } = place.value;
  const View = isService && asksForKey(view) ? SignIn : VIEWS[view];
  return html`<div class="app" data-view=${view} onDragOver=${(event: DragEvent) => event.preventDefault()} onDrop=${onDrop} onPaste=${onPaste}>
    <a class="skip" href="#main">Skip to the content</a><${Top} /><${View} key=${view} /><${KeyMap} />
    <${Status} /></div>`;
}
