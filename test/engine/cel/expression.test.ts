/** Expressions of rules: the variables, the answers, and what fails. */
import { describe, expect, it } from "vitest";
import { compiled, evaluated, FACTS, outcome } from "./evaluate.ts";

describe("variables", () => {
  it.each([
    ["sender", '"ann@example.com"'],
    ["recipient", '"sales@acme.test"'],
    ["subject", '"Your invoice 42"'],
    ["size", "4321"],
    ["headers['received']", '["from a", "from b"]'],
    ["headers.received[1]", '"from b"'],
    ["headers.constructor[0]", '"plain"'],
    ["headers['__proto__'][0]", '"data"'],
    ["headers.size()", "4"],
    ["attachments.map(a, a.filename)", '["invoice.pdf", ""]'],
    ["attachments[1].contentType", '"image/png"'],
    ["attachments[0].size + 1", "2001"],
    ["attachments[0] == attachments[1]", "false"],
    ["type(attachments[0])", "attachment"],
  ])("%s is %s", (source, value) => {
    expect(evaluated(source)).toBe(value);
  });

  it.each(["toString", "hasOwnProperty", "valueOf", "length", "size", "get"])(
    "headers has no %s of its own",
    (name) => {
      expect(outcome(`has(headers.${name})`)).toEqual({ kind: "value", value: false });
      expect(outcome(`"${name}" in headers`)).toEqual({ kind: "value", value: false });
      expect(outcome(`headers["${name}"] == []`).kind).toBe("failed");
    },
  );

  it("fails on a size that is not a whole number, instead of throwing", () => {
    expect(outcome("size + 1 > 0", { ...FACTS, size: Number.NaN }).kind).toBe("failed");
    const attachments = [{ filename: "", contentType: "", size: 0.5 }];
    expect(outcome("attachments[0].size > 0", { ...FACTS, attachments }).kind).toBe("failed");
  });
});

describe("outcomes", () => {
  it("answers true and false", () => {
    expect(outcome('subject.contains("invoice")')).toEqual({ kind: "value", value: true });
    expect(outcome('subject.contains("Invoice")')).toEqual({ kind: "value", value: false });
  });

  it("answers a failure with its place", () => {
    const source = 'true && headers["x-none"][0] == "a"';
    const failed = outcome(source);
    expect(failed).toEqual({
      kind: "failed",
      message: "no such key: test it with `in` first",
      span: { start: 8, end: 25 },
    });
  });

  it("evaluates the same message to the same answer and fuel, however often", () => {
    const expression = compiled('body.matches("p[a-z]+") && [1, 2].exists(n, n > 1)');
    const first = expression.evaluate(FACTS);
    expect(expression.evaluate(FACTS)).toEqual(first);
    const { steps, earlier, ...explained } = expression.explain(FACTS);
    expect(explained).toEqual(first);
    expect(steps.length).toBeGreaterThan(0);
  });
});

describe("unknown facts", () => {
  const envelope = { recipient: "sales@acme.test" };
  const header = { ...FACTS, body: undefined, attachments: undefined, size: undefined };

  it.each([
    ['recipient == "sales@acme.test"', envelope, { kind: "value", value: true }],
    ['recipient == "x@acme.test"', envelope, { kind: "value", value: false }],
    ['sender == "ann@example.com"', envelope, { kind: "unknown", needs: "header" }],
    ['body.contains("x")', header, { kind: "unknown", needs: "body" }],
    ['body.contains("x") || sender == "ann@example.com"', header, { kind: "value", value: true }],
    ['body.contains("x") && sender == "bob@x.org"', header, { kind: "value", value: false }],
    ['size > 10 || sender == "x"', envelope, { kind: "unknown", needs: "header" }],
    ["headers.received.all(v, v == body)", header, { kind: "unknown", needs: "body" }],
    ["1 / 0 > 1 || size > 3", header, { kind: "unknown", needs: "body" }],
    ["1 / 0 > 1", envelope, { kind: "failed" }],
    ["!(size > 3 && false)", header, { kind: "value", value: true }],
    ['[1, 2].all(n, n == 1 && body == "x")', header, { kind: "value", value: false }],
  ] as const)("%s", (source, facts, expected) => {
    expect(outcome(source, facts)).toMatchObject(expected);
  });

  it("does not call true final once an unknown was read", () => {
    // The body may yet spend the fuel, and the rule then fails.
    expect(outcome('[body, "a"].size() == 2 || recipient == ""', envelope).kind).toBe("unknown");
    expect(outcome('headers.received.exists(v, body == v || v == "from a")', header)).toMatchObject(
      {
        kind: "value",
        value: true,
      },
    );
    expect(outcome('headers.received.exists(v, body == v || v == "from b")', header)).toMatchObject(
      {
        kind: "unknown",
      },
    );
  });

  it("tells an empty fact from an unknown one", () => {
    expect(outcome('subject == ""', { subject: "" })).toEqual({ kind: "value", value: true });
    expect(outcome("headers.size() == 0", { headers: new Map() })).toEqual({
      kind: "value",
      value: true,
    });
  });
});
