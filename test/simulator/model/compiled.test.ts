import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolve } from "../../../src/engine/routing/resolve.ts";
import { change } from "../../../src/simulator/model/change.ts";
import { compiledDomain } from "../../../src/simulator/model/compiled.ts";
import { createDomain } from "../../../src/simulator/model/domains/create-domain.ts";
import { deleteDomain } from "../../../src/simulator/model/domains/delete-domain.ts";
import { updateDomain } from "../../../src/simulator/model/domains/domains.ts";
import { ServiceProblem } from "../../../src/simulator/model/problem.ts";
import { ALIASES } from "../../../src/simulator/model/records.ts";
import { createAlias, deleteAllAliases } from "../../../src/simulator/model/routing/aliases.ts";
import { createRule, updateRule } from "../../../src/simulator/model/routing/rules.ts";
import type { Service } from "../../../src/simulator/model/service.ts";
import { exampleFixture, problemOf } from "./fixture.ts";

const DOMAIN = "example.com";

/** Where mail to `recipient` goes. */
async function destinations(service: Service, recipient: string): Promise<unknown> {
  const domain = await compiledDomain(service, DOMAIN);
  const facts = { sender: "x@y.example", recipient, subject: "", body: "" };
  const resolution = resolve(domain, facts);
  if (resolution.verdict !== "decided") return "undecided";
  const { action, destinations: found } = resolution;
  return action === "forward"
    ? found.map((to) => (to.kind === "mailbox" ? to.address : to.url))
    : action;
}

describe("the compiled domain", () => {
  test("is what is stored, and kept until it changes", async () => {
    const { service } = await exampleFixture();
    expect(await destinations(service, "sales@example.com")).toEqual(["ann@mail.example"]);
    const kept = await compiledDomain(service, DOMAIN);
    expect(await compiledDomain(service, "EXAMPLE.com")).toBe(kept);
    await createAlias(service, DOMAIN, { alias: "info", forward: "bob@mail.example" });
    expect(await compiledDomain(service, DOMAIN)).not.toBe(kept);
    expect(await destinations(service, "info@example.com")).toEqual(["bob@mail.example"]);
    const rule = { alias: "*", forward: "carol@mail.example" };
    const { id } = await createRule(service, DOMAIN, { type: "alias", config: rule });
    await updateDomain(service, DOMAIN, { routing_engine: "rules" });
    expect(await destinations(service, "info@example.com")).toEqual(["carol@mail.example"]);
    await updateRule(service, DOMAIN, id, { active: false });
    expect(await destinations(service, "info@example.com")).toBe("discard");
  });

  test("has rules of equal rank in the order of creation", async () => {
    const { service, tick } = await exampleFixture();
    await updateDomain(service, DOMAIN, { routing_engine: "rules" });
    for (const [name, id] of [
      ["first", "f"],
      ["second", "0"],
    ] as const) {
      await createRule(service, DOMAIN, {
        id: `${id.repeat(8)}-0000-4000-8000-000000000000`,
        type: "alias",
        rank: 1,
        config: { alias: "*", forward: `${name}@mail.example` },
      });
      tick();
    }
    expect(await destinations(service, "a@example.com")).toEqual(["first@mail.example"]);
  });

  test("is not kept when it was begun before a change", async () => {
    const { service } = await exampleFixture();
    const stale = compiledDomain(service, DOMAIN);
    await deleteAllAliases(service, DOMAIN);
    await stale;
    expect(await destinations(service, "sales@example.com")).toBe("reject");
  });

  test("made of what a change wrote is dropped when the change is undone", async () => {
    const { service, events } = await exampleFixture();
    const undone = change(service, DOMAIN, "aliases", async () => {
      await service.store.table(ALIASES).deleteWhere({ domain: DOMAIN });
      expect(await destinations(service, "sales@example.com")).toBe("reject");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await destinations(service, "sales@example.com")).toEqual(["ann@mail.example"]);
    expect(events).toEqual([]);
  });

  test("is a 404 for a domain that is not there, also after it was there", async () => {
    const { service } = await exampleFixture();
    await compiledDomain(service, DOMAIN);
    await deleteDomain(service, DOMAIN);
    expect((await problemOf(service, () => compiledDomain(service, DOMAIN))).status).toBe(404);
    await createDomain(service, { domain: DOMAIN });
    expect(await destinations(service, "any@example.com")).toEqual(["owner@account.example"]);
  });

  test.each([-8_640_000_000_000_000, 8_640_000_000_000_000])(
    "compiles whatever the clock shows: %i",
    async (nowMs) => {
      const { service } = await exampleFixture();
      const then = { ...service, clock: { ...service.clock, nowMs: () => nowMs } };
      await createAlias(then, DOMAIN, { alias: "then", forward: "bob@mail.example" });
      expect(await destinations(service, "then@example.com")).toEqual(["bob@mail.example"]);
    },
  );
});

const word = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z]{1,8}\*?$/) },
  fc.constantFrom(
    "a",
    "A",
    "sales",
    "*",
    "sa*s",
    "(x+)",
    "[",
    "",
    " ",
    "İ",
    "constructor",
    "\ud800",
  ),
  fc.string({ maxLength: 6 }),
  fc.constant(undefined),
  fc.integer(),
);
const forward = fc.oneof(
  { weight: 4, arbitrary: fc.constant("ann@mail.example, https://hooks.example/x") },
  fc.constantFrom(
    "ann@mail.example",
    "$1@mail.example",
    "null",
    "x@example.com",
    "https://h.example/$1",
    "A@b.c, a@B.c",
  ),
  word,
);
const scopes = fc.subarray(["sender", "recipient", "subject", "body", "to"]);
const expression = fc.oneof(
  fc.constantFrom("true", 'subject == "a"', "1", 'body.matches("(")', "sender in ["),
  word,
);
const rule = fc.record(
  {
    type: fc.constantFrom("alias", "regex", "cel", "__proto__"),
    config: fc.record(
      { alias: word, regex: word, scopes, expression, forward },
      { requiredKeys: ["forward"] },
    ),
    rank: fc.oneof(fc.double(), fc.constant("1"), fc.constant(null)),
    active: fc.oneof(fc.boolean(), fc.constant(1)),
  },
  { requiredKeys: ["type", "config"] },
);

test("whatever is accepted compiles, and whatever is refused is a field problem", async () => {
  const { service } = await exampleFixture();
  const counts = { accepted: 0, refused: 0 };
  const attempt = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      counts.accepted++;
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ServiceProblem);
      expect(Object.keys((thrown as ServiceProblem).errors).length).toBeGreaterThan(0);
      counts.refused++;
    }
  };
  const input = fc.record({ alias: word, forward });
  await fc.assert(
    fc.asyncProperty(input, rule, async (alias, given) => {
      await attempt(createAlias(service, DOMAIN, alias));
      await attempt(createRule(service, DOMAIN, given));
      expect((await compiledDomain(service, DOMAIN)).name).toBe(DOMAIN);
    }),
    { seed: 20261120, numRuns: 300 },
  );
  expect(counts.accepted).toBeGreaterThan(30);
  expect(counts.refused).toBeGreaterThan(100);
});
