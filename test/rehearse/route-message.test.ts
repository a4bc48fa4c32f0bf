import { describe, expect, test } from "vitest";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import {
  answer,
  type RoutingQuestion,
  readerOf,
  recipientsNamed,
} from "../../src/rehearse/route-message.ts";

const MESSAGE = "From: a@sender.test\nTo: sales@shop.example\nSubject: offer\n\nthe body\n";

const CONFIGS = {
  recipient: { type: "alias", config: { alias: "sales", forward: "x@else.test" } },
  subject: {
    type: "regex",
    config: { regex: "offer", scopes: ["subject", "body"], forward: "x@else.test" },
  },
  body: { type: "regex", config: { regex: "the body", scopes: ["body"], forward: "x@else.test" } },
} as const;

function question(
  rules: readonly (keyof typeof CONFIGS)[],
  trace: RoutingQuestion["trace"] = "nothing",
): RoutingQuestion {
  const compiled = compileDomain({
    domain: "shop.example",
    routing_engine: "rules",
    rules: rules.map((name) => ({ ...CONFIGS[name], id: name })),
  });
  if (!compiled.ok) throw new Error("the test's domain does not compile");
  const { domain } = compiled;
  return {
    domain,
    recipient: "sales@shop.example",
    sender: undefined,
    senderSource: "header",
    trace,
  };
}

/** A message in chunks of one line, that tells how many of them were asked for. */
function counted(): { open(): AsyncGenerator<Uint8Array>; opened: number; lines: number } {
  const source = {
    opened: 0,
    lines: 0,
    async *open(): AsyncGenerator<Uint8Array> {
      source.opened++;
      for (const line of MESSAGE.match(/.*\n/g) ?? []) {
        source.lines++;
        yield new TextEncoder().encode(line);
      }
    },
  };
  return source;
}

describe("a message is read no further than its decision needs", () => {
  test.each([
    ["recipient", ["recipient", "subject", "body"], 0, 0],
    ["subject", ["subject", "body"], 1, 4],
    // The body stands below the header, which is then not read on its own.
    ["body", ["body"], 1, 5],
  ] as const)("a rule on the %s", async (decidedBy, rules, opened, lines) => {
    const source = counted();
    const { decision } = await answer(question(rules), readerOf(source));
    expect(decision).toMatchObject({ reason: "rule", decidedBy: { id: decidedBy } });
    expect(source).toMatchObject({ opened, lines });
  });

  test("the header is read to find the recipients, and not again for the decision", async () => {
    const source = counted();
    const reader = readerOf(source);
    const asked = question(["subject"]);
    expect(await recipientsNamed(asked.domain, reader)).toEqual(["sales@shop.example"]);
    await answer(asked, reader);
    expect(source).toMatchObject({ opened: 1, lines: 4 });
  });

  test("recipients share what was read", async () => {
    const source = counted();
    const reader = readerOf(source);
    await answer(question(["body"]), reader);
    await answer({ ...question(["body"]), recipient: "other@shop.example" }, reader);
    expect(source.opened).toBe(1);
  });

  test("but whole if everything is to be explained", async () => {
    const source = counted();
    const { facts, trace } = await answer(
      question(["recipient", "body"], "everything"),
      readerOf(source),
    );
    expect(source).toMatchObject({ opened: 1, lines: 5 });
    expect(facts.body).toBe("the body\n");
    expect(trace.map(({ verdict }) => verdict)).toEqual(["matched", "unreached"]);
  });

  test("the decision is the same however it is asked for", async () => {
    for (const rules of [["recipient"], ["subject", "body"], ["body"], []] as const) {
      const ask = (trace: RoutingQuestion["trace"]): Promise<unknown> =>
        answer(question(rules, trace), readerOf(counted())).then(({ decision }) => decision);
      expect(await ask("everything")).toEqual(await ask("nothing"));
      expect(await ask("decision")).toEqual(await ask("nothing"));
    }
  });
});
