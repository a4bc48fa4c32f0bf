/** What the edits do beyond the current message: to a mailbox, to the rule tests, and proofs about the rules. */
import { computed, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { changes } from "../../comparison.ts";
import { findings } from "../../proofs.ts";
import { testRuns } from "../../state.ts";
import { html } from "../html.ts";
import { ChangePanel } from "./change-panel.ts";
import { FindingsPanel } from "./findings-panel.ts";
import { TestPanel } from "./test-panel.ts";

const PANELS = { changes: ChangePanel, tests: TestPanel, findings: FindingsPanel } as const;
type Tab = keyof typeof PANELS;
const TABS: readonly Tab[] = ["changes", "tests", "findings"];

/** As texts they stay the same while nothing changes, so a keystroke does not redraw the pane. */
const passingWords = computed(() => {
  const runs = testRuns.value;
  const passing = runs.filter(({ failure }) => failure === null).length;
  return runs.length === 0 ? "" : `${passing} of ${runs.length}`;
});
const changedWords = computed(() => String(changes.value?.changedCount ?? ""));

export function EffectsPane(): VNode {
  const tab = useSignal<Tab>("changes");
  const select = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    tab.value = TABS[(TABS.indexOf(tab.value) + by + TABS.length) % TABS.length]!;
    document.getElementById(`tab-${tab.value}`)?.focus();
  };
  const tabButton = (
    name: Tab,
    words: string,
    count: string,
  ): VNode => html`<button role="tab" id=${`tab-${name}`}
    aria-controls="effects-panel" aria-selected=${tab.value === name} tabindex=${tab.value === name ? 0 : -1} onKeyDown=${select}
    onClick=${() => {
      tab.value = name;
    }}>${words} <span class="count">${count}</span></button>`;
  const warnings = findings.value?.filter(({ standing }) => standing === "warning").length ?? 0;
  const Panel = PANELS[tab.value];
  return html`<section class="pane" aria-labelledby="h-effects" id="effects"><h2 class="sr" id="h-effects">Effects of your edits</h2>
    <div class="tabs" role="tablist" aria-label="Effects of your edits">
      ${tabButton("changes", "What would change", changedWords.value)}
      ${tabButton("tests", "Tests", passingWords.value)}
      ${tabButton("findings", "Findings", warnings === 0 ? "" : String(warnings))}</div>
    <div class="scroll" id="effects-panel" role="tabpanel" aria-labelledby=${`tab-${tab.value}`} tabindex="0"><${Panel} /></div></section>`;
}
