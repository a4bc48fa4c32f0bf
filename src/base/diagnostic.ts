/** Diagnostics: what is wrong with an author's configuration, and where. */

/** Steps from the configuration's root to the offending value, e.g. `["rules", 3, "config", "regex"]`. */
export type Path = readonly (string | number)[];

/** Half-open range of UTF-16 code units within the text that a diagnostic or trace entry is about. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Closed list of what can be wrong, as `area/problem`. */
export const DIAGNOSTIC_CODES = [
  "config/not-json",
  "config/not-an-object",
  "config/missing-field",
  "config/wrong-type",
  "config/empty-field",
  "config/too-long",
  "config/too-many",
  "domain/invalid-name",
  "domain/unknown-routing-engine",
  "domain/too-costly",
  "alias/duplicate",
  "alias/duplicate-id",
  "alias/invalid",
  "rule/unknown-type",
  "rule/duplicate-id",
  "rule/rank-not-finite",
  "rule/no-scopes",
  "rule/unknown-scope",
  "destination/invalid",
  "destination/own-domain",
  "destination/null-not-alone",
  "destination/unknown-capture",
  "pattern/syntax",
  "pattern/unsupported",
  "pattern/too-long",
  "pattern/too-deep",
  "pattern/repeat-too-large",
  "pattern/too-costly",
  "cel/syntax",
  "cel/unknown-identifier",
  "cel/unknown-function",
  "cel/type",
  "cel/not-bool",
  "cel/unsupported",
  "cel/too-long",
  "cel/too-deep",
  "cel/too-complex",
] as const;

/** What kind of problem a diagnostic reports, as `area/problem`. Codes never change their meaning. */
export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number];

/** What is wrong with one text (a pattern, an expression, a destination list), before it has a path. */
export interface Problem {
  readonly code: DiagnosticCode;
  /** One line, lower case, no full stop, the input in backticks, and what to do. */
  readonly message: string;
  readonly span?: Span;
}

/** A problem and its place in the configuration. */
export interface Diagnostic extends Problem {
  readonly path: Path;
}

/** `rules[3].config.expression`; the root is written as `(root)`. */
export function formatPath(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text === "" ? "(root)" : text;
}

/** Orders diagnostics by path (numbers by value), then span start, then code. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  const length = Math.min(a.path.length, b.path.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.path[index]!, b.path[index]!];
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return String(left) < String(right) ? -1 : 1;
  }
  if (a.path.length !== b.path.length) return a.path.length - b.path.length;
  const start = (a.span?.start ?? -1) - (b.span?.start ?? -1);
  if (start !== 0) return start;
  return a.code < b.code ? -1 : a.code > b.code ? 1 : 0;
}
