/** The domain's webhook: told of every event, and never in the way of a delivery. */
import { expect, test } from "vitest";
import { RETRY_DELAYS_MS } from "../../../src/simulator/deliver/deliver-schedule.ts";
import type { World } from "../../../src/simulator/model/seed/world.ts";
import { addFault, FAULTS } from "../../../src/simulator/outbound/faults.ts";
import {
  ALIASES_WORLD,
  allLogs,
  allReceived,
  mailFixture,
  receiveFor,
  statusesOf,
  textOf,
} from "../receive/receive-fixture.ts";

const HOOK = "https://events.example/in";
const WORLD: World = { domains: [{ ...ALIASES_WORLD.domains![0]!, webhook: HOOK }] };
const YEAR_MS = 365 * 86_400_000;

test("event-payload: each event is POSTed with its log entry, in version 3's fields", async () => {
  const fixture = await mailFixture(WORLD);
  await receiveFor(fixture, ["one@example.com", "nobody@example.com"]);
  await fixture.clock.advance(0);
  const posted = (await allReceived(fixture)).filter(({ destination }) => destination === HOOK);
  const bodies = posted.map((row) => JSON.parse(textOf(row)));
  const [refused, taken] = await allLogs(fixture);
  expect(bodies.map(({ event }) => event.id).sort()).toEqual(
    [...refused!.events, ...taken!.events].map(({ id }) => id).sort(),
  );
  expect(bodies.find(({ event }) => event.id === taken!.events[1]!.id)).toEqual({
    domain: "example.com",
    event: {
      id: `${taken!.id}-1`,
      code: 250,
      created: taken!.events[1]!.createdMs,
      local: "mx1.mailflow.example",
      message: taken!.events[1]!.message,
      server: "mx.mail.example",
      status: "DELIVERED",
    },
    log: {
      id: taken!.id,
      created: taken!.createdMs,
      messageId: "<1@source.example>",
      sender: taken!.sender,
      recipient: taken!.recipient,
      forward: { email: "ann@mail.example", name: null },
      subject: "greetings",
      transport: "mx",
      hostname: "mx1.mailflow.example",
    },
  });
});

test("a webhook that never answers is given up, and the mail is delivered all the same", async () => {
  const fixture = await mailFixture(WORLD);
  const fault = await addFault(fixture.service, { match: HOOK, code: 450 });
  await receiveFor(fixture, ["one@example.com"]);
  await fixture.clock.advance(YEAR_MS);
  expect((await allLogs(fixture)).map(statusesOf)).toEqual([["QUEUED", "DELIVERED"]]);
  const tries = RETRY_DELAYS_MS.webhook.length + 1;
  const kept = await fixture.service.store.table(FAULTS).get(fault.id);
  expect(kept?.used).toBe(2 * tries);
  expect(await fixture.service.queue.pending()).toEqual([]);
});

test("a webhook that answers 5xx is asked again like one that gives no answer", async () => {
  const fixture = await mailFixture(WORLD);
  const fault = await addFault(fixture.service, { match: HOOK, code: 503 });
  await receiveFor(fixture, ["one@example.com"]);
  await fixture.clock.advance(YEAR_MS);
  const kept = await fixture.service.store.table(FAULTS).get(fault.id);
  expect(kept?.used).toBe(2 * (RETRY_DELAYS_MS.webhook.length + 1));
  expect(await fixture.service.queue.pending()).toEqual([]);
});

test("a webhook that answers late is told once", async () => {
  const fixture = await mailFixture(WORLD);
  await addFault(fixture.service, { match: HOOK, code: 450, times: 1 });
  await receiveFor(fixture, ["drop@example.com"]);
  await fixture.clock.advance(YEAR_MS);
  const posted = await allReceived(fixture);
  expect(posted.map((row) => JSON.parse(textOf(row)).event.status).sort()).toEqual([
    "DELIVERED",
    "QUEUED",
  ]);
});

test("without a webhook nothing is POSTed", async () => {
  const fixture = await mailFixture();
  await receiveFor(fixture, ["drop@example.com"]);
  await fixture.clock.advance(YEAR_MS);
  expect(await allReceived(fixture)).toEqual([]);
});
