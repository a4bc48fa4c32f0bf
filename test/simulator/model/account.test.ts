import { describe, expect, test } from "vitest";
import {
  getAccount,
  isPaid,
  listWhitelabels,
  requirePaid,
} from "../../../src/simulator/model/account.ts";
import type { Plan } from "../../../src/simulator/model/records.ts";
import { countUsage, type Direction, usageLeft } from "../../../src/simulator/model/usage.ts";
import { emptyFixture, type Fixture, fixtureOf, problemOf } from "./fixture.ts";

test("the account is what the world says, and a service without one is a defect", async () => {
  const { service } = await fixtureOf({
    account: { email: "me@account.example", privacy_level: 2, lock_reason: "unpaid" },
    plan: { name: "free", kind: "free", domains_limit: 3 },
    whitelabels: ["b.example", "a.example"],
  });
  const { row, overQuota } = await getAccount(service);
  expect(row).toMatchObject({ email: "me@account.example", privacyLevel: 2, lockReason: "unpaid" });
  expect(row.plan).toMatchObject({ name: "free", kind: "free", domains_limit: 3 });
  expect(overQuota).toBe(false);
  expect(await listWhitelabels(service)).toEqual(["b.example", "a.example"]);
  await expect(getAccount(emptyFixture().service)).rejects.toThrow("seed a world first");
});

test.each([
  ["free", false],
  ["premium", true],
  ["enterprise", true],
] as const)("a %s plan is paid: %s", async (kind, paid) => {
  const { service } = await fixtureOf({ plan: { kind, name: "the plan" } });
  expect(isPaid((await getAccount(service)).row.plan)).toBe(paid);
  if (paid) {
    expect(await requirePaid(service, "sending")).toBeUndefined();
  } else {
    const problem = await problemOf(service, () => requirePaid(service, "sending"));
    expect([problem.status, problem.message]).toEqual([
      403,
      "sending needs a paid plan: `the plan` is a free one",
    ]);
  }
});

describe("usage", () => {
  const limits: Partial<Plan> = {
    daily_receive_limit: 3,
    monthly_receive_limit: 5,
    daily_send_limit: 2,
    monthly_send_limit: 0,
  };
  const count = async (
    { service }: Fixture,
    direction: Direction,
    messages: number,
  ): Promise<number> => {
    const { plan } = (await getAccount(service)).row;
    await service.store.transaction(() => countUsage(service, direction, plan, messages));
    return usageLeft(service, direction, plan);
  };

  test("is counted by day and month, in UTC, receiving apart from sending (usage-periods)", async () => {
    const fixture = await fixtureOf({ plan: limits });
    const { service, clock } = {
      ...fixture,
      clock: fixture.service.clock as never as { set(ms: number): void },
    };
    clock.set(Date.parse("2026-01-30T23:59:59.999Z"));
    expect(await count(fixture, "receive", 2)).toBe(1);
    expect(await count(fixture, "send", 1)).toBe(1);
    clock.set(Date.parse("2026-01-31T00:00:00Z"));
    expect(await count(fixture, "receive", 0)).toBe(3);
    expect(await count(fixture, "receive", 1)).toBe(2);
    expect(await count(fixture, "receive", 1)).toBe(1);
    clock.set(Date.parse("2026-02-01T00:00:00Z"));
    expect(await count(fixture, "receive", 0)).toBe(3);
    expect((await getAccount(service)).overQuota).toBe(false);
  });

  test("a monthly limit of 0 is none, a daily one is nothing at all", async () => {
    const fixture = await fixtureOf({ plan: { ...limits, monthly_receive_limit: 0 } });
    expect(await count(fixture, "receive", 0)).toBe(3);
    const closed = await fixtureOf({ plan: { ...limits, daily_send_limit: 0 } });
    expect(await count(closed, "send", 0)).toBe(0);
  });

  test.each(["receive", "send"] as const)(
    "that leaves nothing to %s is over quota; what the plan does not allow is not counted (over-quota)",
    async (direction) => {
      const fixture = await fixtureOf({ plan: limits });
      const max = limits[`daily_${direction}_limit`]!;
      expect(await count(fixture, direction, max + 1)).toBe(max);
      expect(await count(fixture, direction, max)).toBe(0);
      expect((await getAccount(fixture.service)).overQuota).toBe(true);
    },
  );
});
