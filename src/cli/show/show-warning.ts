/** Shows a warning about a domain file like a diagnostic. */
import { formatPath, type Path } from "../../base/diagnostic.ts";
import { renderExcerpt } from "../../base/render-diagnostic.ts";
import type { Warning } from "../../rehearse/check/warnings.ts";
import { type Line, styled } from "../line.ts";
import type { Place } from "../read/read-domain.ts";

function textAt(config: unknown, path: Path): string {
  const value = path.reduce<unknown>(
    (found, step) => (found as Record<string, unknown>)[step],
    config,
  );
  return String(value);
}

export function showWarning(file: string, warning: Warning & Place, config: unknown): Line[] {
  const { code, message, path, span, line, column } = warning;
  const said = `warning[${code}] ${formatPath(path)}: ${message}`;
  const head: Line = [styled("bold", `${file}:${line}:${column}:`), " ", styled("yellow", said)];
  if (span === undefined) return [head];
  const excerpt = renderExcerpt(textAt(config, path), span).split("\n");
  return [head, ...excerpt.map((each): Line => [`    ${each}`])];
}
