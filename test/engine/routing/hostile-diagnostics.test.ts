/** Whatever an author writes, a message about it is one short line that a terminal shows as it is. */
import { expect, test } from "vitest";
import { renderDiagnostic } from "../../../src/base/render-diagnostic.ts";
import { compileDomain } from "../../../src/engine/routing/compile-domain.ts";

const HOSTILE = [
  "\n",
  "\r",
  "\0",
  "\u001b[2J",
  "\u0085",
  "\u2028",
  "\u202e",
  "\ud800",
  "q".repeat(900),
];
const NOT_SHOWN = /[\p{C}\u2028\u2029]/u;

const EXPRESSIONS = ["X", "1 X 2", '"\\X"', "X(subject)", "subject.X()", "subject.X", "`X`"];
const PATTERNS = ["(?X)", "(?P<X>a)", "[[:X:]]", "\\p{X}", "\\X"];
const ALIASES = ["X", "a@X", "(X"];
const FORWARDS = [
  "X",
  "aX@b",
  "https://X",
  "https://h.test/X",
  "<aX@b.test>",
  "X@own.test",
  "$1X@b.test",
];

function configWith(hostile: string): object {
  const fill = (texts: readonly string[]): string[] =>
    texts.map((one) => one.replaceAll("X", hostile));
  const forward = "m@x.test";
  return {
    [`domai${hostile}`]: "own.test",
    domain: `own${hostile}.test`,
    routing_engine: hostile,
    aliases: fill([...ALIASES, ...ALIASES]).map((alias) => ({ id: hostile, alias, forward })),
    rules: [
      { type: hostile, config: {} },
      { type: "alias", created_at: hostile, active: hostile, config: { alias: "a", forward } },
      { type: "regex", config: { regex: "a", scopes: [hostile], forward } },
      ...fill(EXPRESSIONS).map((expression) => ({ type: "cel", config: { expression, forward } })),
      ...fill(PATTERNS).map((regex) => ({
        type: "regex",
        config: { regex, scopes: ["body"], forward },
      })),
      ...fill(FORWARDS).map((to) => ({ type: "alias", config: { alias: "a", forward: to } })),
    ].map((rule) => ({ id: hostile, ...rule })),
  };
}

test.each(HOSTILE)("%j", (hostile) => {
  const config = configWith(hostile);
  const result = compileDomain(config);
  const diagnostics = result.ok ? [] : result.diagnostics;
  expect(diagnostics.length).toBeGreaterThan(40);
  for (const diagnostic of diagnostics) {
    expect(diagnostic.message).not.toMatch(NOT_SHOWN);
    expect(diagnostic.message.length).toBeLessThan(400);
    const lines = renderDiagnostic(diagnostic, config).split("\n");
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(line).not.toMatch(NOT_SHOWN);
  }
});
