/** The rules in the order in which they are tried: one card each, and a last row for mail that no rule matches. */
import { computed } from "@preact/signals";
import type { VNode } from "preact";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { RuleDraft } from "../model/domain.ts";
import { cardWords, type DestinationWords, destinationsOf, ruleName } from "../model/words.ts";
import { proofs } from "../proofs.ts";
import {
  cardKey,
  chosenRule,
  compiled,
  draft,
  edits,
  isFileShown,
  moveBy,
  moveTo,
  newRule,
  openRule,
  rules,
  switchRule,
  traced,
} from "../state.ts";
import { DomainJson } from "./domain-json.ts";
import { html } from "./html.ts";
import { Icon, VerdictIcon, type VerdictName } from "./icon.ts";
import { RuleEditor } from "./rule-editor.ts";
import { drawnOnChange, steady, work } from "./work.ts";

function Destinations({ all }: { all: readonly DestinationWords[] }): VNode | null {
  const [first, ...rest] = all;
  if (first === undefined) return html`<span class="to v-rejected">nowhere yet</span>`;
  if (first.kind === "discard") {
    return html`<span class="to v-discarded"><${Icon} name="bin" small="small" />discard</span>`;
  }
  const more = rest.length === 0 ? null : html`<span class="faint">+${rest.length}</span>`;
  const icon = first.kind === "webhook" ? "hook" : "arrow";
  return html`<span class="to"><${Icon} name=${icon} small="small" /><code class="cut">${first.text}</code>${more}</span>`;
}

function Rank({ rule, edited }: { rule: RuleDraft; edited: string }): VNode {
  const old = /rank (\S+) → /.exec(edited)?.[1];
  if (old === undefined) return html`<span class="rank">${rule.rank}</span>`;
  return html`<span class="rank"><s>${old}</s><span class="rank-new">${rule.rank}</span></span>`;
}

/** The type of a dragged rule's id; a drop moves the rule just as the keyboard does. */
const DRAG_TYPE = "application/x-mailflow-rule";

/** A card reads only its props and no signals, so that a keystroke draws only the cards that changed. */
interface CardProps {
  readonly rule: RuleDraft;
  readonly place: number;
  readonly verdict: VerdictName;
  readonly problems: readonly Diagnostic[];
  /** Whether its last correct version decides. */
  readonly isStale: boolean;
  /** What was edited; `""`: nothing. */
  readonly edited: string;
  /** Whether it is proved that no message reaches it. */
  readonly isCovered: boolean;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
}

const NO_PROBLEMS: readonly Diagnostic[] = [];

function drawCard(props: CardProps): VNode {
  const { rule, place, verdict, problems, isStale, edited, isCovered, isOpen, isChosen } = props;
  const { id } = rule;
  work.cards++;
  const words = cardWords(rule);
  const classes = ["rule", rule.active ? "" : "is-off", `is-${verdict}`].join(" ");
  const onGripKey = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation();
    moveBy(id, event.key === "ArrowUp" ? -1 : 1);
  };
  const onDrop = (event: DragEvent): void => {
    const dropped = event.dataTransfer?.getData(DRAG_TYPE);
    if (dropped === undefined || dropped === "") return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(dropped, place);
  };
  const staleText =
    problems.length === 0
      ? null
      : `${problems.length === 1 ? "1 error" : `${problems.length} errors`}. ${
          isStale ? "Its last correct version decides." : "It is left out."
        }`;
  return html`<li id=${`rule-${id}`} class=${[isOpen ? "open" : "", isChosen ? "chosen" : ""].join(" ")}
      onDragOver=${(event: DragEvent) => event.preventDefault()} onDrop=${onDrop}>
    <div class=${classes}>
      <button class="grip" draggable="true" aria-label=${`Move ${ruleName(id)}, rank ${rule.rank}`} title="Drag, or Alt ↑ ↓"
        onKeyDown=${onGripKey}
        onDragStart=${(event: DragEvent) => event.dataTransfer?.setData(DRAG_TYPE, id)}><${Icon} name="grip" /></button>
      <${Rank} rule=${rule} edited=${edited} />
      <button class="rule-open" aria-expanded=${isOpen} aria-controls=${isOpen ? `edit-${id}` : undefined}
        onClick=${() => {
          openRule.value = isOpen ? null : id;
          chosenRule.value = id;
        }}>
        <span class="rule-name"><span class=${edited === "" ? "" : "edited"}>${ruleName(id)}</span>${edited === "" ? null : html`<span class="sr">edited</span>`}
          <${Destinations} all=${destinationsOf(rule)} /></span>
        <span class="rule-words">${isCovered ? html`<span class="tag v-failed">never reached</span>` : null}<span class="tag">${words.kind}</span>${
          staleText === null
            ? html`<span class="cut">${words.lead} <code>${words.code}</code></span>`
            : html`<span class="v-rejected">${staleText}</span>`
        }</span>
      </button>
      <${VerdictIcon} verdict=${rule.active ? verdict : "inactive"} />
      <label class="switch"><input type="checkbox" role="switch" aria-label=${`Rule ${ruleName(id)}`} checked=${rule.active}
        onChange=${() => switchRule(id)} /><i></i></label>
    </div>
    ${isOpen ? html`<${RuleEditor} rule=${rule} problems=${problems} />` : null}
  </li>`;
}

const RuleCard = drawnOnChange(drawCard);

function RestRow(): VNode {
  const fallback = draft.value.rules_fallback_email;
  const isTaken = isFallback.value;
  const where =
    fallback === null
      ? html`<span class="to v-discarded"><${Icon} name="bin" small="small" />accept and discard</span>`
      : html`<span class="to"><${Icon} name="arrow" small="small" /><code class="cut">${fallback}</code></span>`;
  return html`<li class="rest"><div class="rule"><span></span><span class="rank">last</span>
    <span class="rule-open"><span class="rule-name"><span>no match</span>${where}</span>
      <span class="rule-words">when no rule above matches</span></span>
    <${VerdictIcon} verdict=${isTaken ? "matched" : "unreached"} /></div></li>`;
}

function NoRules(): VNode {
  return html`<div class="blank"><${Icon} name="open" /><h3>No rules yet</h3>
    <p>Without a rule every message is accepted and dropped. Add one, or open a domain file.</p>
    <button class="btn btn-primary" onClick=${() => newRule()}><${Icon} name="add" />Add rule</button></div>`;
}

/** The same where no verdict changed: such a keystroke leaves all cards alone. */
const verdicts = steady(
  () => traced.value?.outcomes.map(({ entry, verdict }) => [entry.id, verdict] as const) ?? [],
);
const isFallback = computed(() => traced.value?.decision.decidedBy === null);

export function RuleList(): VNode {
  const count = rules.value.length;
  return html`<section class="pane" aria-labelledby="h-rules" id="rules">
    <div class="pane-head"><h2 id="h-rules">Rules <span class="count">${count}</span></h2>
      <span class="grow faint xs hide-phone">the first that matches decides</span>
      <button class="btn btn-quiet" aria-pressed=${isFileShown.value} onClick=${() => {
        isFileShown.value = !isFileShown.value;
      }}>JSON<span class="sr"> of the domain file</span></button>
      <button class="btn" onClick=${() => newRule()}><${Icon} name="add" />Add rule <kbd class="hide-phone">n</kbd></button></div>
    <div class="scroll" tabindex="0" role="region" aria-label="Rules in the order of trial">
      ${isFileShown.value ? html`<${DomainJson} />` : html`<${Cards} />`}
    </div></section>`;
}

function Cards(): VNode {
  const count = rules.value.length;
  const verdictOf = new Map<string, VerdictName>(verdicts.value);
  const said = new Map(edits.value.map(({ id, what }) => [id, what]));
  const { problems, stale } = compiled.value;
  return html`<div>${count === 0 ? html`<${NoRules} />` : null}
      <ol class="rules">${rules.value.map(
        (
          rule,
          place,
        ) => html`<${RuleCard} key=${cardKey(rule.id)} rule=${rule} place=${place} verdict=${verdictOf.get(rule.id) ?? "unreached"}
          problems=${problems.get(rule.id) ?? NO_PROBLEMS} isStale=${stale.has(rule.id)} edited=${said.get(rule.id) ?? ""}
          isCovered=${rule.active && (proofs.value.get(rule.id)?.covered ?? null) !== null}
          isOpen=${openRule.value === rule.id} isChosen=${chosenRule.value === rule.id} />`,
      )}
        <${RestRow} /></ol></div>`;
}
