/** The editor of one rule: a form, and for expressions, patterns and JSON a text editor with the engine's diagnostics. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { findJsonMistake } from "../../base/json-text.ts";
import { CodeEditor, type CodeKind, type CodeProblem } from "../editor/code-editor.ts";
import type { RuleDraft } from "../model/domain.ts";
import { isDiscard, splitForward } from "../model/words.ts";
import { proofs } from "../proofs.ts";
import { closeRule, deleteRule, draft, editRule, keeper, newRule, pane } from "../state.ts";
import { showWitness } from "./effects/findings-panel.ts";
import { html } from "./html.ts";
import { Icon } from "./icon.ts";
import { openWhy } from "./message/why-not.ts";
import { drawnOnChange } from "./work.ts";

const SCOPES = ["sender", "recipient", "subject", "body"] as const;
const KINDS = [
  { type: "alias", label: "Alias", config: { alias: "" } },
  { type: "regex", label: "Pattern", config: { regex: "", scopes: ["subject"] } },
  { type: "cel", label: "Expression", config: { expression: "" } },
] as const;

/** The field of each type that is typed as code. */
const CODE: Readonly<Record<string, { field: string; kind: CodeKind; label: string }>> = {
  regex: { field: "regex", kind: "pattern", label: "Pattern (RE2), found anywhere in the scope" },
  cel: { field: "expression", kind: "cel", label: "Expression (CEL), true when the rule matches" },
};

function problemsIn(field: string, problems: readonly Diagnostic[]): CodeProblem[] {
  return problems
    .filter(({ path }) => path[0] === "config" && path[1] === field)
    .map(({ message, span }) => ({ message, span: span ?? null }));
}

interface RuleFieldProps {
  readonly rule: RuleDraft;
}

/** Drawn again only when the rule has changed: a proof or a decision would reset a name that is being typed. */
const NameField = drawnOnChange(({ rule }: RuleFieldProps): VNode => {
  const rename = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const id = input.value.trim();
    const isTaken = draft.value.rules.some((each) => each.id === id && each !== rule);
    if (id === "" || isTaken) input.value = rule.id;
    else if (id !== rule.id) editRule(rule.id, { id }, "name");
  };
  // A service gives its rules their ids.
  return html`<label class="field"><span class="label">Name</span>
    <input class="input mono" value=${rule.id} readonly=${keeper.peek().kind === "service"} onChange=${rename} /></label>`;
});

function KindField({ rule }: { rule: RuleDraft }): VNode {
  const choose = (kind: (typeof KINDS)[number]): void => {
    const { forward } = rule.config;
    editRule(rule.id, { type: kind.type, config: { ...kind.config, forward } }, "type");
  };
  return html`<fieldset class="field"><legend class="label">Matches by</legend><div class="seg">${KINDS.map(
    (
      kind,
    ) => html`<label><input type="radio" name=${`kind-${rule.id}`} checked=${rule.type === kind.type}
      onChange=${() => choose(kind)} />${kind.label}</label>`,
  )}</div></fieldset>`;
}

/** Drawn again only when the rule has changed, as the name is. */
const RankField = drawnOnChange(({ rule }: RuleFieldProps): VNode => {
  const change = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const rank = input.value.trim() === "" ? Number.NaN : Number(input.value);
    if (Number.isFinite(rank)) editRule(rule.id, { rank }, "rank");
    else input.value = String(rule.rank);
  };
  return html`<label class="field"><span class="label">Rank</span>
    <input class="input" inputmode="decimal" value=${rule.rank} onChange=${change} /></label>`;
});

function ScopesField({ rule }: { rule: RuleDraft }): VNode {
  const chosen = Array.isArray(rule.config.scopes) ? rule.config.scopes : [];
  const toggle = (scope: string): void => {
    const scopes = SCOPES.filter((each) => chosen.includes(each) !== (each === scope));
    editRule(rule.id, { config: { ...rule.config, scopes } }, "scopes");
  };
  return html`<fieldset class="field"><legend class="label">Searched in</legend><div class="row wrap">${SCOPES.map(
    (scope) => html`<label class="check"><input type="checkbox" checked=${chosen.includes(scope)}
      onChange=${() => toggle(scope)} />${scope}</label>`,
  )}</div></fieldset>`;
}

function ForwardField({ rule }: { rule: RuleDraft }): VNode {
  const { forward } = rule.config;
  const discards = isDiscard(forward);
  const parts = typeof forward === "string" && !discards ? splitForward(forward) : [];
  const set = (next: string | null): void => {
    editRule(rule.id, { config: { ...rule.config, forward: next } }, "forward");
  };
  const add = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const more = splitForward(input.value);
    if (more.length === 0) return;
    input.value = "";
    set([...parts, ...more].join(", "));
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== ",") return;
    event.preventDefault();
    add(event);
  };
  return html`<div class="field"><span class="label" id=${`to-${rule.id}`}>Send to</span>
    <div class="dests">${parts.map(
      (
        part,
        index,
      ) => html`<span class="chip" key=${part}><${Icon} name=${/^https?:/i.test(part) ? "hook" : "mail"} small="small" />
        ${part}<button aria-label=${`Remove ${part}`} onClick=${() => set(parts.filter((_, at) => at !== index).join(", "))}>
        <${Icon} name="close" small="small" /></button></span>`,
    )}<input aria-labelledby=${`to-${rule.id}`} disabled=${discards} placeholder="A mailbox or webhook" onKeyDown=${onKey} onBlur=${add} />
    <label class="check"><input type="checkbox" checked=${discards} onChange=${() => set(discards ? "" : null)} />discard</label></div></div>`;
}

/** The rule as JSON, applied while it is valid. */
function JsonField({ rule }: { rule: RuleDraft }): VNode {
  const problem = useSignal<CodeProblem | null>(null);
  const { type, config } = rule;
  const apply = (text: string): void => {
    try {
      const value = JSON.parse(text) as Partial<RuleDraft>;
      problem.value = null;
      editRule(rule.id, { type: value.type ?? type, config: value.config ?? {} }, "JSON");
    } catch (error) {
      problem.value = findJsonMistake(text) ?? { message: (error as Error).message, span: null };
    }
  };
  const problems = problem.value === null ? [] : [problem.value];
  return html`<${CodeEditor} key="json" kind="json" label="Rule as JSON" text=${JSON.stringify({ type, config }, null, 2)}
    problems=${problems} onChange=${apply} />`;
}

function MatchFields({
  rule,
  problems,
}: {
  rule: RuleDraft;
  problems: readonly Diagnostic[];
}): VNode {
  const code = CODE[rule.type];
  if (rule.type === "alias") {
    const set = (event: Event): void => {
      const alias = (event.currentTarget as HTMLInputElement).value;
      editRule(rule.id, { config: { ...rule.config, alias } }, "alias");
    };
    return html`<label class="field"><span class="label">Alias: the part before the @, with * for anything</span>
      <input class="input mono" value=${rule.config.alias} onInput=${set} /></label>`;
  }
  if (code === undefined) return html`<${JsonField} rule=${rule} />`;
  const { field, kind, label } = code;
  const set = (text: string): void =>
    editRule(rule.id, { config: { ...rule.config, [field]: text } }, field);
  return html`<${CodeEditor} key=${field} kind=${kind} label=${label} text=${String(rule.config[field] ?? "")}
      problems=${problemsIn(field, problems)} onChange=${set} />
    ${rule.type === "regex" ? html`<${ScopesField} rule=${rule} />` : null}`;
}

/** Problems that the text editor does not show. */
function OtherProblems({
  rule,
  problems,
}: {
  rule: RuleDraft;
  problems: readonly Diagnostic[];
}): VNode | null {
  const field = CODE[rule.type]?.field;
  const others = problems.filter(({ path }) => path[1] !== field);
  if (others.length === 0) return null;
  return html`<ul class="diags" aria-label=${`Problems in ${rule.id}`}>${others.map(
    ({ message, path }) =>
      html`<li class="d-bad"><${Icon} name="bad" /><span>${message}</span><span class="faint">${path.join(".")}</span></li>`,
  )}</ul>`;
}

/** The proof about the rule: what covers it, or a link to a message that reaches it. */
function ProofLine({ rule }: { rule: RuleDraft }): VNode | null {
  const known = proofs.value.get(rule.id);
  if (known === undefined || !rule.active) return null;
  const { covered, witness } = known;
  if (covered !== null) {
    return html`<p class="notice notice-warn" role="status"><${Icon} name="failed" /><span>The rule ${covered}.</span></p>`;
  }
  if (witness === null) return null;
  return html`<p class="row v-matched"><${Icon} name="matched" /><span class="grow">Some message reaches this rule.</span><button class="btn-link" onClick=${() => showWitness(witness, rule.id)}>Show one</button></p>`;
}

export function RuleEditor({
  rule,
  problems,
}: {
  rule: RuleDraft;
  problems: readonly Diagnostic[];
}): VNode {
  const asJson = useSignal(false);
  return html`<div class="edit" id=${`edit-${rule.id}`}>
    <div class="edit-grid"><${NameField} rule=${rule} /><${KindField} rule=${rule} /><${RankField} rule=${rule} /></div>
    <div class="row"><span class="grow"></span><button class="btn-link xs" onClick=${() => {
      asJson.value = !asJson.value;
    }}>${asJson.value ? "Edit as a form" : "Edit as JSON"}</button></div>
    ${asJson.value ? html`<${JsonField} rule=${rule} />` : html`<${MatchFields} rule=${rule} problems=${problems} />`}
    ${asJson.value ? null : html`<${ForwardField} rule=${rule} />`}
    <${OtherProblems} rule=${rule} problems=${problems} /><${ProofLine} rule=${rule} />
    <div class="row wrap">
      <button class="btn" onClick=${closeRule}>Close <kbd>Esc</kbd></button>
      <button class="btn btn-quiet" onClick=${() => newRule({ type: rule.type, config: rule.config, id: `${rule.id}-copy` })}>Duplicate</button>
      <button class="btn btn-quiet" onClick=${() => {
        openWhy(rule.id);
        pane.value = 2;
      }}>Why not here?</button>
      <span class="grow"></span>
      <button class="btn btn-quiet btn-risk" onClick=${() => deleteRule(rule.id)}><${Icon} name="bin" />Delete rule</button>
    </div></div>`;
}
