/** The state of the page as signals, and every action of a person on it. */
import { batch, computed, effect, signal } from "@preact/signals";
import type { RuleEdit } from "../rehearse/why/edit-rule.ts";
import { afterPaint } from "./after-paint.ts";
import { createDeciding, type ToDecide } from "./deciding.ts";
import { IN_BROWSER, type TestChange, type TestKeeper, testsInBrowser } from "./kept-tests.ts";
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
  withRuleEdit,
} from "./model/domain.ts";
import {
  beginHistory,
  edit,
  editsOf,
  type History,
  markSaved,
  rebase,
  redo,
  undo,
} from "./model/history.ts";
import { type Mail, typedMail } from "./model/mail.ts";
import { follow } from "./model/newest.ts";
import { type PageTest, runPageTest, testFrom } from "./model/rule-tests.ts";

/** Where edits are saved: to the file that the page was opened on, through the API of a service, or only as a download. */
export interface Keeper extends TestKeeper {
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
/** Whether the rules are shown as the domain file that they are in. */
export const isFileShown = signal(false);
export const notice = signal<{ readonly kind: "good" | "bad"; readonly text: string } | null>(null);
/** Announced by a screen reader when it is idle. */
export const announcement = signal("");
export const keeper = signal<Keeper>({
  kind: "download",
  saveDomain: async () => undefined,
  ...IN_BROWSER,
});

const compiler = createDraftCompiler();
const savedCompiler = createDraftCompiler();

export const draft = computed(() => history.value.draft);
export const rules = computed(() => rulesInOrder(draft.value));
/** The ids, one per line. As one text it stays equal while a rule is edited, so views that show only names are not drawn again. */
export const ruleIds = computed(() => rules.value.map(({ id }) => id).join("\n"));
export const edits = computed(() => editsOf(history.value));
export const compiled = computed(() => compiler.compile(draft.value));
const saved = computed(() => history.value.saved);
export const compiledSaved = computed(() => savedCompiler.compile(saved.value));
export const mail = computed<Mail>(
  () => mails.value[mailIndex.value] ?? mails.value[0] ?? typedMail(draft.value.domain),
);

const question = computed<ToDecide | null>(() => {
  const { domain, deciding } = compiled.value;
  return domain === null ? null : { domain, deciding, mail: mail.value };
});
/** While `isDeciding`, `decided` is older than what is typed. `decideMs`: milliseconds that compiling and deciding took. */
export const { decided, isDeciding, marks, decideMs, decideLongIn } = createDeciding(question);

/** `decided` and `compiled` as the frame before showed them: of what takes long to draw or to run. */
export const traced = signal<Decided | null>(null);
const compiledBefore = signal(compiled.peek());

/** Milliseconds between two changes of `shownMs`. */
const SHOWN_MS = 500;
/** `decideMs` as it is shown: it differs for each key, and is not drawn for each. */
export const shownMs = signal(0);

export function watchTraced(): void {
  follow(decided, traced, afterPaint);
  follow(compiled, compiledBefore, afterPaint);
  follow(decideMs, shownMs, (act) => void setTimeout(act, SHOWN_MS));
}

export const testRuns = computed(() => {
  const { domain } = compiledBefore.value;
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
  const saved = readDomain(value);
  // The same rules as objects, so that those without an edit need no comparison.
  const next = draftValue === value ? saved : readDomain(draftValue);
  batch(() => {
    mails.value = mails.value.map((each) => writtenAt(saved.domain, each));
    history.value = beginHistory(saved, next);
    openRule.value = null;
  });
}

/** A message that is written here, for another domain; a recipient that was typed stays. */
function writtenAt(domain: string, written: Mail): Mail {
  if (written.name !== typedMail("").name) return written;
  const old = typedMail(draft.value.domain).recipient;
  const { recipient } = written.recipient === old ? typedMail(domain) : written;
  return { ...written, recipient };
}

/** Takes in what somebody else saved of the domain. Edits stay, and so does the rule that is open. */
export function mergeDomain(value: unknown): void {
  const live = readDomain(value);
  if (live.domain !== draft.value.domain) openDomain(live);
  else history.value = rebase(history.value, live);
}

/** Replaces the whole domain; in a service, its name and aliases are edited elsewhere. */
export function editDomain(next: DomainDraft): void {
  const { domain, aliases } = draft.value;
  const kept = keeper.value.kind === "service" ? { domain, aliases } : {};
  change({ ...next, ...kept }, "edit the domain file");
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

/** Moves a rule by a number of places; its rank follows. */
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

/** Keys of cards whose rule was renamed: such a card is not made anew, and the cursor stays in it. */
const cardKeys = new Map<string, string>();
let renames = 0;
export const cardKey = (id: string): string => cardKeys.get(id) ?? id;

export function editRule(id: string, changes: Partial<RuleDraft>, what: string): void {
  if (changes.id !== undefined) {
    cardKeys.set(changes.id, cardKey(id));
    // Another rule may get the old name.
    cardKeys.set(id, `${id} ${++renames}`);
  }
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
    isFileShown.value = false;
    openRule.value = added.id;
    chosenRule.value = added.id;
    pane.value = 1;
  });
  focusRule(added.id);
}

/** Moves the cursor to the card of a rule once it is drawn. */
function focusRule(id: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`#rule-${CSS.escape(id)} .rule-open`)?.focus(),
  );
}

/** Closes the open rule; a cursor in it goes to its card. */
export function closeRule(): void {
  const id = openRule.value;
  if (id === null) return;
  const isInside = document.getElementById(`rule-${id}`)?.contains(document.activeElement);
  openRule.value = null;
  if (isInside === true) focusRule(id);
}

/** Opens a rule in its list. */
export function goToRule(id: string): void {
  batch(() => {
    isFileShown.value = false;
    openRule.value = id;
    chosenRule.value = id;
    pane.value = 1;
  });
  focusRule(id);
}

/** A change that “Why not here?” found. */
export function applyRuleEdit(found: RuleEdit): void {
  const label = found.kind === "change" ? `change ${found.rule}` : "add a rule for the message";
  change(withRuleEdit(draft.value, found), label);
}

/** The cursor goes to the rule that takes its place in the list. */
export function deleteRule(id: string): void {
  const at = rules.value.findIndex((rule) => rule.id === id);
  batch(() => {
    change(removeRule(draft.value, id), `delete ${id}`);
    if (openRule.value === id) openRule.value = null;
  });
  const next = rules.value[Math.min(at, rules.value.length - 1)];
  if (next !== undefined) focusRule(next.id);
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

/**
 * Adds messages and shows the first of them, or keeps the current one. The empty message to write in is dropped unless it was
 * edited.
 */
export function addMails(more: readonly Mail[], shown: "show" | "keep" = "show"): void {
  const kept = mails.value.filter(({ name, edited }) => name !== "written here" || edited);
  batch(() => {
    mails.value = [...kept, ...more];
    if (more.length > 0 && shown === "show") mailIndex.value = kept.length;
  });
}

/** Whether a test was made from the message in its current form. */
export const isHeld = computed(() => tests.value.some(({ madeFrom }) => madeFrom === mail.value));

async function keepTests(all: readonly PageTest[], change: TestChange): Promise<void> {
  tests.value = all;
  const { testsPlace } = keeper.value;
  try {
    await keeper.value.keepTest(change, all, draft.value.domain);
    const count = all.length === 1 ? "1 test" : `${all.length} tests`;
    announcement.value = `${count} in ${testsPlace}`;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    notice.value = { kind: "bad", text: `${testsPlace} stays as it was: ${said}` };
  }
}

export async function makeTest(): Promise<void> {
  const asked = question.value;
  if (asked === null || isHeld.value) return;
  const { domain, mail: of } = asked;
  // The worker may not have decided yet, so this decides: a test records what happens to the message now.
  const now = isDeciding.value ? decide(domain, of) : decided.value!;
  const made = testFrom(of, now, tests.value);
  await keepTests([...tests.value, made], { kind: "add", test: made.test });
}

export async function removeTest(name: string): Promise<void> {
  const rest = tests.value.filter(({ test }) => test.name !== name);
  await keepTests(rest, { kind: "drop", name });
}

/** The browser keeps tests for each domain. */
export function watchTests(): void {
  const domain = computed(() => draft.value.domain);
  effect(() => {
    if (keeper.value.kind !== "files") tests.value = testsInBrowser(domain.value);
  });
}

/** Saves the edits through the keeper; edits made meanwhile stay edits. */
export async function saveEdits(file: string): Promise<void> {
  const count = edits.value.length;
  const edited = draft.value;
  try {
    await keeper.value.saveDomain(file, edited);
    batch(() => {
      history.value = markSaved(history.value, edited);
      notice.value = { kind: "good", text: `${count} ${count === 1 ? "edit" : "edits"} saved` };
    });
  } catch (error) {
    notice.value = { kind: "bad", text: error instanceof Error ? error.message : String(error) };
  }
}
