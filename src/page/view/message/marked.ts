/** A text in which the match of a rule is marked. */
import type { VNode } from "preact";
import { type Mark, piecesOf } from "../../model/decide.ts";
import { html } from "../html.ts";

export function Marked({ text, mark }: { text: string; mark: Mark | undefined }): VNode {
  const pieces = piecesOf(text, mark).map(({ text: part, kind }) =>
    kind === "plain"
      ? part
      : kind === "group"
        ? html`<mark class="group">${part}</mark>`
        : html`<mark>${part}</mark>`,
  );
  return html`<span>${pieces}</span>`;
}
