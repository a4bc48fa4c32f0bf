/** The whole domain file as JSON, with completion by its schema and the engine's diagnostics in place. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { Path } from "../../base/diagnostic.ts";
import { findJsonMistake, locateValues } from "../../base/json-text.ts";
import { CodeEditor, type CodeProblem } from "../editor/code-editor.ts";
import { type DomainDraft, domainFile, readDomain } from "../model/domain.ts";
import { compiled, draft, editDomain, rules } from "../state.ts";
import { html } from "./html.ts";

/** The engine's diagnostics, each from the start of its value to the end of that line. */
function problemsIn(text: string): readonly CodeProblem[] {
  const { problems, general } = compiled.value;
  const places = new Map(rules.value.map(({ id }, index) => [id, index]));
  const found = [...problems].flatMap(([id, own]) =>
    own.map(({ message, path }): { message: string; path: Path } => ({
      message,
      path: ["rules", places.get(id) ?? 0, ...path],
    })),
  );
  const all = [...found, ...general];
  const starts = locateValues(
    text,
    all.map(({ path }) => path),
  );
  return all.map(({ message }, index) => {
    const start = starts[index]!;
    const line = text.indexOf("\n", start);
    return { message, span: { start, end: line < 0 ? text.length : line } };
  });
}

export function DomainJson(): VNode {
  // Why the typed text is not a domain; the draft stays as it was.
  const broken = useSignal<CodeProblem | null>(null);
  // The text as typed, until something else changes the draft.
  const typed = useSignal({ text: "", of: null as DomainDraft | null });
  const apply = (text: string): void => {
    try {
      editDomain(readDomain(JSON.parse(text)));
      typed.value = { text, of: draft.value };
      broken.value = null;
    } catch (error) {
      const mistake = findJsonMistake(text);
      broken.value = mistake ?? { message: (error as Error).message, span: null };
    }
  };
  const text = typed.value.of === draft.value ? typed.value.text : domainFile(draft.value);
  const problems = broken.value === null ? problemsIn(text) : [broken.value];
  return html`<div class="pad"><${CodeEditor} kind="json" root="domain" label="Domain file as JSON" text=${text} problems=${problems} onChange=${apply} /></div>`;
}
