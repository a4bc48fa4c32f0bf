/** The saved domain and the edited one: undo, redo, and the edits in words. */
import type { DomainDraft, RuleDraft } from "./domain.ts";

/** Edits that can be undone; older ones are forgotten. */
const UNDO_MAX = 200;

interface Step {
  readonly domain: DomainDraft;
  /** What the edit was, for the tooltip of undo. */
  readonly label: string;
}

export interface History {
  readonly saved: DomainDraft;
  readonly draft: DomainDraft;
  /** Newest first. */
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

export function beginHistory(saved: DomainDraft, draft: DomainDraft = saved): History {
  return { saved, draft, past: [], future: [] };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const byId = ({ rules }: DomainDraft): ReadonlyMap<string, RuleDraft> =>
  new Map(rules.map((rule) => [rule.id, rule]));

/** Edits with the same label directly after each other, such as typing in one field, are one step. */
export function edit(history: History, draft: DomainDraft, label: string): History {
  if (draft === history.draft) return history;
  const { past } = history;
  const goesOn = past[0]?.label === label && history.future.length === 0;
  const steps = goesOn ? past : [{ domain: history.draft, label }, ...past].slice(0, UNDO_MAX);
  return { ...history, draft, past: steps, future: [] };
}

export function undo(history: History): History {
  const [last, ...past] = history.past;
  if (last === undefined) return history;
  const future = [{ domain: history.draft, label: last.label }, ...history.future];
  return { ...history, draft: last.domain, past, future };
}

export function redo(history: History): History {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  const past = [{ domain: history.draft, label: next.label }, ...history.past];
  return { ...history, draft: next.domain, past, future };
}

/** `saved`: the domain that was saved; edits made since then stay edits. */
export function markSaved(history: History, saved: DomainDraft): History {
  return { ...history, saved };
}

/** `mine` where it differs from `base`, otherwise `theirs`; `undefined`: it is not there. */
function merged<Value>(base: Value, mine: Value, theirs: Value): Value {
  return same(base, mine) ? theirs : mine;
}

/** The edited domain after somebody else saved `live`: what is edited stays, everything else is theirs. */
function draftOn({ saved, draft }: History, live: DomainDraft): DomainDraft {
  const [base, mine, theirs] = [byId(saved), byId(draft), byId(live)];
  const ids = new Set([...theirs.keys(), ...mine.keys()]);
  const rules = [...ids].flatMap((id) => merged(base.get(id), mine.get(id), theirs.get(id)) ?? []);
  const names = new Set([...Object.keys(draft), ...Object.keys(live)]);
  const fields = [...names].map((name) => [name, merged(saved[name], draft[name], live[name])]);
  return { ...(Object.fromEntries(fields) as DomainDraft), rules };
}

/** Takes in what somebody else saved. Steps before that cannot be undone: they would take it back. */
export function rebase(history: History, live: DomainDraft): History {
  return same(history.saved, live) ? history : beginHistory(live, draftOn(history, live));
}

/** One rule, or the domain itself, that differs from what is saved. */
export interface EditSummary {
  readonly id: string;
  /** For example `rank 50.5 → 45, and its expression`. */
  readonly what: string;
}

function ruleEdits(before: RuleDraft, after: RuleDraft): string[] {
  if (before === after) return [];
  const said: string[] = [];
  if (before.rank !== after.rank) said.push(`rank ${before.rank} → ${after.rank}`);
  if (before.active !== after.active) said.push(after.active ? "switched on" : "switched off");
  if (before.type !== after.type) said.push(`now a rule of type ${after.type}`);
  const fields = new Set([...Object.keys(before.config), ...Object.keys(after.config)]);
  for (const field of fields) {
    if (before.type === after.type && !same(before.config[field], after.config[field])) {
      said.push(`its ${field}`);
    }
  }
  return said;
}

/** The differences from the saved domain, in the order of the edited rules; removed rules come last. */
export function editsOf({ saved, draft }: History): readonly EditSummary[] {
  const before = new Map(saved.rules.map((rule) => [rule.id, rule]));
  const edits: EditSummary[] = [];
  for (const rule of draft.rules) {
    const old = before.get(rule.id);
    const said = old === undefined ? ["new"] : ruleEdits(old, rule);
    if (said.length > 0) edits.push({ id: rule.id, what: said.join(", ") });
    before.delete(rule.id);
  }
  for (const id of before.keys()) edits.push({ id, what: "removed" });
  if (saved.rules_fallback_email !== draft.rules_fallback_email) {
    const to = draft.rules_fallback_email ?? "nobody";
    edits.push({ id: "no match", what: `now to ${to}` });
  }
  const fields = new Set([...Object.keys(saved), ...Object.keys(draft)]);
  for (const field of fields) {
    const isSaid = field === "rules" || field === "rules_fallback_email";
    if (!isSaid && !same(saved[field], draft[field])) edits.push({ id: field, what: "changed" });
  }
  return edits;
}
