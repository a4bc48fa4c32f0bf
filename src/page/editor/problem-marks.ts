/** Underlines what the engine's diagnostics point at, and marks their lines. */
import { type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Span } from "../../base/diagnostic.ts";

export interface CodeProblem {
  readonly message: string;
  /** Half-open, in UTF-16 code units; `null`: the whole text. */
  readonly span: Span | null;
}

export const showProblems = StateEffect.define<readonly CodeProblem[]>();

/** Spans are cut at the end of a text that may have changed since. */
function decorationsFor(problems: readonly CodeProblem[], length: number): DecorationSet {
  const ranges = problems.flatMap(({ message, span }): Range<Decoration>[] => {
    const from = Math.max(0, Math.min(span?.start ?? 0, length));
    const to = Math.max(from, Math.min(span?.end ?? length, length));
    if (from === to) return [];
    return [Decoration.mark({ class: "cm-bad", attributes: { title: message } }).range(from, to)];
  });
  return Decoration.set(ranges, true);
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    let next = marks.map(changes);
    for (const effect of effects) {
      if (effect.is(showProblems)) next = decorationsFor(effect.value, newDoc.length);
    }
    return next;
  },
  provide: (own) => EditorView.decorations.from(own),
});

export const problemMarks: Extension = [
  field,
  EditorView.baseTheme({
    ".cm-bad": { textDecoration: "underline wavy var(--rejected)", textUnderlineOffset: "3px" },
  }),
];
