/** Every rule's part in the decision: matched, missed and why, failed, switched off, not reached. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { TraceEntry } from "../../../engine/routing/explain.ts";
import { toolsOf } from "../../../rehearse/rules/tools-table.ts";
import type { FailedClause } from "../../../rehearse/why/failed-clause.ts";
import type { ShownOutcome } from "../../model/decide.ts";
import { foldRuns } from "../../model/fold-runs.ts";
import { oneOf, ruleName, shorten } from "../../model/words.ts";
import { traced } from "../../state.ts";
import { html } from "../html.ts";
import { Icon, VerdictIcon, verdictWords } from "../icon.ts";
import { work } from "../work.ts";
import { Marked } from "./marked.ts";

/** Code units of text shown beside a match. */
const CONTEXT_UNITS = 60;

function Matched({ entry }: { entry: TraceEntry }): VNode {
  if (entry.kind === "alias" || entry.type === "alias") {
    return html`<span>: <code>${entry.actual}</code> fits <code>${entry.alias}</code></span>`;
  }
  if (entry.type === "cel")
    return html`<span>: <code>${shorten(entry.expression)}</code> is true</span>`;
  if (entry.type !== "regex") {
    const pieces = toolsOf(entry as TraceEntry).matched(entry);
    return html`<span>: ${pieces.map((piece) => (typeof piece === "string" ? piece : piece.text))}</span>`;
  }
  const scope = entry.scopes.find(({ verdict }) => verdict === "matched");
  const { actual = "", span } = scope ?? {};
  const start = Math.max(0, (span?.start ?? 0) - CONTEXT_UNITS);
  const shown = actual.slice(start, (span?.end ?? 0) + CONTEXT_UNITS);
  const mark =
    span === undefined
      ? undefined
      : { span: { start: span.start - start, end: span.end - start }, groups: [] };
  const groups = (scope?.captures ?? []).map(
    (text, index) =>
      html`, <code>$${index + 1}</code> is <b class="group mono">${text ?? "empty"}</b>`,
  );
  return html`<span>: <code>${shorten(entry.regex)}</code> in the ${scope?.scope} at “<${Marked} text=${shown} mark=${mark} />”${groups}</span>`;
}

function Clause({ clause }: { clause: FailedClause }): VNode {
  switch (clause.kind) {
    case "alias":
      return html`<span>wants <code>${clause.alias}</code>, the address has <code>${clause.actual}</code></span>`;
    case "pattern": {
      const scopes = clause.texts.map(({ scope }) => scope);
      const where = scopes.length === 1 ? `not in the ${scopes[0]}` : `in none of ${oneOf(scopes)}`;
      return html`<span><code>${shorten(clause.regex)}</code> is ${where}</span>`;
    }
    case "condition":
      return html`<span><code>${shorten(clause.source)}</code> is ${clause.value}</span>`;
    case "failure":
      return html`<span>${clause.failure}</span>`;
    case "config":
      return html`<span>wants <code>${shorten(JSON.stringify(clause.config))}</code></span>`;
    case "inactive":
      return html`<span>switched off</span>`;
    case "engine":
      return html`<span>the domain routes by ${clause.engine ?? "nothing"}</span>`;
  }
}

const SIGNS = {
  true: { icon: "check", words: "holds", verdict: "matched" },
  false: { icon: "close", words: "does not hold", verdict: "missed" },
  error: { icon: "failed", words: "has an error", verdict: "failed" },
} as const;

function signOf(value: string): (typeof SIGNS)[keyof typeof SIGNS] {
  return value === "true" || value === "false" ? SIGNS[value] : SIGNS.error;
}

/** For each clause, whether it is true, and the values from which it was computed. */
function Clauses({ outcome }: { outcome: ShownOutcome }): VNode {
  const { entry, clauses, failed } = outcome;
  if (clauses.length === 0) return html`<${Clause} clause=${failed[0]} />`;
  const rows = clauses.map(({ source, value, operands }) => {
    const { icon, words, verdict } = signOf(value);
    const values = operands.map(
      (operand) =>
        html`<div><code>${shorten(operand.source)}</code> is <code>${shorten(operand.value)}</code></div>`,
    );
    const isShown = values.length === 0 || verdict === "failed";
    return html`<tr><td class=${`v-${verdict}`}><${Icon} name=${icon} small="small" /><span class="sr">${words}</span></td>
      <td><code>${source}</code></td><td>${values}${isShown ? value : null}</td></tr>`;
  });
  return html`<table class="clauses"><caption class="sr">Clauses of ${entry.id}</caption>
    <thead><tr><th scope="col"><span class="sr">Holds</span></th><th scope="col">Clause</th><th scope="col">Actual</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function Row({ outcome }: { outcome: ShownOutcome }): VNode {
  work.rows++;
  const { entry, verdict, failed, held } = outcome;
  const isCel = entry.kind === "rule" && entry.type === "cel";
  const asked = useSignal(false);
  const isOpen = asked.value || verdict === "nearest" || (verdict === "matched" && isCel);
  const canAsk = verdict === "missed" || (verdict === "failed" && isCel);
  return html`<li class=${`t-${verdict}`}><${VerdictIcon} verdict=${verdict} />
    <span class="rank">${"rank" in entry ? entry.rank : ""}</span>
    <div class="say"><b>${entry.kind === "alias" ? entry.alias : ruleName(entry.id)}</b>
      <p class="why"><span class=${`strong v-${verdict}`}>${verdictWords(verdict)}</span>
        ${verdict === "matched" ? html`<${Matched} entry=${entry} />` : null}
        ${held === null ? null : html`<span>: ${held.count} of ${held.of} clauses hold</span>`}
        ${held === null && failed[0] !== undefined ? html`<span>: <${Clause} clause=${failed[0]} /></span>` : null}</p>
      ${
        canAsk
          ? html`<button class="btn-link xs" aria-expanded=${asked.value} onClick=${() => {
              asked.value = !asked.value;
            }}>Why not?<span class="sr"> ${entry.id}</span></button>`
          : null
      }
      ${isOpen ? html`<div class="more"><${Clauses} outcome=${outcome} /></div>` : null}</div></li>`;
}

export function TraceRows({
  outcomes,
  label,
}: {
  outcomes: readonly ShownOutcome[];
  label: string;
}): VNode {
  const opened = useSignal<ReadonlySet<number>>(new Set());
  const open = (from: number): void => {
    opened.value = new Set([...opened.value, from]);
  };
  return html`<ol class="trace" aria-label=${label}>${foldRuns(outcomes, opened.value).map(
    (item) =>
      item.kind === "fold"
        ? html`<li key=${`fold ${item.from}`} class="fold"><button class="btn-link" onClick=${() => open(item.from)}>${item.words}: show them</button></li>`
        : html`<${Row} key=${`${item.outcome.entry.kind} ${item.outcome.entry.id}`} outcome=${item.outcome} />`,
  )}</ol>`;
}

export function Trace(): VNode {
  const outcomes = traced.value?.outcomes ?? [];
  return html`<${TraceRows} outcomes=${outcomes} label="Every rule in the order of trial" />`;
}
