/** What is kept of much mail: no more than is said, whatever comes in. */
import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Row } from "../../../src/simulator/store/store.ts";
import { json } from "../client.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { open } from "../control/open.ts";

const MESSAGES = 1_500;
const KEPT = 100;

test("of 1,500 messages of 1 KB the store keeps the newest, and nothing of the others", async () => {
  const keep = { messages: KEPT, bytes: 1_000_000, logs: KEPT };
  const simulator = await open({
    keep,
    world: {
      plan: { daily_receive_limit: 1_000_000 },
      domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: "in@dest.test" }] }],
    },
  });
  const body = "x".repeat(900);
  for (let at = 0; at < MESSAGES; at++) {
    const envelope = { sender: "ann@source.test", recipients: [`u${at}@own.test`] };
    await simulator.receive({ envelope, message: `Subject: mail ${at}\n\n${body}\n` });
  }
  const { store } = await simulator.control.snapshot();
  const rows = (table: string): readonly Row[] => store[table] ?? [];
  expect([rows("received").length, rows("receivedContent").length]).toEqual([KEPT, KEPT]);
  expect(rows("log").length).toBeLessThanOrEqual(KEPT + LIMITS.keptLogsSlack);
  expect([rows("delivery"), rows("content")]).toEqual([[], []]);
  const { messages, total } = await json<{ messages: { subject: string }[]; total: number }>(
    simulator,
    "GET /_sim/messages?order=newest&limit=1",
  );
  expect([total, messages[0]!.subject]).toEqual([KEPT, `mail ${MESSAGES - 1}`]);
});

// A row with its subject, message id and names has less than a hundredth of this.
const PADDING = `X-Padding: ${"x".repeat(60_000)}\n`;

test.each([
  ["the log", "null", 0],
  // In base64.
  ["the log and the inbox", "in@dest.test", (PADDING.length * 4) / 3],
])("%s: each text is kept without the header around it", async (_, forward, contentBytes) => {
  const simulator = await open({
    world: { domains: [{ domain: "own.test", aliases: [{ alias: "*", forward }] }] },
  });
  async function heapAfter(count: number): Promise<number> {
    for (let at = 0; at < count; at++) {
      const fields = [
        `From: "Ann of the example ${at}" <ann.example.${at}@source.test>`,
        `To: "Some Body ${at}" <somebody@own.test>`,
        `Subject: the subject of message ${at}`,
        `Message-ID: <the.message.${at}@source.test>`,
        PADDING,
      ];
      const envelope = { sender: "ann@source.test", recipients: ["somebody@own.test"] };
      await simulator.receive({ envelope, message: `${fields.join("\n")}\nhello\n` });
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  }
  const before = await heapAfter(20);
  const grown = (await heapAfter(100)) - before;
  expect(grown / 100).toBeLessThan(contentBytes + PADDING.length / 2);
});
