/**
 * A text editor for one field of a rule: CodeMirror with highlighting, completion and the engine's diagnostics. It lives in a
 * shadow root, so that its styles are adopted style sheets, which a strict Content-Security-Policy allows. Undo is the page's
 * own: every keystroke is an edit of the rule.
 */
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { EditorState, type Extension, Transaction } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "../view/html.ts";
import { completeCel, completeJson, hoverCel, hoverJson } from "./completions.ts";
import type { JsonRoot } from "./json-words.ts";
import { type CodeProblem, problemMarks, showProblems } from "./problem-marks.ts";
import { codeColours, codeTheme } from "./theme.ts";
import type { CodeKind } from "./tokens.ts";

export type { CodeKind, CodeProblem };

export interface CodeEditorProps {
  readonly kind: CodeKind;
  /** What a JSON text describes. */
  readonly root?: JsonRoot;
  readonly label: string;
  readonly text: string;
  readonly problems: readonly CodeProblem[];
  readonly onChange: (text: string) => void;
}

function wordsFor({ kind, root = "rule" }: CodeEditorProps): Extension {
  if (kind === "pattern") return [];
  return kind === "cel"
    ? [autocompletion({ override: [completeCel] }), hoverCel]
    : [autocompletion({ override: [completeJson(root)] }), hoverJson(root)];
}

function extensionsFor(props: CodeEditorProps, onChange: (text: string) => void): Extension {
  const { kind, label } = props;
  return [
    problemMarks,
    lineNumbers(),
    wordsFor(props),
    codeColours(kind),
    codeTheme,
    EditorView.lineWrapping,
    keymap.of([...completionKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      // A text set from outside is not an edit: after an undo it would discard the steps that redo can restore.
      const isTyped = update.transactions.some(
        (each) => each.docChanged && each.annotation(Transaction.remote) !== true,
      );
      if (isTyped) onChange(update.state.doc.toString());
    }),
  ];
}

export function CodeEditor(props: CodeEditorProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Whether the editor shows a problem: each dispatch costs as much as a key. */
  const hasProblems = useRef(false);
  const onChange = useRef(props.onChange);
  onChange.current = props.onChange;

  useLayoutEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: props.text,
        extensions: extensionsFor(props, (text) => onChange.current(text)),
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Runs before the next key: later, drawing this text would undo a key typed in the meantime.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const shown = editor.state.doc.toString();
    // Typed text is already in the editor; text from undo or another rule is not.
    if (shown !== props.text && !(editor.hasFocus && props.kind === "json")) {
      editor.dispatch({
        changes: { from: 0, to: shown.length, insert: props.text },
        annotations: Transaction.remote.of(true),
      });
    }
    if (props.problems.length === 0 && !hasProblems.current) return;
    hasProblems.current = props.problems.length > 0;
    editor.dispatch({ effects: showProblems.of(props.problems) });
  }, [props.text, props.problems]);

  return html`<div class="field"><span class="label">${props.label}</span>
    <div class=${props.problems.length > 0 ? "code code-bad" : "code"} ref=${host}></div>
    ${
      props.problems.length === 0
        ? null
        : html`<ul class="diags">${props.problems.map(
            ({ message, span }) =>
              html`<li class="d-bad"><span>${message}</span><span class="faint">${span === null ? "" : `at ${span.start + 1}`}</span></li>`,
          )}</ul>`
    }</div>`;
}
