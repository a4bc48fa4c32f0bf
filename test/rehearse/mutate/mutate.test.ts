import { expect, test } from "vitest";
import { mutate } from "../../../src/rehearse/mutate/mutate.ts";
import { inlineFacts } from "../../../src/rehearse/test/inline-message.ts";
import { rehearsed } from "../demo.ts";

const DOMAIN = rehearsed({
  domain: "shop.example",
  routing_engine: "rules",
  rules: [
    {
      id: "all",
      rank: 1,
      type: "regex",
      config: { regex: "invoice", scopes: ["subject"], forward: "a@else.test" },
    },
    {
      id: "never",
      rank: 2,
      type: "regex",
      config: { regex: "invoices", scopes: ["subject"], forward: "b@else.test" },
    },
  ],
});

const message = (subject: string): ReturnType<typeof inlineFacts> =>
  inlineFacts({ recipient: "x@shop.example", sender: "a@b.test", subject });

test("changes of a rule that never fires are proved to change nothing, and do not count", async () => {
  const { mutants } = await mutate(DOMAIN, []);
  const off = mutants.find(({ id, kind }) => id === "never" && kind === "off");
  expect(off?.fate).toEqual({ kind: "equivalent" });
  const first = mutants.find(({ id, kind }) => id === "all" && kind === "off");
  expect(first?.fate).toMatchObject({ kind: "survived", difference: { from: { id: "all" } } });
});

test("what a test or a message notices counts as noticed, by its name", async () => {
  const known = [
    { name: "an invoice", facts: message("invoice 7"), expect: { rule: "all" } },
    { name: "in capitals", facts: message("INVOICE"), expect: { action: "discard" } as const },
    { name: "in the body", facts: inlineFacts({ recipient: "x@shop.example", body: "invoice" }) },
  ];
  const [none, some] = [await mutate(DOMAIN, []), await mutate(DOMAIN, known)];
  expect(none.noticed).toBe(0);
  expect(none.score).toBe(0);
  expect(some.noticed).toBeGreaterThan(4);
  expect(some.score).toBeGreaterThan(none.score);
  const scope = some.mutants.find(({ id, kind }) => id === "all" && kind === "scope");
  expect(scope?.fate).toEqual({ kind: "noticed", by: "in the body" });
  expect(some.noticed + some.survived + some.equivalent).toBe(some.mutants.length);
});

test("a test that fails before any change notices nothing", async () => {
  const wrong = { name: "wrong", facts: message("letter"), expect: { rule: "all" } };
  expect((await mutate(DOMAIN, [wrong])).noticed).toBe(0);
});
