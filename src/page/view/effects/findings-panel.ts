/** All findings and proofs about the rules in one list, each with a link to a message that shows it. */
import type { VNode } from "preact";
import { readMessage } from "../../model/mail.ts";
import { ruleName } from "../../model/words.ts";
import { findings } from "../../proofs.ts";
import { addMails, draft, goToRule, pane } from "../../state.ts";
import type { PageFinding, WitnessMail } from "../../worker/proof-worker.ts";
import { html } from "../html.ts";
import { Icon, type IconName } from "../icon.ts";

/** Opens a message that shows what was found. */
export function showWitness({ recipient, text }: WitnessMail, name: string): void {
  const bytes = new TextEncoder().encode(text);
  const [mail] = readMessage(bytes, `a message for ${ruleName(name)}`, draft.value.domain);
  addMails([{ ...mail!, recipient }]);
  pane.value = 2;
}

const SIGNS: Readonly<
  Record<PageFinding["standing"], { icon: IconName; words: string; verdict: string }>
> = {
  warning: { icon: "failed", words: "warning", verdict: "failed" },
  unknown: { icon: "unreached", words: "not known", verdict: "unreached" },
  reached: { icon: "matched", words: "reached", verdict: "matched" },
};

/** Most findings drawn. */
const SHOWN_MAX = 200;

/** Texts in backticks as code. */
function said(text: string): readonly (string | VNode)[] {
  return text
    .split("`")
    .map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`));
}

function Row({ finding }: { finding: PageFinding }): VNode {
  const { of, name, standing, says, witness } = finding;
  const { icon, words, verdict } = SIGNS[standing];
  const title =
    of.kind === "rule"
      ? html`<button class="btn-link strong" onClick=${() => goToRule(of.id)}>${ruleName(name)}</button>`
      : html`<b>${name}</b>`;
  return html`<li><span class=${`v-${verdict}`}><${Icon} name=${icon} /><span class="sr">${words}: </span></span>
    <div>${title}<p class="soft">${said(says)}</p></div>
    ${witness === null ? html`<span></span>` : html`<button class="btn-link" onClick=${() => showWitness(witness, name)}>Show one<span class="sr"> message for ${name}</span></button>`}</li>`;
}

export function FindingsPanel(): VNode {
  const all = findings.value;
  if (all === null) return html`<p class="blank" role="status">Proving what reaches each rule</p>`;
  if (all.length === 0) {
    return html`<div class="blank"><${Icon} name="shield" /><h3>Nothing to prove</h3><p>Add a rule: you then see whether any message reaches it.</p></div>`;
  }
  const warnings = all.filter(({ standing }) => standing === "warning").length;
  const title =
    warnings === 0 ? "No warnings" : `${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
  const more = all.length - SHOWN_MAX;
  return html`<div><div class="part"><strong>${title}</strong><p class="soft xs">Proved for every possible message, not only for the open mail.</p></div>
    <ol class="cases">${all.slice(0, SHOWN_MAX).map((finding, index) => html`<${Row} key=${index} finding=${finding} />`)}</ol>
    ${more > 0 ? html`<p class="pad faint xs">The first ${SHOWN_MAX} of ${all.length} are listed.</p>` : null}</div>`;
}
