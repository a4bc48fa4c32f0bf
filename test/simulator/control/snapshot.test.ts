/** Reset, seed, snapshot and restore: the whole state, put in place at once or not at all. */
import { describe, expect, test } from "vitest";
import { ServiceProblem, type SimulatorSnapshot } from "../../../src/simulator/index.ts";
import { ask, json, statuses, WORLD } from "../client.ts";
import { open, receive } from "./open.ts";

describe("a snapshot", () => {
  test("brings back everything, in the same simulator and in another", async () => {
    const simulator = await open();
    simulator.control.dns.set({ type: "MX", name: "own.test", values: [] });
    await simulator.control.faults.add({ match: "bob@*", code: 550, times: 2 });
    const [first] = await receive(simulator, ["later@own.test", "info@own.test"]);
    await simulator.clock.advance(60_000);
    const taken = await simulator.control.snapshot();
    expect(JSON.parse(JSON.stringify(taken))).toEqual(taken);
    expect(taken.queue).toHaveLength(1);

    await simulator.clock.advance(10 * 86_400_000);
    await json(simulator, "DELETE /v4/domains/ruled.test", { status: 204 });
    await simulator.control.faults.clear();
    simulator.control.dns.unset("MX", "own.test");

    const other = await open({ world: {}, seed: "another" });
    for (const target of [simulator, other]) {
      await target.control.restore(taken);
      expect(await target.control.snapshot()).toEqual(taken);
      expect(await statuses(target, first!)).toEqual(["QUEUED", "SOFT-BOUNCE"]);
      // It goes on from there: what was due is due, and no id is given twice.
      const [next] = await receive(target, ["later@own.test"]);
      expect(next! > first!).toBe(true);
      await target.clock.advance(10 * 86_400_000);
      expect((await statuses(target, first!)).at(-1)).toBe("BOUNCED");
    }
    expect(await simulator.control.snapshot()).toEqual(await other.control.snapshot());
  });

  test("keeps an answer that is on its way", async () => {
    const simulator = await open();
    await simulator.control.faults.add({ match: "*", stage: "answer", delayMs: 5_000, times: 1 });
    const [id] = await receive(simulator, ["x@ruled.test"]);
    const taken = await simulator.control.snapshot();
    await simulator.control.reset();
    await simulator.control.restore(taken);
    expect(await statuses(simulator, id!)).toEqual(["QUEUED"]);
    await simulator.clock.advance(5_000);
    expect(await statuses(simulator, id!)).toEqual(["QUEUED", "DELIVERED"]);
    expect(await simulator.control.messages({ log: id! })).toHaveLength(1);
  });

  test("has the clock as it was: standing or running", async () => {
    const simulator = await open({ nowMs: 5_000 });
    const frozen = await simulator.control.snapshot();
    simulator.clock.unfreeze();
    const running = await simulator.control.snapshot();
    expect([frozen.clock, running.clock.frozen]).toEqual([{ nowMs: 5_000, frozen: true }, false]);
    await simulator.control.restore(frozen);
    expect([simulator.clock.frozen, simulator.clock.nowMs()]).toEqual([true, 5_000]);
    await simulator.control.restore(running);
    expect(simulator.clock.frozen).toBe(false);
  });

  const broken: [string, (taken: SimulatorSnapshot) => unknown, string][] = [
    ["another format", (taken) => ({ ...taken, format: "1" }), "format"],
    ["ids that are none", (taken) => ({ ...taken, ids: "{}" }), "ids"],
    [
      "a time that is none",
      (taken) => ({ ...taken, clock: { nowMs: 1e99, frozen: true } }),
      "clock.nowMs",
    ],
    [
      "rows without a key",
      (taken) => ({ ...taken, store: { ...taken.store, log: [{}] } }),
      "store",
    ],
    ["more than there is", (taken) => ({ ...taken, more: 1 }), "more"],
  ];
  test.each(broken)("with %s is refused, and changes nothing", async (_what, damage, path) => {
    const simulator = await open();
    await receive(simulator, ["info@own.test", "later@own.test"]);
    const taken = await simulator.control.snapshot();
    const body = damage(taken);
    const refused = await json<{ errors: { path: string; message: string }[] }>(
      simulator,
      "POST /_sim/restore",
      { body, status: 400 },
    );
    expect(refused.errors[0]).toMatchObject({ path });
    expect(await simulator.control.snapshot()).toEqual(taken);
    await simulator.clock.advance(300_000);
    expect((await simulator.control.snapshot()).queue).toHaveLength(1);
  });
});

describe("reset", () => {
  test("leads back to the beginning, clock, ids and rate limits included", async () => {
    const simulator = await open({ plan: "free", world: { ...WORLD, plan: { domains_limit: 2 } } });
    const beginning = await simulator.control.snapshot();
    for (let count = 0; count < 31; count++) await ask(simulator, "GET /v4/account");
    expect((await ask(simulator, "GET /v4/account")).status).toBe(429);
    await receive(simulator, ["info@own.test", "later@own.test"]);
    await simulator.clock.advance(60_000);
    simulator.clock.unfreeze();
    await simulator.control.reset();
    expect(await simulator.control.snapshot()).toEqual(beginning);
    expect((await ask(simulator, "GET /v4/account")).status).toBe(200);
    expect(simulator.control.requests()).toHaveLength(1);
  });

  test("leads back to the last seed", async () => {
    const simulator = await open();
    await simulator.control.seed({ domains: [{ domain: "seeded.test" }] });
    const seeded = await simulator.control.snapshot();
    await json(simulator, "DELETE /v4/domains/seeded.test", { status: 204 });
    await json(simulator, "POST /_sim/reset", { status: 204 });
    expect(await simulator.control.snapshot()).toEqual(seeded);
    expect((await ask(simulator, "GET /v4/domains/own.test")).status).toBe(404);
  });

  test("a running clock shows real time again", async () => {
    const simulator = await open({ clock: "running" });
    simulator.clock.set(0);
    simulator.clock.freeze();
    const before = Date.now();
    await simulator.control.reset();
    expect(simulator.clock.frozen).toBe(false);
    expect(simulator.clock.nowMs()).toBeGreaterThanOrEqual(before);
  });

  test("several at once come one after another", async () => {
    const simulator = await open();
    const beginning = await simulator.control.snapshot();
    const { control } = simulator;
    await receive(simulator, ["later@own.test"]);
    await Promise.all([control.reset(), control.seed({}), control.restore(beginning)]);
    expect(await control.snapshot()).toEqual(beginning);
  });
});

test("a world that is wrong is refused with its paths, and changes nothing", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"]);
  const before = await simulator.control.snapshot();
  const world = { domains: [{ domain: "ok.test" }, { domain: "no domain" }] };
  const problem = await simulator.control.seed(world).catch((thrown: unknown) => thrown);
  expect(problem).toBeInstanceOf(ServiceProblem);
  const { errors } = await json<{ errors: unknown[] }>(simulator, "POST /_sim/seed", {
    body: world,
    status: 400,
  });
  expect(errors).toMatchObject([{ path: "domains[1].domain" }]);
  expect(await simulator.control.snapshot()).toEqual(before);
});
