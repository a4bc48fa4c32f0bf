/**
 * Completion and hover texts. For CEL: variables with their value in the current message, functions, and header names of the
 * mail. For JSON: what the schema of domain files allows.
 */
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { shorten } from "../model/words.ts";
import { mail, mails } from "../state.ts";
import { type CelCall, celCallSaid, celCalls } from "./cel-calls.ts";
import { type JsonRoot, jsonWordSaid, jsonWordsAt } from "./json-words.ts";
import { CEL_VARIABLES } from "./tokens.ts";

/** Most header names offered from a large mailbox. */
const HEADERS_MAX = 200;
const MAILS_SEEN_MAX = 500;

function shownValue(variable: string): string {
  const { sender, recipient, subject, body, size, headers, attachments } = mail.value;
  const values: Readonly<Record<string, string>> = {
    sender,
    recipient,
    subject,
    body,
    size: String(size),
    headers: `${headers.size} fields`,
    attachments: attachments.map(({ filename }) => filename).join(", ") || "none",
  };
  return shorten(values[variable] ?? "", 40);
}

function headerNames(): readonly string[] {
  const names = new Set<string>();
  for (const { headers } of mails.value.slice(0, MAILS_SEEN_MAX)) {
    for (const name of headers.keys()) names.add(name);
  }
  return [...names].sort().slice(0, HEADERS_MAX);
}

const callOption = ({ name, says }: CelCall): Completion => ({
  label: name,
  info: says,
  type: "function",
});

export function completeCel(context: CompletionContext): CompletionResult | null {
  const header = context.matchBefore(/headers\[["'][\w-]*/);
  if (header !== null) {
    const from = header.from + "headers['".length;
    return { from, options: headerNames().map((label) => ({ label, type: "property" })) };
  }
  const member = context.matchBefore(/(?:\b\w+)?\.\w*/);
  if (member !== null) {
    const dot = member.text.indexOf(".") + 1;
    const calls = celCalls(member.text.slice(0, dot - 1));
    return { from: member.from + dot, options: calls.map(callOption) };
  }
  const word = context.matchBefore(/\w+/);
  if (word === null && !context.explicit) return null;
  const variables = Object.entries(CEL_VARIABLES).map(
    ([label, { type, says }]): Completion => ({
      label,
      detail: `${type}  ${shownValue(label)}`,
      info: says,
      type: "variable",
      boost: 1,
    }),
  );
  return {
    from: word?.from ?? context.pos,
    options: [...variables, ...celCalls(null).map(callOption)],
  };
}

/** Completes keys, and values with few choices. */
export function completeJson(root: JsonRoot): CompletionSource {
  return ({ state, pos, explicit }) => {
    const text = state.doc.toString();
    const place = jsonWordsAt(text, pos, root);
    if (place === null || (place.from === pos && !explicit)) return null;
    const word = /^(?:"[^"\n]*"?|\w+)?/.exec(text.slice(place.from))![0];
    const end = place.from + word.length;
    const hasColon = /^\s*:/.test(text.slice(end));
    const options = place.words.map(
      ({ text: label, kind, says }): Completion => ({
        label,
        info: says,
        type: kind === "key" ? "property" : "constant",
        apply: kind === "key" && !hasColon ? `${label}: ` : label,
      }),
    );
    return { from: place.from, to: Math.max(end, pos), options };
  };
}

/** Shows the documentation of the word under the pointer. */
function hoverWith(saidAt: (text: string, pos: number) => string | null): Extension {
  return hoverTooltip((view, pos) => {
    const text = saidAt(view.state.doc.toString(), pos);
    if (text === null || text === "") return null;
    const word = view.state.wordAt(pos);
    return {
      pos: word?.from ?? pos,
      end: word?.to ?? pos,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-said";
        dom.textContent = text;
        return { dom };
      },
    };
  });
}

function celSaid(text: string, pos: number): string | null {
  const start = /\w*$/.exec(text.slice(0, pos))!.index;
  const name = /^\w*/.exec(text.slice(start))![0];
  const variable = CEL_VARIABLES[name];
  return variable === undefined
    ? celCallSaid(name)
    : `${name}: ${variable.type}. ${variable.says} Here: ${shownValue(name)}`;
}

export const hoverCel: Extension = hoverWith(celSaid);
export const hoverJson = (root: JsonRoot): Extension =>
  hoverWith((text, pos) => jsonWordSaid(text, pos, root));
