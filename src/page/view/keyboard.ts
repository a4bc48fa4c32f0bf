/** The keyboard map: letters are commands outside text fields; `?` shows the map. */
import type { VNode } from "preact";
import { findings } from "../proofs.ts";
import { steer } from "../service/control.ts";
import { arrivals, deleteMessage, markRead, message, messageTab } from "../service/inbox.ts";
import { entries, logMail, openInRules, tryInRules } from "../service/logs.ts";
import { neighbour } from "../service/model/arrivals.ts";
import type { ViewName } from "../service/model/place.ts";
import { go, place } from "../service/navigation.ts";
import {
  announcement,
  chosenRule,
  closeRule,
  compiled,
  draft,
  edits,
  goToRule,
  keeper,
  mailIndex,
  makeTest,
  moveBy,
  newRule,
  pane,
  redoEdit,
  rules,
  showMail,
  switchRule,
  undoEdit,
} from "../state.ts";
import { whyTarget } from "../why-not.ts";
import { html } from "./html.ts";
import { openWhy } from "./message/why-not.ts";
import { downloadDomain } from "./tools.ts";

function choose(by: 1 | -1): void {
  const at = rules.value.findIndex(({ id }) => id === chosenRule.value);
  const next = rules.value[at < 0 ? 0 : at + by];
  if (next === undefined) return;
  chosenRule.value = next.id;
  document.querySelector<HTMLElement>(`#rule-${CSS.escape(next.id)} .rule-open`)?.focus();
}

const PANES = ["#rules .scroll", "#message .scroll", "#effects-panel"];

function nextPane(): void {
  const at = PANES.findIndex((selector) =>
    document.querySelector(selector)?.closest(".pane")?.contains(document.activeElement),
  );
  document.querySelector<HTMLElement>(PANES[(at + 1) % PANES.length]!)?.focus();
}

/** Goes to the next rule with an error or a warning; after the last comes the first. */
function nextProblem(): void {
  const warned = findings.value?.filter(({ standing }) => standing === "warning") ?? [];
  const wrong = new Set([
    ...compiled.value.problems.keys(),
    ...warned.flatMap(({ of }) => (of.kind === "rule" ? of.id : [])),
  ]);
  const at = rules.value.findIndex(({ id }) => id === chosenRule.value);
  const order = [...rules.value.slice(at + 1), ...rules.value.slice(0, at + 1)];
  const next = order.find(({ id }) => wrong.has(id));
  if (next === undefined) announcement.value = "no problems";
  else goToRule(next.id);
}

function askOfChosen(): void {
  openWhy(chosenRule.value ?? whyTarget.value);
  pane.value = 2;
}

interface Key {
  readonly keys: string;
  readonly says: string;
  act(): void;
}

/** Keyed by `event.key`; `keys` is what the map shows. */
type Keys = Readonly<Record<string, Key>>;

const KEY_MAP: Key = {
  keys: "?",
  says: "this map",
  act: () => document.getElementById("keys")?.togglePopover(),
};

const PLAYGROUND: Keys = {
  j: { keys: "j", says: "next rule", act: () => choose(1) },
  k: { keys: "k", says: "previous rule", act: () => choose(-1) },
  n: { keys: "n", says: "add a rule", act: () => newRule() },
  "[": { keys: "[", says: "previous message", act: () => showMail(mailIndex.value - 1) },
  "]": { keys: "]", says: "next message", act: () => showMail(mailIndex.value + 1) },
  o: { keys: "o", says: "open mail", act: () => document.getElementById("open-mail")?.click() },
  e: { keys: "e", says: "next problem", act: nextProblem },
  w: { keys: "w", says: "why not here, of the chosen rule or a destination", act: askOfChosen },
  t: { keys: "t", says: "make this a test", act: () => void makeTest() },
  "?": KEY_MAP,
};

const SEARCH: Key = {
  keys: "/",
  says: "search",
  act: () => document.getElementById("search")?.focus(),
};

/** The keys of a view with a list and its open item. */
function listKeys(
  view: "inbox" | "logs",
  rows: () => readonly { readonly id: string }[],
  what: string,
): Keys {
  const move = (by: 1 | -1): void => {
    const next = neighbour(rows(), place.value.id, by);
    if (next !== undefined) go(view, next.id);
  };
  const open = (): void => document.querySelector<HTMLElement>("article .scroll")?.focus();
  return {
    j: { keys: "j", says: `next ${what}`, act: () => move(1) },
    k: { keys: "k", says: `previous ${what}`, act: () => move(-1) },
    Enter: { keys: "Enter", says: `read the ${what}; Esc goes back`, act: open },
    Escape: { keys: "Esc", says: "back to the list", act: () => go(view) },
    "/": SEARCH,
    "?": KEY_MAP,
  };
}

const TABS = ["preview", "text", "headers", "source", "attachments"] as const;

const INBOX: Keys = {
  ...listKeys("inbox", () => arrivals.value.rows, "message"),
  u: {
    keys: "u",
    says: "mark unread",
    act: () => {
      const { id } = place.value;
      if (id !== null) void markRead(id, false);
    },
  },
  r: {
    keys: "r",
    says: "open in Rules",
    act: () => {
      if (message.value?.kind === "mailbox") void openInRules(message.value);
    },
  },
  "#": {
    keys: "#",
    says: "delete",
    act: () => {
      const { id } = place.value;
      if (id !== null) void deleteMessage(id);
    },
  },
  ...Object.fromEntries(
    TABS.map((tab, index) => {
      const act = (): void => {
        messageTab.value = tab;
      };
      return [String(index + 1), { keys: String(index + 1), says: `show ${tab}`, act }];
    }),
  ),
};

const LOGS: Keys = {
  ...listKeys("logs", () => entries.value ?? [], "entry"),
  r: {
    keys: "r",
    says: "open in Rules",
    act: () => {
      if (logMail.value !== null) tryInRules(logMail.value);
    },
  },
};

const CONTROL: Keys = {
  ".": {
    keys: ".",
    says: "advance the clock by a minute",
    act: () => void steer("POST", "/clock/advance", { ms: 60_000 }),
  },
  "?": KEY_MAP,
};

const KEYS: Readonly<Record<ViewName, Keys>> = {
  rules: PLAYGROUND,
  inbox: INBOX,
  logs: LOGS,
  domain: { "?": KEY_MAP },
  sending: { "?": KEY_MAP },
  control: CONTROL,
};

/** Whether the event belongs to a text field. */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Without a place to save to, the domain file is the way to keep edits. */
function reviewOrDownload(): void {
  if (keeper.value.kind === "download") downloadDomain();
  else document.getElementById("review")?.togglePopover();
}

function onChord(event: KeyboardEvent): boolean {
  if (place.value.view !== "rules") return false;
  const key = event.key.toLowerCase();
  if (key === "s" && edits.value.length > 0) reviewOrDownload();
  else if (key === "z" && !isTyping(event)) event.shiftKey ? redoEdit() : undoEdit();
  else return key === "s";
  return true;
}

function onRuleKey(event: KeyboardEvent): boolean {
  const id = chosenRule.value;
  if (id === null || !draft.value.rules.some((rule) => rule.id === id)) return false;
  if (event.altKey && event.key === "ArrowUp") moveBy(id, -1);
  else if (event.altKey && event.key === "ArrowDown") moveBy(id, 1);
  else if (event.key === "s" && !event.altKey) switchRule(id);
  else return false;
  return true;
}

export function onKeyDown(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey) {
    if (onChord(event)) event.preventDefault();
    return;
  }
  if (event.key === "F6" && place.value.view === "rules") {
    nextPane();
    event.preventDefault();
    return;
  }
  // An open list of completions handles Esc itself.
  const isEscape = event.key === "Escape" && !event.defaultPrevented;
  if (isEscape) closeRule();
  const { view } = place.value;
  if (isTyping(event)) {
    if (isEscape) (event.composedPath()[0] as HTMLElement).blur();
    return;
  }
  const key = KEYS[view][event.key];
  // Buttons and links handle Enter themselves.
  const isOwn = event.key === "Enter" && document.activeElement?.matches("button, a, summary");
  if (key !== undefined && !event.altKey && !isOwn) {
    key.act();
    event.preventDefault();
  } else if (view === "rules" && onRuleKey(event)) event.preventDefault();
}

export function KeyMap(): VNode {
  const { view } = place.value;
  const more = [
    ["Enter", "open the rule; Esc closes it"],
    ["s", "switch the rule on or off"],
    ["Alt ↑ or Alt ↓", "move the rule; its rank follows"],
    ["Ctrl S", keeper.value.kind === "download" ? "download the domain" : "review and save"],
    ["Ctrl Z", "undo; with Shift, redo"],
    ["F6", "next pane"],
  ];
  const own = Object.values(KEYS[view]).map(({ keys, says }) => [keys, says]);
  const rows = view === "rules" ? [...own, ...more] : own;
  return html`<div class="pop pop-right" id="keys" popover role="dialog" aria-labelledby="keys-h"><h2 id="keys-h">Keyboard map</h2>
    <dl class="keys">${rows.map(([keys, says]) => html`<dt><kbd>${keys}</kbd></dt><dd>${says}</dd>`)}</dl></div>`;
}
