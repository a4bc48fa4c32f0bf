/** “Why not here?” below the decision: pick or type a destination, and see what keeps the message from going there. */
import type { VNode } from "preact";
import type { RuleEdit } from "../../../rehearse/why/edit-rule.ts";
import type { Line } from "../../../rehearse/words/line.ts";
import { destinationsOf } from "../../model/words.ts";
import { applyRuleEdit, draft, rules } from "../../state.ts";
import { askWhy, isWhyOpen, whyAnswer, whyTarget } from "../../why-not.ts";
import { html } from "../html.ts";
import { Icon } from "../icon.ts";

function Lines({ lines }: { lines: readonly Line[] }): VNode {
  return html`<pre class="said">${lines.map(
    (line) =>
      html`${line.map((piece) =>
        typeof piece === "string" ? piece : html`<b>${piece.text}</b>`,
      )}${"\n"}`,
  )}</pre>`;
}

const PLACES = ["", "first ", "second ", "third "];

function EditButtons({ edits }: { edits: readonly RuleEdit[] }): VNode | null {
  if (edits.length === 0) return null;
  return html`<div class="row wrap">${edits.map((edit, index) => {
    const place = edits.length === 1 ? "" : (PLACES[index + 1] ?? "");
    return html`<button class="btn" onClick=${() => applyRuleEdit(edit)}>Make the ${place}change of the rules</button>`;
  })}</div>`;
}

/** What a person can ask for: the destinations of the rules, and the rules themselves. */
function choices(): readonly string[] {
  const places = rules.value
    .flatMap(destinationsOf)
    .map(({ kind, text }) => (kind === "webhook" ? `https://${text}` : text));
  const fallback = draft.value.rules_fallback_email ?? [];
  const known = [...places, fallback]
    .flat()
    .filter((place) => place !== "discard" && !/\$[1-9]/.test(place));
  // A destination such as `$1@example.com` is left out: nobody asks for it in that form.
  return [...new Set([...known, ...rules.value.map(({ id }) => id)])];
}

/** Opens the question for a rule, or the last question, and moves the cursor to its field. */
export function openWhy(target: string = whyTarget.value): void {
  askWhy(target);
  requestAnimationFrame(() => document.getElementById("why-target")?.focus());
}

export function WhyNot(): VNode | null {
  if (!isWhyOpen.value) return null;
  const answer = whyAnswer.value;
  return html`<section class="why-not" aria-label="Why not here?">
    <div class="row"><label class="field grow" for="why-target"><span class="label">Why does it not go to</span>
      <input class="input mono" id="why-target" list="why-choices" placeholder="an address, a webhook, or a rule" autocomplete="off" spellcheck="false"
        value=${whyTarget.value} onInput=${(event: Event) => {
          whyTarget.value = (event.currentTarget as HTMLInputElement).value;
        }} /></label>
      <datalist id="why-choices">${choices().map((each) => html`<option value=${each} />`)}</datalist>
      <button class="btn btn-quiet btn-icon" aria-label="Close “Why not here?”" onClick=${() => {
        isWhyOpen.value = false;
      }}><${Icon} name="close" small="small" /></button></div>
    <div role="status">${
      answer === null
        ? null
        : html`<${Lines} lines=${[answer.title]} />${answer.candidates.map(
            ({ lines, edits }) =>
              html`<${Lines} lines=${lines} /><${EditButtons} edits=${edits} />`,
          )}`
    }</div></section>`;
}
