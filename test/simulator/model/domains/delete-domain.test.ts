import { expect, test } from "vitest";
import { deleteDomain } from "../../../../src/simulator/model/domains/delete-domain.ts";
import {
  CONTENTS,
  DELIVERIES,
  type DeliveryRow,
  LOGS,
  type LogRow,
} from "../../../../src/simulator/model/records.ts";
import type { World } from "../../../../src/simulator/model/seed/world.ts";
import type { Service } from "../../../../src/simulator/model/service.ts";
import { contentOf, fixtureOf, problemOf, START_MS } from "../fixture.ts";

const KEPT = { domain: "kept.example", rules: [], aliases: [] } as const;
const GONE: NonNullable<World["domains"]>[number] = {
  domain: "gone.example",
  aliases: [{ alias: "a", forward: "ann@mail.example" }],
  rules: [{ type: "alias", config: { alias: "a", forward: "ann@mail.example" } }],
  credentials: [{ username: "a", password: "long enough" }],
  templates: [{ name: "t" }],
};

async function addDelivery(service: Service, id: string, domain: string): Promise<void> {
  const delivery: DeliveryRow = {
    id,
    domain,
    contentId: "shared",
    destination: "ann@mail.example",
    kind: "mailbox",
    envelopeSender: "",
    originalSender: "",
    originalRecipient: `a@${domain}`,
    bytes: 0,
    attempts: 1,
    nextMs: START_MS + 60_000,
  };
  const log: LogRow = {
    id,
    domain,
    createdMs: START_MS,
    hostname: "mx1.mailflow.example",
    messageId: "<1@mail.example>",
    sender: { email: "bob@mail.example", name: null },
    recipient: { email: `a@${domain}`, name: null },
    forward: { email: "ann@mail.example", name: null },
    subject: "hello",
    transport: "mx",
    events: [],
    statuses: [],
    senderEmail: "bob@mail.example",
    recipientEmail: `a@${domain}`,
    forwardEmail: "ann@mail.example",
    recipientLocal: "a",
  };
  await service.store.table(DELIVERIES).insert(delivery);
  await service.store.table(LOGS).insert(log);
  await service.queue.schedule({ id, atMs: delivery.nextMs, payload: {} });
}

test("all that belongs to a domain goes with it, and nothing of another's", async () => {
  const bare = await fixtureOf({ domains: [KEPT] });
  await addDelivery(bare.service, "3", "kept.example");
  await bare.service.store.table(CONTENTS).insert({ id: "shared", base64: "", trace: "", uses: 1 });

  const { service, events } = await fixtureOf({ domains: [KEPT, GONE] });
  await addDelivery(service, "1", "gone.example");
  await addDelivery(service, "2", "gone.example");
  await addDelivery(service, "3", "kept.example");
  await service.store.table(CONTENTS).insert({ id: "shared", base64: "", trace: "", uses: 3 });
  await deleteDomain(service, "GONE.example");

  expect(await contentOf(service)).toEqual(await contentOf(bare.service));
  expect((await service.queue.pending()).map(({ id }) => id)).toEqual(["3"]);
  expect(events).toEqual([
    { kind: "changed", atMs: START_MS, domain: "gone.example", id: "domain" },
  ]);
  expect((await problemOf(service, () => deleteDomain(service, "gone.example"))).status).toBe(404);
});

test("a message that nobody else needs goes with the last delivery", async () => {
  const { service } = await fixtureOf({ domains: [GONE] });
  await addDelivery(service, "1", "gone.example");
  await addDelivery(service, "2", "gone.example");
  await service.store.table(CONTENTS).insert({ id: "shared", base64: "", trace: "", uses: 2 });
  await deleteDomain(service, "gone.example");
  expect(Object.keys((await contentOf(service)) as object)).toEqual(["account"]);
});
