/** Mustache over JSON: like the library where it is safe, and bounded. */
import fc from "fast-check";
import Mustache from "mustache";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { RenderLimitError, renderTemplate } from "../../../src/simulator/send/send-render.ts";

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const variables = fc.record({
  a: scalar,
  b: fc.record({ a: scalar, c: scalar }),
  list: fc.array(fc.record({ a: scalar }), { maxLength: 3 }),
  words: fc.array(fc.string(), { maxLength: 3 }),
  none: fc.constant([]),
});
const leaf = fc.constantFrom(
  "{{a}}",
  "{{{a}}}",
  "{{&a}}",
  "{{b.c}}",
  " text ",
  "{{absent}}",
  "{{! note }}",
  "{{> part}}",
);
const section = fc.constantFrom("a", "b", "list", "words", "none", "absent");
const template = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc
      .tuple(fc.constantFrom("#", "^"), section, tie("node"), tie("node"))
      .map(([kind, name, one, two]) => `{{${kind}${name}}}${one}${two}{{/${name}}}`),
  ),
})).node;

test("gives what the library gives, in HTML and in text", () => {
  fc.assert(
    fc.property(template, variables, (source, values) => {
      expect(renderTemplate(source, values, "html")).toBe(Mustache.render(source, values));
      const plain = Mustache.render(source, values, {}, { escape: String });
      expect(renderTemplate(source, values, "text")).toBe(plain);
    }),
    { seed: 20261120, numRuns: 500 },
  );
});

describe("missing-variables", () => {
  test.each([
    "{{constructor}}",
    "{{constructor.name}}",
    "{{__proto__}}",
    "{{toString}}",
    "{{b.constructor}}",
    "{{words.map}}",
    "{{#constructor}}shown{{/constructor}}",
    "{{#toString}}shown{{/toString}}",
    "{{b}}",
    "{{words}}",
    "{{nothing}}",
  ])("%s is nothing", (source) => {
    const values = { b: { c: 1 }, words: ["x"], nothing: null };
    expect(renderTemplate(source, values, "text")).toBe("");
  });

  test("a variable may be called like what every object has", () => {
    const values = JSON.parse('{"constructor":"mine","__proto__":{"a":1},"toString":"too"}');
    const source = "{{constructor}} {{__proto__.a}} {{toString}}";
    expect(renderTemplate(source, values, "text")).toBe("mine 1 too");
  });
});

describe("bounds", () => {
  test.each([
    ["rounds of sections", "{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}", { a: Array(200).fill(1) }],
    ["text in sections", `{{#a}}${"x".repeat(20_000)}{{/a}}`, { a: Array(100).fill(1) }],
    ["long values", "{{#a}}{{.}}{{/a}}", { a: Array(100).fill("x".repeat(20_000)) }],
    ["steps of long names", `{{#a}}{{${"b.".repeat(5_000)}b}}{{/a}}`, { a: Array(100).fill(1) }],
  ])("%s", (_, source, values) => {
    expect(() => renderTemplate(source, values, "html")).toThrow(RenderLimitError);
  });

  test("up to the bound it renders", () => {
    const text = "x".repeat(LIMITS.renderedUnitsMax);
    expect(renderTemplate("{{a}}", { a: text }, "html")).toBe(text);
    expect(() => renderTemplate("{{a}}x", { a: text }, "html")).toThrow(RenderLimitError);
  });
});
