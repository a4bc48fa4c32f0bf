/** Watching: the event stream, waiting for messages, and the requests that were made. */
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createEventFeed, type WatchedEvent } from "../../../src/simulator/control/event-feed.ts";
import type { Simulator } from "../../../src/simulator/index.ts";
import { ask, json, mail } from "../client.ts";
import { open, receive } from "./open.ts";

/** The first `count` events of an event stream. */
async function streamed(
  simulator: Simulator,
  path: string,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly WatchedEvent[]> {
  const response = await simulator.fetch(new Request(`http://localhost${path}`, { headers }));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events: WatchedEvent[] = [];
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const records = text.split("\n\n");
    text = records.pop()!;
    for (const record of records) {
      const [, id, kind, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(record) ?? [];
      if (data === undefined) continue;
      const event: WatchedEvent = JSON.parse(data);
      expect([String(event.id), event.kind]).toEqual([id, kind]);
      if (events.push(event) === count) return events;
    }
  }
  return events;
}

describe("the event stream", () => {
  test("tells what happens, in order", async () => {
    const simulator = await open();
    const reading = streamed(simulator, "/_sim/events", 4);
    const [logId] = await receive(simulator, ["x@ruled.test"]);
    await simulator.control.reset();
    const [queued, received, delivered, restored] = await reading;
    expect(queued).toMatchObject({ kind: "log", domain: "ruled.test", of: logId });
    expect(queued!.log!.events.map(({ status }) => status)).toEqual(["QUEUED"]);
    expect(received!.kind).toBe("received");
    expect(delivered!.log!.events.map(({ status }) => status)).toEqual(["QUEUED", "DELIVERED"]);
    expect(restored!.kind).toBe("restored");
    expect([received, delivered, restored].map((event) => event!.id)).toEqual(
      [1, 2, 3].map((more) => queued!.id + more),
    );
  });

  test("resumes after the last event that was seen", async () => {
    const simulator = await open();
    await receive(simulator, ["x@ruled.test"]);
    const all = await streamed(simulator, "/_sim/events?after=0", 4);
    expect(all[0]!.kind).toBe("restored");
    const headers = { "last-event-id": String(all[1]!.id) };
    expect(await streamed(simulator, "/_sim/events?after=0", 2, headers)).toEqual(all.slice(2));
    const controller = new AbortController();
    const events = simulator.control.events({ after: all[1]!.id, signal: controller.signal });
    const seen: WatchedEvent[] = [];
    for await (const event of events) if (seen.push(event) === 2) controller.abort();
    expect(seen).toEqual(all.slice(2));
  });

  test("says what it has forgotten", async () => {
    const feed = createEventFeed();
    const kept = LIMITS.eventsKept;
    for (let at = 0; at < kept + 5; at++) feed.restored(at);
    const { signal } = new AbortController();
    const events = feed.after(2, signal);
    expect((await events.next()).value).toMatchObject({ id: 5, kind: "missed" });
    expect((await events.next()).value).toMatchObject({ id: 6, atMs: 5 });
    // What an earlier process numbered is unknown: all that is kept is told.
    const anew = feed.after(kept * 3, signal);
    expect((await anew.next()).value).toMatchObject({ id: 5, kind: "missed" });
    await events.return();
    await anew.return();
  });

  test("unknown-event-id: an id that was not given out brings `missed` and all that is kept", async () => {
    const simulator = await open();
    await receive(simulator, ["x@ruled.test"]);
    const all = await streamed(simulator, "/_sim/events?after=0", 4);
    for (const id of ["99", "9".repeat(15), "9".repeat(30), "-1", "abc", "1.5"]) {
      const [missed, ...kept] = await streamed(simulator, "/_sim/events", 5, {
        "last-event-id": id,
      });
      expect([id, missed]).toMatchObject([id, { id: all[0]!.id - 1, kind: "missed" }]);
      expect(kept).toEqual(all);
    }
    // Who reconnects with the number of `missed` has missed nothing more.
    const again = { "last-event-id": String(all[0]!.id - 1) };
    expect(await streamed(simulator, "/_sim/events", 4, again)).toEqual(all);
  });
});

describe("waiting for a message", () => {
  test("ends with the first that fits", async () => {
    const simulator = await open();
    const waiting = [
      simulator.control.waitForMessage({ destination: "BOB@dest.test" }),
      simulator.control.waitForMessage({ subject: "SECOND" }),
      simulator.control.waitForMessage({ destination: "https://hooks.test/in", subject: "second" }),
    ];
    const [first] = await receive(simulator, ["info@own.test"], "the first");
    const second = await receive(simulator, ["info@own.test"], "the second");
    const found = await Promise.all(waiting);
    expect(found.map(({ destination, subject }) => [destination, subject])).toEqual([
      ["bob@dest.test", "the first"],
      ["ann@dest.test", "the second"],
      ["https://hooks.test/in", "the second"],
    ]);
    const byLog = await simulator.control.waitForMessage({ log: second[1]! });
    expect(byLog).toMatchObject({ destination: "bob@dest.test", subject: "the second" });
    const after = await simulator.control.waitForMessage({
      destination: "ann@dest.test",
      after: (await simulator.control.messages({ log: first! }))[0]!.id,
    });
    expect(after.subject).toBe("the second");
  });

  test("finds a mailbox in the spelling of the forward and in any other", async () => {
    const aliases = [{ alias: "idn", forward: "Jörg.B@Müller.example, https://hooks.test/B" }];
    const simulator = await open({ world: { domains: [{ domain: "bücher.example", aliases }] } });
    await receive(simulator, ["idn@bücher.example"]);
    const found = async (filter: object): Promise<string[]> =>
      (await simulator.control.messages(filter)).map(({ destination }) => destination);
    const mailbox = "Jörg.B@xn--mller-kva.example";
    for (const destination of [mailbox, "Jörg.B@Müller.example", "jörg.b@müller.example"]) {
      expect(await found({ destination })).toEqual([mailbox]);
      expect(
        await simulator.control.waitForMessage({ destination }, { timeoutMs: 10 }),
      ).toMatchObject({ destination: mailbox });
    }
    const [row] = await simulator.control.messages({ destination: mailbox });
    expect(await found({ destination: '"jo\u0308rg.b"@müller.example', log: row!.logId })).toEqual([
      mailbox,
    ]);
    for (const destination of ["B@Müller.example", "https://hooks.test/b", mailbox.slice(0, -1)])
      expect(await found({ destination })).toEqual([]);
    expect(await found({ destination: "https://hooks.test/B" })).toEqual(["https://hooks.test/B"]);
    for (const domain of ["Bücher.example", "xn--bcher-kva.example"])
      expect(await found({ domain })).toHaveLength(2);
  });

  test("ends without one when time is up", async () => {
    const simulator = await open();
    const waiting = simulator.control.waitForMessage({ subject: "never" }, { timeoutMs: 10 });
    await expect(waiting).rejects.toThrow('no message {"subject":"never"} arrived within 10 ms');
    const said = await json(simulator, "GET /_sim/messages/wait?subject=never&timeoutMs=10", {
      status: 404,
    });
    expect(said).toEqual({ message: "no such message arrived within 10 ms", errors: [] });
  });

  test("over HTTP, while others hand messages in", async () => {
    const simulator = await open();
    const waiting = json<{ message: { text: string } }>(
      simulator,
      "GET /_sim/messages/wait?destination=n%2B42@dest.test",
    );
    const body = { sender: "", recipients: ["x@ruled.test"], message: mail("no 42", "the body") };
    const { answers } = await json<{ answers: { code: number }[] }>(
      simulator,
      "POST /_sim/messages",
      { body },
    );
    expect(answers.map(({ code }) => code)).toEqual([250]);
    expect((await waiting).message.text).toContain("the body");
  });
});

test("messages are listed from the earliest, page by page", async () => {
  const simulator = await open();
  const subjects = Array.from({ length: 7 }, (_, at) => `mail ${at}`);
  for (const subject of subjects) await receive(simulator, ["x@ruled.test"], subject);
  const seen: string[] = [];
  let after = "";
  for (;;) {
    const { messages } = await json<{ messages: { id: string; subject: string }[] }>(
      simulator,
      `GET /_sim/messages?limit=3${after && `&after=${after}`}`,
    );
    if (messages.length === 0) break;
    seen.push(...messages.map(({ subject }) => subject));
    after = messages.at(-1)!.id;
  }
  expect(seen).toEqual(subjects);
  const octets = mail("in octets").replaceAll("\n", "\r\n");
  const body = { recipients: ["x@ruled.test"], messageBase64: btoa(octets) };
  await json(simulator, "POST /_sim/messages", { body });
  const [found] = await simulator.control.messages({ subject: "in octets" });
  expect((await simulator.control.message(found!.id)).text.endsWith(octets)).toBe(true);
});

test("requests are remembered with their answers, but not their credentials", async () => {
  const simulator = await open();
  const body = { domain: "new.test" };
  await json(simulator, "POST /v4/domains?x=1", { body });
  await ask(simulator, "GET /v3/nowhere");
  await ask(simulator, "POST /v4/domains", { body: { long: "x".repeat(LIMITS.keptBodyBytesMax) } });
  await json(simulator, "GET /_sim/clock");
  const { requests } = await json<{ requests: { answer: string }[] }>(
    simulator,
    "GET /_sim/requests",
  );
  expect(requests).toMatchObject([
    { id: 1, method: "POST", path: "/v4/domains?x=1", body: JSON.stringify(body), status: 200 },
    { id: 2, method: "GET", path: "/v3/nowhere", body: null, status: 404 },
    { id: 3, body: null, status: 400 },
  ]);
  expect(JSON.parse(requests[0]!.answer).domain.domain).toBe("new.test");
  expect(JSON.stringify(requests)).not.toContain(simulator.apiKey);
  expect(
    (await json<{ requests: object[] }>(simulator, "GET /_sim/requests?limit=1")).requests,
  ).toMatchObject([{ id: 3 }]);
});

test("deliveries that wait are listed, the one that is due next first", async () => {
  const world = {
    domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "ann@dest.test" }] }],
  };
  const simulator = await open({ nowMs: 0, world });
  interface Due {
    readonly deliveries: readonly { destination: string; attempts: number; nextMs: number }[];
    readonly total: number;
  }
  const due = (query = ""): Promise<Due> => json<Due>(simulator, `GET /_sim/deliveries${query}`);
  expect(await due()).toEqual({ deliveries: [], total: 0 });
  await simulator.control.faults.add({ match: "*@dest.test", code: 451 });
  await receive(simulator, ["info@own.test"], "first");
  await simulator.clock.advance(60_000);
  await receive(simulator, ["info@own.test"], "second");
  const { deliveries, total } = await due();
  expect(total).toBe(2);
  expect(deliveries.map(({ attempts, nextMs }) => [attempts, nextMs])).toEqual([
    [1, 300_000],
    [1, 360_000],
  ]);
  expect(deliveries[0]).toMatchObject({
    destination: "ann@dest.test",
    recipient: "info@own.test",
    kind: "mailbox",
    domain: "own.test",
  });
  expect((await due("?limit=1")).deliveries).toHaveLength(1);
  await simulator.control.faults.clear();
  await simulator.clock.advance(300_000);
  expect(await due()).toEqual({ deliveries: [], total: 0 });
});
