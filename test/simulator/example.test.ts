/** How a test uses the simulator; the README shows this file. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../src/simulator/index.ts";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await createSimulator({
    world: {
      domains: [
        {
          domain: "shop.example",
          routing_engine: "rules",
          rules: [
            {
              type: "regex",
              config: {
                regex: "order #(\\d+)",
                scopes: ["subject"],
                forward: "orders+$1@warehouse.example, https://hooks.example/orders",
              },
            },
            {
              type: "cel",
              config: {
                expression: 'sender.endsWith("@bank.example")',
                forward: "450@bounce.test",
              },
            },
          ],
        },
      ],
    },
  });
});

afterEach(() => simulator.close());

test("an order goes to the warehouse and to the webhook", async () => {
  const [answer] = await simulator.receive({
    envelope: { sender: "ann@mail.example", recipients: ["sales@shop.example"] },
    message: "From: Ann <ann@mail.example>\nSubject: order #2231\n\nTwo of them, please.\n",
  });
  expect(answer?.code).toBe(250);

  const mail = await simulator.control.waitForMessage({
    destination: "orders+2231@warehouse.example",
  });
  expect(mail.text).toContain("Two of them, please.");

  const post = await simulator.control.waitForMessage({
    destination: "https://hooks.example/orders",
  });
  expect(JSON.parse(post.text).subject).toBe("order #2231");
});

test("mail that is refused for now is tried again when time passes", async () => {
  const [answer] = await simulator.receive({
    envelope: { sender: "desk@bank.example", recipients: ["office@shop.example"] },
    message: "From: desk@bank.example\nSubject: statement\n\nSee the attachment.\n",
  });
  await simulator.clock.advance(10 * 60_000);

  const request = new Request(
    `http://localhost/v4/domains/shop.example/logs/${answer?.logIds[0]}`,
    {
      headers: { authorization: `Basic ${btoa(`api:${simulator.apiKey}`)}` },
    },
  );
  const response = await simulator.fetch(request);
  const log = (await response.json()) as { events: { status: string }[] };
  expect(log.events.map((event) => event.status)).toEqual(["QUEUED", "SOFT-BOUNCE", "SOFT-BOUNCE"]);
});
