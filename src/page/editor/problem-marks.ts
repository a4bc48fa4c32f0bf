/** Underlines the spans of the engine's diagnostics, and marks their lines in the gutter. */
import { type Extension, type Range, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  lineNumberMarkers,
} from "@codemirror/view";
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

/** Marks the number of a line where a problem begins. */
class ProblemLine extends GutterMarker {
  override readonly elementClass = "cm-bad-line";
}
const LINE = new ProblemLine();

const markedLines = lineNumberMarkers.compute([field], (state) => {
  const starts = new Set<number>();
  state.field(field).between(0, state.doc.length, (from) => {
    starts.add(state.doc.lineAt(from).from);
  });
  const ordered = [...starts].sort((one, other) => one - other);
  return RangeSet.of(ordered.map((start) => LINE.range(start)));
});

export const problemMarks: Extension = [
  field,
  markedLines,
  EditorView.baseTheme({
    ".cm-bad-line": { color: "var(--rejected)", fontWeight: "700" },
    ".cm-bad-line::before": { content: "'✕ '" },
    ".cm-bad": { textDecoration: "underline wavy var(--rejected)", textUnderlineOffset: "3px" },
  }),
];
