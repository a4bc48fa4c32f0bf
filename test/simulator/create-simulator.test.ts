/** The simulator as a whole: its options, when things are done, and its end. */
import { afterEach, describe, expect, test } from "vitest";
import {
  createSimulator,
  ServiceProblem,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator/index.ts";
import { ask, json, mail, statuses, WORLD } from "./client.ts";

let simulator: Simulator | undefined;
afterEach(async () => {
  await simulator?.close();
  simulator = undefined;
});

async function open(options: SimulatorOptions = {}): Promise<Simulator> {
  simulator = await createSimulator({ world: WORLD, ...options });
  return simulator;
}

const toInfo = { sender: "ann@source.test", recipients: ["info@own.test"] };

describe("options", () => {
  test.each<[string, object]>([
    ["unknown option `colour`", { colour: "red" }],
    ["`plan` is `gold`: give `premium` or `free`", { plan: "gold" }],
    ["`clock` is `stopped`: give `frozen` or `running`", { clock: "stopped" }],
    ["`dns` is `hosts`: give `zone` or `system`", { dns: "hosts" }],
    ["`webhooks` is `all`: give `simulated` or `public` or `any`", { webhooks: "all" }],
    ["`unknownFields` is `kept`", { unknownFields: "kept" }],
    ["`seed` is wrong: give a text or a whole number", { seed: 1.5 }],
    ["`nowMs` is wrong: give whole milliseconds", { nowMs: Number.NaN }],
    ["`world` is wrong: give an object", { world: null }],
    ["`apiKey` is wrong", { apiKey: "with a blank" }],
    ["`relay` is wrong", { relay: { host: "mx.test", port: 0 } }],
    ["unknown option `user`", { relay: { host: "mx.test", port: 25, user: "me" } }],
  ])("%s", async (message, options) => {
    const opening = createSimulator(options as SimulatorOptions);
    await expect(opening).rejects.toThrow(TypeError);
    await expect(createSimulator(options as SimulatorOptions)).rejects.toThrow(message);
  });

  test("a world that is wrong is told with its paths", async () => {
    const rules = [
      { type: "regex", config: { regex: "(", scopes: ["subject"], forward: "a@b.test" } },
    ];
    const world = { domains: [{ domain: "own.test", rules }] };
    const problem = await createSimulator({ world }).catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(ServiceProblem);
    expect(Object.keys((problem as ServiceProblem).errors)).toEqual([
      "domains[0].rules[0].config.regex",
    ]);
  });

  test("the plan is the world's where it says more", async () => {
    const opened = await open({ plan: "free", world: { plan: { domains_limit: 1 } } });
    const { account } = await json<{ account: { plan: object } }>(opened, "GET /v4/account");
    expect(account.plan).toMatchObject({ name: "free", price: 0, domains_limit: 1 });
  });

  test("unknown fields are ignored, or refused", async () => {
    const body = { domain: "new.test", colour: "red" };
    expect((await ask(await open(), "POST /v4/domains", { body })).status).toBe(200);
    await simulator?.close();
    const strict = await open({ unknownFields: "refused" });
    expect((await ask(strict, "POST /v4/domains", { body })).status).toBe(400);
  });

  test("a running clock shows real time, or goes on from the time that is given", async () => {
    const before = Date.now();
    const opened = await open({ clock: "running" });
    expect(opened.clock.frozen).toBe(false);
    expect(opened.clock.nowMs()).toBeGreaterThanOrEqual(before);
    await opened.close();
    const then = await open({ clock: "running", nowMs: 1_000 });
    expect(then.clock.nowMs()).toBeGreaterThanOrEqual(1_000);
    expect(then.clock.nowMs()).toBeLessThan(before);
  });
});

describe("what is due", () => {
  test("is done when `receive` settles, while the clock stands", async () => {
    const opened = await open();
    const [answer] = await opened.receive({ envelope: toInfo, message: mail("hi") });
    expect(answer?.logIds).toHaveLength(3);
    for (const id of answer!.logIds) {
      expect(await statuses(opened, id)).toEqual(["QUEUED", "DELIVERED"]);
    }
  });

  test("is done when `fetch` settles, too", async () => {
    const opened = await open();
    const body = { from: "info", to: "c@dest.test", subject: "Hi", text: "Hello" };
    const what = "POST /v4/domains/own.test/emails/outbound";
    const { id } = await json<{ id: string }>(opened, what, { body });
    expect(await statuses(opened, id)).toEqual(["QUEUED", "DELIVERED"]);
  });

  test("is done by itself while the clock runs", async () => {
    const opened = await open({ clock: "running" });
    await opened.receive({ envelope: toInfo, message: mail("hi") });
    const found = await opened.control.waitForMessage({ destination: "Bob@dest.test" });
    expect(found.subject).toBe("hi");
  });

  test("later is done when the clock comes to it", async () => {
    const opened = await open();
    const envelope = { ...toInfo, recipients: ["later@own.test"] };
    const [answer] = await opened.receive({ envelope, message: mail("hi") });
    const id = answer!.logIds[0]!;
    expect(await statuses(opened, id)).toEqual(["QUEUED", "SOFT-BOUNCE"]);
    await opened.clock.advance(10 * 86_400_000);
    expect((await statuses(opened, id)).at(-1)).toBe("BOUNCED");
  });
});

test("a message may be octets, or text with any line ends", async () => {
  const opened = await open();
  const octets = Buffer.from("Subject: caf\u00e9\r\n\r\nx\r\n", "latin1");
  for (const message of [octets, "Subject: lf\n\nx\n", "Subject: cr\r\rx\r"]) {
    await opened.receive({ envelope: toInfo, message });
  }
  const found = await opened.control.messages({ destination: "ann@dest.test" });
  const whole = await Promise.all(found.map(({ id }) => opened.control.message(id)));
  const bodies = whole.map(({ base64 }) => Buffer.from(base64, "base64"));
  expect(bodies[0]!.includes(octets)).toBe(true);
  expect(bodies[1]!.includes("Subject: lf\r\n\r\nx\r\n")).toBe(true);
  expect(bodies[2]!.includes("Subject: cr\r\n\r\nx\r\n")).toBe(true);
});

describe("its end", () => {
  test("comes once, and nothing is done after it", async () => {
    const opened = await open();
    await Promise.all([opened.close(), opened.close()]);
    await expect(ask(opened, "GET /v4/account")).rejects.toThrow("closed");
    const message = opened.receive({ envelope: toInfo, message: mail("hi") });
    await expect(message).rejects.toThrow("closed");
    await expect(opened.listen()).rejects.toThrow("closed");
  });

  test("ends those who wait", async () => {
    const opened = await open();
    const waiting = ask(opened, "GET /_sim/messages/wait?timeoutMs=50000");
    const stream = await opened.fetch(new Request("http://localhost/_sim/events"));
    const read = stream.text();
    await opened.close();
    expect((await waiting).status).toBe(404);
    expect(await read).toBe(": connected\n\n");
  });
});
