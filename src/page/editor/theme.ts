/** The editor takes its colours from the page's tokens, so that it follows both themes. */
import { type Extension, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { type CodeColour, type CodeKind, tokensOf } from "./tokens.ts";

const MARKS = Object.fromEntries(
  (["name", "string", "number", "call", "op"] as const).map((kind) => [
    kind,
    Decoration.mark({ class: `cm-${kind}` }),
  ]),
) as Readonly<Record<CodeColour, Decoration>>;

function coloured(text: string, code: CodeKind): DecorationSet {
  return Decoration.set(
    tokensOf(text, code).map(({ start, end, kind }) => MARKS[kind].range(start, end)),
  );
}

/** Colours the whole text again whenever it changes: rule texts are short. */
export function codeColours(code: CodeKind): Extension {
  return StateField.define<DecorationSet>({
    create: ({ doc }) => coloured(doc.toString(), code),
    update: (marks, { docChanged, newDoc }) =>
      docChanged ? coloured(newDoc.toString(), code) : marks,
    provide: (field) => EditorView.decorations.from(field),
  });
}

export const codeTheme: Extension = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { fontFamily: "var(--font-mono)", caretColor: "var(--ink)", padding: "6px 0" },
  ".cm-gutters": {
    backgroundColor: "var(--sunk)",
    color: "var(--ink-3)",
    border: "0",
    fontFamily: "var(--font-mono)",
  },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent-soft)",
    color: "var(--ink)",
  },
  ".cm-completionDetail": { color: "var(--ink-3)", marginLeft: "1em", fontStyle: "normal" },
  ".cm-said": { padding: "6px 8px", maxWidth: "420px" },
  ...Object.fromEntries(
    Object.keys(MARKS).map((kind) => [`.cm-${kind}`, { color: `var(--code-${kind})` }]),
  ),
});
