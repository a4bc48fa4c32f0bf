/** The editor's colours are the page's tokens, so that both themes hold in it. */
import { HighlightStyle } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const codeHighlight = HighlightStyle.define([
  { tag: tags.variableName, color: "var(--code-name)" },
  { tag: tags.propertyName, color: "var(--code-name)" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.keyword, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.function(tags.variableName), color: "var(--code-call)" },
  { tag: tags.standard(tags.name), color: "var(--code-call)" },
  { tag: [tags.operator, tags.comment], color: "var(--code-op)" },
]);

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
});
