/** How the fields of a rule are read: what they hold, and the words of what is wrong with them. */
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../../../src/base/diagnostic.ts";
import { LIMITS } from "../../../../src/base/limits.ts";
import { compileDomain } from "../../../../src/engine/routing/compile-domain.ts";
import { choicesField } from "../../../../src/engine/routing/rules/rule-type.ts";

const withRule = (type: string, config: object): object => ({
  domain: "own.test",
  routing_engine: "rules",
  rules: [{ type, config: { forward: "m@x.test", ...config } }],
});

describe("scopes", () => {
  const withScopes = (scopes: unknown): object => withRule("regex", { regex: "a", scopes });
  const any = "list any of `recipient`, `sender`, `subject`, `body`";
  const most = LIMITS.choicesMax;

  test.each<[unknown, readonly string[]]>([
    [undefined, [`config/missing-field scopes: \`scopes\` is missing: ${any}`]],
    ["body", [`config/wrong-type scopes: \`scopes\` is not an array: ${any}`]],
    [[], [`rule/no-scopes scopes: \`scopes\` is empty: ${any}`]],
    [
      ["to", "body", 7],
      [
        "rule/unknown-scope scopes.0: `to` is not a scope: use any of `recipient`, `sender`, `subject`, `body`",
        "rule/unknown-scope scopes.2: this is not a scope: use any of `recipient`, `sender`, `subject`, `body`",
      ],
    ],
    [
      Array(most + 1).fill("body"),
      [`config/too-many scopes: \`scopes\` has ${most + 1} entries: at most ${most} are allowed`],
    ],
  ])("of %j are refused", (scopes, said) => {
    const result = compileDomain(withScopes(scopes));
    const found = result.ok ? [] : result.diagnostics;
    expect(
      found.map(({ code, path, message }) => `${code} ${path.slice(3).join(".")}: ${message}`),
    ).toEqual(said);
  });

  test("are not read in part", () => {
    const letters = choicesField(["a", "b"], "letter");
    const found: string[] = [];
    const report = ({ message }: Diagnostic): void => void found.push(message);
    const read = (value: unknown): unknown =>
      letters.read({ values: { value }, path: [], report }, "value", {
        engine: null,
        programs: undefined,
      });
    expect([read(["a", "c"]), read(["b", "a"])]).toEqual([null, ["a", "b"]]);
    expect(found).toEqual(["`c` is not a letter: use any of `a`, `b`"]);
  });

  test("are searched once each, in the order of all", () => {
    const listed = ["body", "sender", "body"];
    const scopes = [...listed, ...Array(most - listed.length).fill("body")];
    const result = compileDomain(withScopes(scopes));
    expect(result.ok && result.domain.rules[0]!.matcher.searches?.scopes).toEqual([
      "sender",
      "body",
    ]);
  });
});
