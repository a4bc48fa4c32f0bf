/** Routing one message for one recipient, reading no further than needed. */
import { describe, expect, test } from "vitest";
import { type CompiledDomain, compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { type RouteOptions, route, stagedMessage } from "../../src/message/index.ts";

const MESSAGE = "From: a@sender.test\nSubject: offer\n\nthe body\n";
const RULES = {
  recipient: { type: "alias", config: { alias: "sales", forward: "x@else.test" } },
  subject: {
    type: "regex",
    config: { regex: "offer", scopes: ["subject"], forward: "x@else.test" },
  },
  body: { type: "regex", config: { regex: "body", scopes: ["body"], forward: "x@else.test" } },
} as const;

function domainOf(...names: (keyof typeof RULES)[]): CompiledDomain {
  const compiled = compileDomain({
    domain: "own.test",
    routing_engine: "rules",
    rules_fallback_email: null,
    rules: names.map((name) => ({ ...RULES[name], id: name })),
  });
  if (!compiled.ok) throw new Error("the test's domain does not compile");
  return compiled.domain;
}

const ENVELOPE = { recipient: "sales@own.test", sender: "bounce@sender.test" };

/** The message line by line, telling how many lines were asked for and whether it was closed. */
function counted(): { source: AsyncGenerator<Uint8Array>; lines: number; closed: number } {
  const counts = { lines: 0, closed: 0 };
  async function* lines(): AsyncGenerator<Uint8Array> {
    try {
      for (const line of MESSAGE.match(/.*\n/g) ?? []) {
        counts.lines++;
        yield Buffer.from(line);
      }
    } finally {
      counts.closed++;
    }
  }
  return Object.assign(counts, { source: lines() });
}

describe("route reads a stream no further than its decision needs", () => {
  test.each([
    ["envelope", ["recipient", "body"], 0, 0],
    ["header", ["subject", "body"], 3, 1],
    ["body", ["body"], 4, 1],
  ] as const)("to the %s", async (stage, rules, lines, closed) => {
    const read = counted();
    const routed = await route(domainOf(...rules), ENVELOPE, read.source);
    expect(routed).toMatchObject({
      stage,
      problems: [],
      decision: { decidedBy: { id: rules[0] } },
    });
    expect(read).toMatchObject({ lines, closed });
  });

  test("and from bytes alike", async () => {
    const bytes = Buffer.from(MESSAGE);
    const { stage, decision } = await route(domainOf("subject", "body"), ENVELOPE, bytes);
    expect([stage, decision.decidedBy?.id]).toEqual(["header", "subject"]);
  });

  test("and tells what could not be read", async () => {
    const options: RouteOptions = { limits: { headerFieldsMax: 1 } };
    const routed = await route(domainOf("subject"), ENVELOPE, Buffer.from(MESSAGE), options);
    expect(routed).toMatchObject({
      decision: { reason: "rule" },
      problems: [{ code: "too-many-fields" }],
    });
  });

  test("rejects options it does not know", async () => {
    const options = { limit: {} } as RouteOptions;
    await expect(route(domainOf(), ENVELOPE, Buffer.from(""), options)).rejects.toThrow(TypeError);
  });
});

describe("a staged message", () => {
  test("is read once by recipients that share it, at the same time too", async () => {
    const read = counted();
    const message = stagedMessage(read.source);
    const domain = domainOf("subject", "body");
    const routed = await Promise.all(
      ["a", "b", "c"].map((name) => route(domain, { recipient: `${name}@own.test` }, message)),
    );
    expect(routed.map(({ stage }) => stage)).toEqual(["header", "header", "header"]);
    expect(read).toMatchObject({ lines: 3, closed: 0 });
    expect(Buffer.from(await message.octets()).toString()).toBe(MESSAGE);
    expect(read.lines).toBe(4);
    const header = await message.upTo("header");
    const body = await message.upTo("body");
    expect([header?.subject, body]).toMatchObject(["offer", { body: "the body\n" }]);
    expect(await message.upTo("header")).toBe(body);
  });

  test("is not read on once it was closed", async () => {
    const read = counted();
    const message = stagedMessage(read.source);
    await message.upTo("header");
    await message.close();
    expect(read.closed).toBe(1);
    await expect(message.upTo("body")).rejects.toThrow("was closed");
  });

  test("rejects every stage with what its source throws", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("From: a@b.test\n");
      throw new Error("the line is down");
    }
    const message = stagedMessage(failing());
    await expect(message.upTo("header")).rejects.toThrow("the line is down");
    await expect(message.upTo("body")).rejects.toThrow("the line is down");
  });

  test("does not give octets beyond its bound, but facts", async () => {
    const message = stagedMessage(counted().source, { limits: { messageBytesMax: 10 } });
    await expect(message.octets()).rejects.toThrow(RangeError);
    expect((await message.upTo("body"))?.problems.map(({ code }) => code)).toContain(
      "message-too-large",
    );
  });
});
