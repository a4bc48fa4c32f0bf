/** What the page shows, as signals, and everything a person can do to it. */
import { batch, computed, signal } from "@preact/signals";
import { createDraftCompiler } from "./model/compile.ts";
import { type Decided, decide } from "./model/decide.ts";
import {
  addRule,
  changeRule,
  type DomainDraft,
  moveRule,
  type RuleDraft,
  readDomain,
  removeRule,
  rulesInOrder,
} from "./model/domain.ts";
import {
  beginHistory,
  edit,
  editsOf,
  type History,
  markSaved,
  redo,
  undo,
} from "./model/history.ts";
import { type Mail, typedMail } from "./model/mail.ts";
import { type PageTest, runPageTest, testFrom } from "./model/rule-tests.ts";

/** Where edits are saved: to the file that the page was opened on, through the API of a service, or nowhere but a download. */
export interface Keeper {
  readonly kind: "files" | "service" | "download";
  /** Resolves when it is kept; rejects with a message for the person. */
  saveDomain(file: string, draft: DomainDraft): Promise<void>;
}

const EMPTY: DomainDraft = {
  domain: "example.com",
  routing_engine: "rules",
  rules_fallback_email: null,
  aliases: [],
  rules: [],
};

export const history = signal<History>(beginHistory(EMPTY));
export const mails = signal<readonly Mail[]>([typedMail(EMPTY.domain)]);
export const mailIndex = signal(0);
export const openRule = signal<string | null>(null);
export const chosenRule = signal<string | null>(null);
export const tests = signal<readonly PageTest[]>([]);
export const pane = signal<1 | 2 | 3>(1);
export const notice = signal<{ readonly kind: "good" | "bad"; readonly text: string } | null>(null);
/** Said to a screen reader, politely. */
export const announcement = signal("");
export const keeper = signal<Keeper>({
  kind: "download",
  saveDomain: async () => undefined,
});

const compiler = createDraftCompiler();
const savedCompiler = createDraftCompiler();

export const draft = computed(() => history.value.draft);
export const rules = computed(() => rulesInOrder(draft.value));
export const edits = computed(() => editsOf(history.value));
export const compiled = computed(() => compiler.compile(draft.value));
export const compiledSaved = computed(() => savedCompiler.compile(history.value.saved));
export const mail = computed<Mail>(
  () => mails.value[mailIndex.value] ?? mails.value[0] ?? typedMail(draft.value.domain),
);
/** Milliseconds that compiling and explaining took after the last edit. */
export const decideMs = signal(0);

export const decided = computed<Decided | null>(() => {
  const { domain } = compiled.value;
  return domain === null ? null : decide(domain, mail.value);
});

export const testRuns = computed(() => {
  const { domain } = compiled.value;
  return domain === null ? [] : tests.value.map((test) => runPageTest(domain, test));
});

export const problemCount = computed(() =>
  [...compiled.value.problems.values()].reduce(
    (sum, each) => sum + each.length,
    compiled.value.general.length,
  ),
);

function change(next: DomainDraft, label: string): void {
  history.value = edit(history.value, next, label);
}

export function openDomain(value: unknown, draftValue: unknown = value): void {
  const [saved, next] = [readDomain(value), readDomain(draftValue)];
  batch(() => {
    history.value = beginHistory(saved, next);
    openRule.value = null;
    if (mails.value.length === 1 && mails.value[0]!.name === "written here") {
      mails.value = [typedMail(saved.domain)];
    }
  });
}

export function undoEdit(): void {
  history.value = undo(history.value);
}
export function redoEdit(): void {
  history.value = redo(history.value);
}
export function discardEdits(): void {
  change(history.value.saved, "discard all edits");
}

export function switchRule(id: string): void {
  const rule = draft.value.rules.find((each) => each.id === id);
  if (rule === undefined) return;
  const label = `switch ${id} ${rule.active ? "off" : "on"}`;
  change(changeRule(draft.value, id, { active: !rule.active }), label);
}

/** Moves a rule by so many places; its rank follows. */
export function moveBy(id: string, places: number): void {
  const at = rules.value.findIndex((rule) => rule.id === id);
  if (at >= 0) moveTo(id, at + places);
}

export function moveTo(id: string, place: number): void {
  if (place < 0 || place >= rules.value.length) return;
  if (rules.value[place]?.id === id) return;
  change(moveRule(draft.value, id, place), `move ${id} to place ${place + 1}`);
  const rule = draft.value.rules.find((each) => each.id === id)!;
  announcement.value = `${id}, rank ${rule.rank}, ${place + 1} of ${rules.value.length}`;
}

export function editRule(id: string, changes: Partial<RuleDraft>, what: string): void {
  batch(() => {
    change(changeRule(draft.value, id, changes), `${what} of ${id}`);
    if (changes.id !== undefined && openRule.value === id) openRule.value = changes.id;
    if (changes.id !== undefined && chosenRule.value === id) chosenRule.value = changes.id;
  });
}

export function newRule(
  rule?: Pick<RuleDraft, "type" | "config"> & { readonly id?: string },
): void {
  const config = { regex: "", scopes: ["subject"], forward: "" };
  // The service names its rules by UUIDs.
  const id = keeper.value.kind === "service" ? { id: crypto.randomUUID() } : {};
  const added = addRule(draft.value, { ...(rule ?? { type: "regex", config }), ...id });
  batch(() => {
    change(added.domain, `add ${added.id}`);
    openRule.value = added.id;
    chosenRule.value = added.id;
    pane.value = 1;
  });
}

export function deleteRule(id: string): void {
  batch(() => {
    change(removeRule(draft.value, id), `delete ${id}`);
    if (openRule.value === id) openRule.value = null;
  });
}

export function editMail(changes: Partial<Mail>): void {
  const at = mailIndex.value;
  mails.value = mails.value.map((each, index) =>
    index === at ? { ...each, ...changes, edited: true } : each,
  );
}

export function showMail(index: number): void {
  if (index >= 0 && index < mails.value.length) mailIndex.value = index;
}

/** Adds messages; the first of them is shown, unless what is shown is kept. Messages that nobody wrote are dropped. */
export function addMails(more: readonly Mail[], shown: "show" | "keep" = "show"): void {
  const kept = mails.value.filter(({ name, edited }) => name !== "written here" || edited);
  batch(() => {
    mails.value = [...kept, ...more];
    if (more.length > 0 && shown === "show") mailIndex.value = kept.length;
  });
}

export function makeTest(): void {
  if (decided.value === null) return;
  tests.value = [...tests.value, testFrom(mail.value, decided.value)];
  announcement.value = `${tests.value.length} tests`;
}

/** Saves the edits through the keeper; what was edited meanwhile stays an edit. */
export async function saveEdits(file: string): Promise<void> {
  const count = edits.value.length;
  try {
    await keeper.value.saveDomain(file, draft.value);
    batch(() => {
      history.value = markSaved(history.value);
      notice.value = { kind: "good", text: `${count} ${count === 1 ? "edit" : "edits"} saved` };
    });
  } catch (error) {
    notice.value = { kind: "bad", text: error instanceof Error ? error.message : String(error) };
  }
}
