/** The keyboard map: letters act while nothing is typed; `?` shows the map. */
import type { VNode } from "preact";
import {
  chosenRule,
  draft,
  edits,
  mailIndex,
  makeTest,
  moveBy,
  newRule,
  openRule,
  redoEdit,
  rules,
  showMail,
  switchRule,
  undoEdit,
} from "../state.ts";
import { html } from "./html.ts";

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

interface Key {
  readonly keys: string;
  readonly says: string;
  act(): void;
}

/** By `event.key`; `keys` is what the map shows. */
const LETTERS: Readonly<Record<string, Key>> = {
  j: { keys: "j", says: "next rule", act: () => choose(1) },
  k: { keys: "k", says: "previous rule", act: () => choose(-1) },
  n: { keys: "n", says: "add a rule", act: () => newRule() },
  "[": { keys: "[", says: "previous message", act: () => showMail(mailIndex.value - 1) },
  "]": { keys: "]", says: "next message", act: () => showMail(mailIndex.value + 1) },
  o: { keys: "o", says: "open mail", act: () => document.getElementById("open-mail")?.click() },
  t: { keys: "t", says: "make this a test", act: makeTest },
  "?": { keys: "?", says: "this map", act: () => document.getElementById("keys")?.togglePopover() },
};

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function onChord(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase();
  if (key === "s" && edits.value.length > 0) document.getElementById("review")?.togglePopover();
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
  if (event.key === "F6") {
    nextPane();
    event.preventDefault();
    return;
  }
  if (event.key === "Escape" && openRule.value !== null) openRule.value = null;
  if (isTyping(event)) return;
  const letter = LETTERS[event.key];
  if (letter !== undefined && !event.altKey) {
    letter.act();
    event.preventDefault();
  } else if (onRuleKey(event)) event.preventDefault();
}

export function KeyMap(): VNode {
  const more = [
    ["Enter", "open the rule; Esc closes it"],
    ["s", "switch the rule on or off"],
    ["Alt ↑ or Alt ↓", "move the rule; its rank follows"],
    ["Ctrl S", "review and save"],
    ["Ctrl Z", "undo; with Shift, redo"],
    ["F6", "next pane"],
  ];
  const rows = [...Object.values(LETTERS).map(({ keys, says }) => [keys, says]), ...more];
  return html`<div class="pop pop-right" id="keys" popover role="dialog" aria-labelledby="keys-h"><h2 id="keys-h">Keyboard map</h2>
    <dl class="keys">${rows.map(([keys, says]) => html`<dt><kbd>${keys}</kbd></dt><dd>${says}</dd>`)}</dl></div>`;
}
