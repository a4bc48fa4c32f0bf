/** Checks the Mustache of a template's text before it is saved or rendered. */
import Mustache from "mustache";
import { LIMITS } from "../../../base/limits.ts";
import { lineColumnAt } from "../../../base/render-diagnostic.ts";

/** A tag as the reader returns it; sections have their contents at index 4. */
type MustacheToken = readonly unknown[];

function isSection(token: MustacheToken): boolean {
  return token[0] === "#" || token[0] === "^";
}

/** The depth of nested sections. */
function depthOf(tokens: readonly MustacheToken[]): number {
  let depth = 0;
  let level = tokens.filter(isSection);
  while (level.length > 0) {
    depth++;
    level = level.flatMap((token) => (token[4] as MustacheToken[]).filter(isSection));
  }
  return depth;
}

/** The reader's own error, as a place in the text and advice. */
function inOurWords(error: string, text: string): string {
  const [, what, section, offset] = /^(.*?)(?: "(.*)")? at (\d+)$/s.exec(error) ?? [];
  if (offset === undefined) return "a `{{=…=}}` tag names two delimiters: write `{{=<% %>=}}`";
  const { line, column } = lineColumnAt(text, Number(offset));
  const place = `(line ${line}, column ${column})`;
  const name = (section ?? "").slice(0, 80);
  if (what === "Unopened section") return `\`{{/${name}}}\` closes no section ${place}`;
  if (what === "Unclosed section") {
    return `the section \`${name}\` is not closed: write \`{{/${name}}}\` ${place}`;
  }
  return `a tag is not closed: write \`}}\` ${place}`;
}

/** Why `text` cannot be rendered as Mustache, or `null` if it can. */
export function mustacheProblem(text: string): string | null {
  // The reader looks for `\s*}}` from every blank: a run of n blanks takes n² steps.
  const run = new RegExp(`\\s{${LIMITS.templateBlanksMax + 1}}`).exec(text);
  if (run !== null) {
    const { line, column } = lineColumnAt(text, run.index);
    return `more than ${LIMITS.templateBlanksMax} blanks in a row: remove some (line ${line}, column ${column})`;
  }
  let tokens: readonly MustacheToken[];
  try {
    // A new writer, because the shared one keeps every template it has seen.
    tokens = new Mustache.Writer().parse(text) as readonly MustacheToken[];
  } catch (error) {
    return inOurWords(error instanceof Error ? error.message : "", text);
  }
  if (depthOf(tokens) <= LIMITS.templateDepthMax) return null;
  return `sections are nested more than ${LIMITS.templateDepthMax} deep: flatten them`;
}
