/** The page: a bar, and three panes: the rules, the message with its decision, and what the edits do. */
import type { VNode } from "preact";
import { destinationText } from "../../rehearse/outcome.ts";
import { announcement, decided, draft, notice, pane } from "../state.ts";
import { EffectsPane } from "./effects-pane.ts";
import { html } from "./html.ts";
import { Icon } from "./icon.ts";
import { KeyMap } from "./keyboard.ts";
import { MessagePane } from "./message-pane.ts";
import { openFiles } from "./open-mail.ts";
import { RuleList } from "./rule-list.ts";
import { switchTheme } from "./theme.ts";
import { Tools } from "./tools.ts";

function Top(): VNode {
  return html`<header class="top"><span class="brand"><${Icon} name="logo" /><span>mailflow</span></span>
    <span class="strong">${draft.value.domain}</span><span class="grow"></span>
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

/** On a phone the answer never scrolls away. */
function DecisionStrip(): VNode | null {
  const decision = decided.value?.decision;
  if (decision === undefined || pane.value === 2) return null;
  const where = decision.destinations.map(destinationText).join(", ") || `${decision.action}ed`;
  return html`<button class="decide-strip" onClick=${() => {
    pane.value = 2;
  }}><code class="strong cut">${where}</code><span class="xs soft">this message, by ${decision.decidedBy?.id ?? "no rule"}</span></button>`;
}

export function App(): VNode {
  const onDrop = (event: DragEvent): void => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void openFiles(files);
  };
  const good = notice.value?.kind === "good" ? notice.value.text : "";
  return html`<div class="app" onDragOver=${(event: DragEvent) => event.preventDefault()} onDrop=${onDrop}>
    <a class="skip" href="#main">Skip to rules</a><${Top} /><${Tools} /><${PaneSwitch} />
    <main id="main" class="panes" data-pane=${pane.value}><${RuleList} /><${MessagePane} /><${EffectsPane} /></main>
    <${DecisionStrip} /><${KeyMap} />
    <div class="sr" role="status">${announcement.value} ${good}</div></div>`;
}
