/** The answer: what happens to the message, where it goes, and which rule decided. */
import type { VNode } from "preact";
import type { Decision } from "../../../engine/routing/resolution.ts";
import { destinationText } from "../../../rehearse/outcome.ts";
import { ruleName } from "../../model/words.ts";
import { compiled, decided, isDeciding, isHeld, keeper, makeTest, shownMs } from "../../state.ts";
import { isWhyOpen } from "../../why-not.ts";
import { html } from "../html.ts";
import { Icon, type IconName } from "../icon.ts";
import { openWhy } from "./why-not.ts";

const ACTIONS = {
  forward: { icon: "matched", words: "Forwarded", verdict: "matched" },
  discard: { icon: "bin", words: "Discarded", verdict: "discarded" },
  reject: { icon: "bad", words: "Rejected", verdict: "rejected" },
} as const satisfies Record<string, { icon: IconName; words: string; verdict: string }>;

const REASONS: Readonly<Record<string, string>> = {
  fallback: "no rule matched: the fallback address",
  "no-match": "no rule matched, and there is no fallback",
  "routing-disabled": "the domain does not route",
  "over-budget": "the rules take more work than one message may",
};

/** A destination with the captured texts marked in it, as they are marked in the message. */
function Destination({ text, captures }: { text: string; captures: readonly string[] }): VNode {
  const capture = captures.find((each) => each !== "" && text.includes(each));
  if (capture === undefined) return html`<code>${text}</code>`;
  const at = text.indexOf(capture);
  return html`<code>${text.slice(0, at)}<mark class="group">${capture}</mark>${text.slice(at + capture.length)}</code>`;
}

function By({ decision }: { decision: Decision }): VNode {
  const { decidedBy } = decision;
  if (decidedBy === null) return html`<span>${REASONS[decision.reason] ?? decision.reason}</span>`;
  if (decidedBy.kind === "alias")
    return html`<span>by alias <strong>${decidedBy.alias}</strong></span>`;
  return html`<span>by <a href=${`#rule-${decidedBy.id}`}>${ruleName(decidedBy.id)}</a>, rank ${decidedBy.rank}</span>`;
}

/** A decision that is older than what is typed says so. */
function Took(): VNode {
  const words = isDeciding.value ? "deciding anew" : `${shownMs.value.toFixed(1)} ms`;
  return html`<span class="faint">· ${words}</span>`;
}

export function DecisionBox(): VNode {
  const now = decided.value;
  if (now === null) {
    const problems = compiled.value.general.map(({ message }) => html`<li>${message}</li>`);
    return html`<section class="decision" aria-label="Decision"><div class="notice notice-bad" role="alert">
      <${Icon} name="bad" /><div><strong>The domain has an error, so nothing is decided</strong><ul>${problems}</ul></div></div></section>`;
  }
  const { decision, captures } = now;
  const { icon, words, verdict } = ACTIONS[decision.action];
  return html`<section class=${`decision d-${verdict}`} aria-label="Decision" id="decision">
    <div class="where"><span class=${`pill v-${verdict}`}><${Icon} name=${icon} />${words}</span>
      ${decision.destinations.map(
        (
          each,
        ) => html`<span class="row"><${Icon} name=${each.kind === "webhook" ? "hook" : "arrow"} />
          <${Destination} text=${destinationText(each)} captures=${captures} /></span>`,
      )}
      ${decision.reply === undefined ? null : html`<code>${decision.reply.code} ${decision.reply.enhanced} ${decision.reply.text}</code>`}</div>
    <div class="row wrap"><span class="soft by"><${By} decision=${decision} /> <${Took} /></span>
      <div class="row wrap"><button class="btn" aria-expanded=${isWhyOpen.value} onClick=${() => openWhy()}><${Icon} name="nearest" />Why not elsewhere? <kbd class="hide-phone">w</kbd></button>
      ${
        isHeld.value
          ? html`<span class="row soft"><${Icon} name="check" />A test in ${keeper.value.testsPlace}</span>`
          : html`<button class="btn" onClick=${() => void makeTest()}><${Icon} name="test" />Make this a test <kbd class="hide-phone">t</kbd></button>`
      }</div></div>
  </section>`;
}
