import { describe, expect, test } from "vitest";
import { mustacheProblem } from "../../../../src/simulator/model/sending/mustache-text.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "../../../../src/simulator/model/sending/templates.ts";
import { exampleFixture, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const DOMAIN = "example.com";

describe("a template", () => {
  test("is created with what is given, got, updated field by field, renamed, deleted", async () => {
    const { service, tick } = await exampleFixture();
    const row = await createTemplate(service, DOMAIN, { name: "welcome", subject: "Hi {{name}}" });
    expect(row).toEqual({
      key: "example.com/welcome",
      domain: DOMAIN,
      name: "welcome",
      description: "",
      subject: "Hi {{name}}",
      htmlBody: "",
      textBody: "",
      createdMs: START_MS,
      updatedMs: START_MS,
    });
    tick();
    const updated = await updateTemplate(service, DOMAIN, "welcome", {
      html_body: "<b>{{{name}}}</b>",
    });
    expect(updated).toEqual({
      ...row,
      htmlBody: "<b>{{{name}}}</b>",
      updatedMs: START_MS + 1_000,
    });
    const renamed = await updateTemplate(service, DOMAIN, "welcome", {
      name: "hello",
      subject: "",
    });
    expect(renamed).toEqual({
      ...updated,
      key: "example.com/hello",
      name: "hello",
      subject: "",
      updatedMs: START_MS + 2_000,
    });
    expect((await problemOf(service, () => getTemplate(service, DOMAIN, "welcome"))).message).toBe(
      "template not found",
    );
    expect(await getTemplate(service, DOMAIN, "hello")).toEqual(renamed);
    expect(await updateTemplate(service, DOMAIN, "hello", { name: "hello" })).toEqual({
      ...renamed,
      updatedMs: START_MS + 3_000,
    });
    await deleteTemplate(service, DOMAIN, "hello");
    const problem = await problemOf(service, () => deleteTemplate(service, DOMAIN, "hello"));
    expect(problem.status).toBe(404);
  });

  test("is listed by name", async () => {
    const { service } = await exampleFixture();
    for (const name of ["b", "c", "a"]) await createTemplate(service, DOMAIN, { name });
    const rows = await listTemplates(service, DOMAIN);
    expect(rows.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test.each<[object, Record<string, RegExp>]>([
    [{}, { name: /missing/ }],
    [{ name: "" }, { name: /not a template's name/ }],
    [{ name: "-a" }, { name: /not a template's name/ }],
    [{ name: "Welcome" }, { name: /not a template's name/ }],
    [{ name: "a\n" }, { name: /not a template's name/ }],
    [{ name: "a".repeat(251) }, { name: /251 characters: at most 250/ }],
    [{ name: 1 }, { name: /not a string/ }],
    [
      {
        name: "a",
        description: "d".repeat(501),
        subject: "s".repeat(251),
        html_body: "h".repeat(100_001),
        text_body: null,
      },
      {
        description: /at most 500/,
        subject: /at most 250/,
        html_body: /at most 100000/,
        text_body: /not a string/,
      },
    ],
    [{ name: "a", subject: "{{#x}}" }, { subject: /the section `x` is not closed/ }],
    [{ name: "a", text_body: "{{" }, { text_body: /a tag is not closed/ }],
  ])("refuses %j", async (input, expected) => {
    const { service } = await exampleFixture();
    const problem = await problemOf(service, () => createTemplate(service, DOMAIN, input));
    expect([problem.status, Object.keys(problem.errors)]).toEqual([400, Object.keys(expected)]);
    for (const [field, message] of Object.entries(expected)) {
      expect(problem.errors[field]?.[0]).toMatch(message);
    }
  });

  test("takes every field at its full length", async () => {
    const { service } = await exampleFixture();
    const input = {
      name: `0${"_-".repeat(124)}a`,
      description: "d".repeat(500),
      subject: "s".repeat(250),
      html_body: "h".repeat(100_000),
      text_body: "t".repeat(100_000),
    };
    expect((await createTemplate(service, DOMAIN, input)).name).toHaveLength(250);
  });

  test("does not take the name of another, created or renamed", async () => {
    const { service } = await exampleFixture();
    await createTemplate(service, DOMAIN, { name: "a" });
    await createTemplate(service, DOMAIN, { name: "b" });
    for (const work of [
      () => createTemplate(service, DOMAIN, { name: "a" }),
      () => updateTemplate(service, DOMAIN, "b", { name: "a" }),
    ]) {
      const problem = await problemOf(service, work);
      expect(problem.errors).toEqual({
        name: ["`a` is already the name of a template: choose another"],
      });
    }
  });

  test("the 201st of a domain is refused", async () => {
    const templates = Array.from({ length: 200 }, (_, index) => ({ name: `t${index}` }));
    const { service } = await fixtureOf({ domains: [{ domain: DOMAIN, templates }] });
    const problem = await problemOf(service, () => createTemplate(service, DOMAIN, { name: "x" }));
    expect([problem.status, problem.message, problem.errors]).toEqual([
      400,
      "a domain has at most 200 templates: delete one first",
      {},
    ]);
    expect(await listTemplates(service, DOMAIN)).toHaveLength(200);
  });

  test("on a free plan cannot be created, but seen, changed and deleted (templates-paid)", async () => {
    const { service } = await fixtureOf({
      plan: { kind: "free", name: "free" },
      domains: [{ domain: DOMAIN, templates: [{ name: "old" }] }],
    });
    const problem = await problemOf(service, () => createTemplate(service, DOMAIN, { name: "x" }));
    expect(problem.status).toBe(403);
    expect((await updateTemplate(service, DOMAIN, "old", { subject: "s" })).subject).toBe("s");
    await deleteTemplate(service, DOMAIN, "old");
  });
});

describe("Mustache", () => {
  test.each([
    "",
    "plain } text {",
    "{{name}} {{{html}}} {{&html}} {{! comment }} {{> partial}}",
    "{{#list}}{{.}}{{/list}}{{^list}}none{{/list}}",
    "{{=<% %>=}}<% name %>",
    `${"{{#a}}".repeat(50)}${"{{/a}}".repeat(50)}`,
    " ".repeat(1_000),
  ])("%j is right", (text) => {
    expect(mustacheProblem(text)).toBeNull();
  });

  test.each([
    ["a {{name", "a tag is not closed: write `}}` (line 1, column 9)"],
    ["a\n{{#b}}", "the section `b` is not closed: write `{{/b}}` (line 2, column 7)"],
    ["{{#a}}{{/b}}", "the section `a` is not closed: write `{{/a}}` (line 1, column 7)"],
    ["x{{/b}}", "`{{/b}}` closes no section (line 1, column 2)"],
    ["{{= <% =}}", "a `{{=…=}}` tag names two delimiters: write `{{=<% %>=}}`"],
    [
      `${"{{#a}}".repeat(51)}${"{{/a}}".repeat(51)}`,
      "sections are nested more than 50 deep: flatten them",
    ],
    [`{{${" ".repeat(99_000)}`, "more than 1000 blanks in a row: remove some (line 1, column 3)"],
  ])("%.40s is not", (text, message) => {
    expect(mustacheProblem(text)).toBe(message);
  });
});
