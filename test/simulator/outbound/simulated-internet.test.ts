/** The simulated internet: what it takes, keeps and refuses. */
import { describe, expect, test } from "vitest";
import type { Parcel } from "../../../src/simulator/model/service.ts";
import { createSimulatedInternet } from "../../../src/simulator/outbound/simulated-internet.ts";
import { allReceived, mailFixture, messageOf, textOf } from "../receive/receive-fixture.ts";

const PARCEL: Parcel = {
  logId: "00a",
  domain: "example.com",
  attempt: 1,
  kind: "mailbox",
  destination: "ann@mail.example",
  envelopeSender: "author@source.example",
  originalRecipient: "one@example.com",
  message: messageOf("a subject"),
};

test("keeps what it takes and tells watchers; the same attempt is kept once", async () => {
  const fixture = await mailFixture({ domains: [] });
  const internet = createSimulatedInternet(fixture.service);
  for (const attempt of [1, 1, 2]) {
    expect(await internet.handOver({ ...PARCEL, attempt })).toEqual({
      code: 250,
      message: "2.0.0 accepted by the simulated internet",
      server: "mx.mail.example",
    });
  }
  const received = await allReceived(fixture);
  expect(received.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(received[0]).toMatchObject({
    logId: "00a",
    destination: "ann@mail.example",
    envelopeSender: "author@source.example",
    subject: "a subject",
    receivedMs: fixture.clock.nowMs(),
  });
  expect(textOf(received[0]!)).toBe(messageOf("a subject").toString());
  expect(fixture.events).toEqual(
    received.map(({ id }) => ({
      kind: "received",
      atMs: fixture.clock.nowMs(),
      domain: "example.com",
      id,
    })),
  );
});

describe("bounce-domain", () => {
  test.each([
    ["450@bounce.test", 450],
    ["550@Bounce.Test", 550],
    ["421@bounce.test", 421],
    ["250@bounce.test", 250],
    ["999@bounce.test", 250],
    ["4500@bounce.test", 250],
    ["450@bounce.test.example", 250],
  ])("%s answers %i", async (destination, code) => {
    const fixture = await mailFixture({ domains: [] });
    const answer = await createSimulatedInternet(fixture.service).handOver({
      ...PARCEL,
      destination,
    });
    expect(answer.code).toBe(code);
    expect(answer.message.charAt(0)).toBe(String(code).charAt(0));
    expect(await allReceived(fixture)).toHaveLength(code < 300 ? 1 : 0);
  });

  test("a webhook there is a webhook", async () => {
    const fixture = await mailFixture({ domains: [] });
    const destination = "https://450@bounce.test/";
    const parcel: Parcel = { ...PARCEL, kind: "webhook", destination };
    expect((await createSimulatedInternet(fixture.service).handOver(parcel)).code).toBe(250);
  });
});

test("a webhook is kept as its JSON, an event as it is", async () => {
  const fixture = await mailFixture({ domains: [] });
  const internet = createSimulatedInternet(fixture.service);
  const destination = "https://hooks.example:8443/in";
  const answer = await internet.handOver({ ...PARCEL, kind: "webhook", destination });
  expect(answer.server).toBe("hooks.example:8443");
  const message = Buffer.from('{"event":1}');
  await internet.handOver({ ...PARCEL, logId: "00a-0", kind: "event", destination, message });
  const [webhook, event] = await allReceived(fixture);
  expect(JSON.parse(textOf(webhook!)).subject).toBe("a subject");
  expect(textOf(event!)).toBe('{"event":1}');
});
