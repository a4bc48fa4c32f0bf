/** Hostile mail and hostile words through the whole service: nothing of them becomes a command, a field or a request. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { headerFacts } from "../../../src/message/index.ts";
import {
  createSimulator,
  type Listening,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/simulator/index.ts";
import { greeted, type RawClient, rawClient } from "../smtp/client.ts";
import { allLogs, ask, statusesOf } from "./api.ts";

const opened: Simulator[] = [];
const servers: Server[] = [];
const clients: RawClient[] = [];
const defects: unknown[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const simulator of opened.splice(0).reverse()) await simulator.close();
  for (const server of servers.splice(0)) server.close();
  expect(defects.splice(0)).toEqual([]);
});

const DOMAIN = {
  domain: "own.test",
  aliases: [{ alias: "*", forward: "ann@dest.test" }],
  credentials: [{ username: "info", password: "s3cret-enough" }],
};

async function open(options: SimulatorOptions = {}): Promise<Simulator> {
  const onDefect = (defect: unknown): void => void defects.push(defect);
  const simulator = await createSimulator({ world: { domains: [DOMAIN] }, onDefect, ...options });
  opened.push(simulator);
  return simulator;
}

const outbound = "/v4/domains/own.test/emails/outbound";

describe("smuggling through the service to a server behind it", () => {
  const SMUGGLED =
    "MAIL FROM:<forged@victim.test>\r\nRCPT TO:<bob@far.test>\r\nDATA\r\nSubject: no\r\n";
  const ENDS = [
    "\n.\n",
    "\n.\r\n",
    "\r\n.\n",
    "\r.\r",
    "\r.\r\n",
    "\r\n.\r",
    "\n..\n",
    "\r\n..\r\n",
  ];

  /** What the far side has taken when all was handed over. */
  async function through(
    hand: (near: Simulator, server: Listening) => Promise<void>,
  ): Promise<readonly string[]> {
    const world = {
      domains: [{ domain: "far.test", aliases: [{ alias: "*", forward: "x@end.test" }] }],
    };
    const far = await open({ seed: "far", world });
    const { mxPort } = await far.listen();
    const near = await open({
      relay: { host: "127.0.0.1", port: mxPort },
      world: { domains: [{ ...DOMAIN, aliases: [{ alias: "*", forward: "ann@far.test" }] }] },
    });
    const server = await near.listen();
    await hand(near, server);
    await near.clock.advance(0);
    await far.clock.advance(0);
    const logs = await allLogs(far, "far.test");
    return logs.map(({ recipient, sender }) => `${sender.email} to ${recipient.email}`);
  }

  test.each(ENDS)("by the MX, with %j", async (end) => {
    const taken = await through(async (_, { mxPort }) => {
      const client = await greeted(mxPort);
      clients.push(client);
      await client.ask("MAIL FROM:<eve@source.test>");
      await client.ask("RCPT TO:<any@own.test>");
      await client.ask("DATA");
      client.send(`From: eve@source.test\r\n\r\nx${end}${SMUGGLED}\r\n.\r\n`);
      expect(await client.answer()).toMatch(
        end.includes("..") && end.startsWith("\r") ? /^250 / : /^554 /,
      );
    });
    expect(taken.filter((each) => each !== "eve@source.test to ann@far.test")).toEqual([]);
  });

  test.each(ENDS)("past the SMTP server, with %j", async (end) => {
    const taken = await through(async (near) => {
      const message = Buffer.from(`From: eve@source.test\r\n\r\nx${end}${SMUGGLED}${end}QUIT\r\n`);
      const envelope = { sender: "eve@source.test", recipients: ["any@own.test"] };
      await near.receive({ envelope, message });
    });
    expect(taken.filter((each) => each !== "eve@source.test to ann@far.test")).toEqual([]);
  });

  test.each(ENDS)("in what the API sends, with %j", async (end) => {
    const taken = await through(async (near) => {
      const text = `x${end}${SMUGGLED}${end}QUIT\r\n`;
      const body = { from: "info", to: "ann@far.test", subject: "x", text, html: text };
      expect((await ask(near, "POST", outbound, body)).status).toBe(200);
    });
    expect(taken).toEqual(["info@own.test to ann@far.test"]);
  });
});

describe("floods of commands", () => {
  test("end with their connection, and honest mail goes through meanwhile", async () => {
    const simulator = await open();
    const { mxPort, submissionPort } = await simulator.listen();
    const floods = Array.from({ length: 20 }, async (_, index) => {
      const client = await rawClient(index % 2 === 0 ? mxPort : submissionPort);
      clients.push(client);
      client.send("NOOP\r\nRSET\r\nXYZZY\r\nVRFY all\r\n".repeat(LIMITS.smtpCommandsMax));
      await client.closed();
    });
    const honest = await greeted(mxPort);
    clients.push(honest);
    await honest.ask("MAIL FROM:<a@source.test>");
    await honest.ask("RCPT TO:<any@own.test>");
    await honest.ask("DATA");
    honest.send("Subject: honest\r\n\r\n.\r\n");
    expect(await honest.answer()).toMatch(/^250 /);
    await Promise.all(floods);
    await simulator.clock.advance(0);
    expect((await allLogs(simulator, "own.test")).map(statusesOf)).toEqual([
      ["QUEUED", "DELIVERED"],
    ]);
  });

  test("a line without an end is not kept", async () => {
    const simulator = await open();
    const { mxPort } = await simulator.listen();
    const client = await rawClient(mxPort);
    clients.push(client);
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 300; count++) client.send("A".repeat(100_000));
    await client.closed();
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

describe("a field that is added to", () => {
  const EVIL = [
    "x\r\nX-Injected: yes\r\nBcc: evil@evil.test\r\n\r\nowned",
    "x\nX-Injected: yes",
    "x\rX-Injected: yes",
    "x\u2028X-Injected: yes\u0085X-Injected: yes\0",
    "=?utf-8?Q?x=0D=0AX-Injected:_yes?=",
    '"\r\n X-Injected: yes',
  ];
  const cases: readonly [field: string, words: (evil: string) => object][] = [
    ["subject", (evil) => ({ subject: evil })],
    ["from", (evil) => ({ from: evil })],
    ["to", (evil) => ({ to: [`${evil}@dest.test`, `${evil} <ann@dest.test>`] })],
    ["cc", (evil) => ({ cc: `"${evil}" <ann@dest.test>` })],
    ["bcc", (evil) => ({ bcc: `ann@dest.test, ${evil}` })],
    ["reply_to", (evil) => ({ reply_to: `${evil} <ann@dest.test>` })],
    [
      "filename",
      (evil) => ({
        attachments: [{ filename: evil, content: "QQ==", content_type: "text/plain" }],
      }),
    ],
    [
      "content_type",
      (evil) => ({
        attachments: [{ filename: "a", content: "QQ==", content_type: `text/plain${evil}` }],
      }),
    ],
    [
      "content_id",
      (evil) => ({
        attachments: [
          { filename: "a", content: "QQ==", content_type: "text/plain", content_id: evil },
        ],
      }),
    ],
    [
      "template subject",
      (evil) => ({ template: "hello", subject: "{{v}}{{{v}}}", variables: { v: evil } }),
    ],
    ["template", (evil) => ({ template: evil })],
  ];

  test.each(cases)("by the API's %s", async (_, words) => {
    const templates = [{ name: "hello", subject: "Hello", text_body: "Dear {{v}}" }];
    const simulator = await open({ world: { domains: [{ ...DOMAIN, templates }] } });
    for (const evil of EVIL) {
      const letter = { from: "info", to: "ann@dest.test", subject: "x", text: "x", ...words(evil) };
      const { status } = await ask(simulator, "POST", outbound, letter);
      expect([200, 400, 404]).toContain(status);
    }
    for (const { id, destination } of await simulator.control.messages()) {
      const { base64 } = await simulator.control.message(id);
      const octets = Buffer.from(base64, "base64");
      const { headers } = await headerFacts(octets);
      expect([...headers.keys()].filter((name) => /injected|bcc/.test(name))).toEqual([]);
      const [head] = octets.toString("latin1").split("\r\n\r\n", 1);
      expect(head).not.toMatch(/(?:^|[\r\n])(?:x-injected|bcc):/i);
      expect(destination).toBe("ann@dest.test");
    }
  });

  test("by where an alias, a rule or a domain sends to", async () => {
    const simulator = await open();
    const path = "/v4/domains/own.test";
    for (const evil of EVIL) {
      const refused: [string, string, object][] = [
        ["POST", `${path}/aliases`, { alias: "a", forward: `ann@dest.test${evil}` }],
        ["POST", `${path}/aliases`, { alias: evil, forward: "ann@dest.test" }],
        ["POST", `${path}/aliases`, { alias: "a", forward: `https://hooks.test/${evil}` }],
        [
          "POST",
          `${path}/rules`,
          { type: "alias", config: { alias: "a", forward: `${evil}@dest.test` } },
        ],
        ["PUT", path, { rules_fallback_email: `${evil}@dest.test` }],
        ["PUT", path, { notification_email: `${evil}@dest.test` }],
      ];
      for (const [method, to, body] of refused) {
        // An encoded word is a word like others where no line can be broken.
        const statuses = evil.startsWith("=?") ? [200, 400] : [400];
        expect(statuses, JSON.stringify(body)).toContain(
          (await ask(simulator, method, to, body)).status,
        );
      }
    }
  });

  test("by what a pattern takes out of a message", async () => {
    const rules = [
      {
        type: "regex",
        config: { regex: "(?s)to (.*) end", scopes: ["body"], forward: "x+$1@dest.test" },
      },
    ];
    const simulator = await open({
      world: { domains: [{ domain: "own.test", routing_engine: "rules", rules }] },
    });
    for (const evil of [
      "a@evil.test, b",
      "a>\r\nRCPT TO:<evil@evil.test",
      "a b",
      "a,evil@evil.test,c",
      "",
    ]) {
      const message = Buffer.from(`From: a@source.test\r\n\r\nto ${evil} end\r\n`);
      const envelope = { sender: "a@source.test", recipients: ["any@own.test"] };
      const [answer] = await simulator.receive({ envelope, message });
      for (const destination of answer!.destinations!) {
        expect(destination).toMatch(/^[^\s@,<>]+@dest\.test$/);
      }
    }
  });
});

describe("webhooks that lead to this machine", () => {
  const HOSTS = [
    "127.0.0.1",
    "localhost",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "[::]",
    "127.0.0.1.",
    "localhost.",
  ];

  test("are not asked, whatever they are called, by destinations and for events", async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const simulator = await open({ webhooks: "public" });
    for (const [index, host] of HOSTS.entries()) {
      const url = `http://${host}:${port}/x`;
      const path = "/v3/domains/own.test";
      const alias = await ask(simulator, "POST", `${path}/aliases`, {
        alias: `a${index}`,
        forward: url,
      });
      const events = await ask(simulator, "PUT", path, { webhook: url });
      expect([200, 400]).toContain(alias.status);
      expect([200, 400]).toContain(events.status);
      if (alias.status === 400) continue;
      const envelope = { sender: "a@source.test", recipients: [`a${index}@own.test`] };
      await simulator.receive({ envelope, message: "Subject: x\n\nx\n" });
      await simulator.clock.advance(3_600_000);
    }
    const logs = await allLogs(simulator, "own.test");
    expect(logs.length).toBeGreaterThan(HOSTS.length / 2);
    for (const log of logs) {
      expect([log.forward?.email, statusesOf(log).includes("DELIVERED")]).toEqual([
        log.forward?.email,
        false,
      ]);
    }
    expect(asked).toBe(0);
  });
});

describe("templates that grow", () => {
  const nested = (depth: number): string => `${"{{#l}}".repeat(depth)}x${"{{/l}}".repeat(depth)}`;
  const list = Array.from({ length: 10 }, () => ({}));
  const inside: { l: unknown } = { l: 1 };
  inside.l = Array.from({ length: 30 }, () => ({ l: [1] }));
  const TEXTS: readonly [string, string, object, number][] = [
    ["names itself as a partial", "a{{> grow}}b{{> grow}}", {}, 200],
    ["has sections in sections", nested(40), { l: list }, 400],
    ["has sections in more sections than are allowed", nested(60), { l: list }, 400],
    ["has lists in lists", "{{#l}}{{#l}}{{#l}}{{#l}}{{.}}{{/l}}{{/l}}{{/l}}{{/l}}", inside, 200],
    ["has a large section", `{{#l}}${"x".repeat(90_000)}{{/l}}`, { l: list.concat(list) }, 400],
    ["has variables that are templates", "{{v}}{{{v}}}", { v: "{{#v}}{{v}}{{v}}{{/v}}" }, 200],
    ["has a hundred thousand tags", "{{v}}".repeat(19_000), { v: "y".repeat(1_000) }, 400],
    [
      "changes its delimiters again and again",
      `${"{{=<% %>=}}<%={{ }}=%>".repeat(4_000)}x`,
      {},
      200,
    ],
    [
      "asks for what every object has",
      "{{constructor}}{{__proto__}}{{toString.constructor}}x",
      {},
      200,
    ],
  ];

  test.each(TEXTS)(
    "one that %s is rendered within bounds, or refused",
    async (_, text, variables, status) => {
      const simulator = await open();
      const body = { name: "grow", subject: "x", text_body: text };
      const kept = await ask(simulator, "POST", "/v4/domains/own.test/templates", body);
      expect([200, 400]).toContain(kept.status);
      const letter = { from: "info", to: "ann@dest.test", template: "grow", variables };
      const sent = await ask(simulator, "POST", outbound, letter);
      expect(sent.status, sent.text).toBe(kept.status === 400 ? 404 : status);
      const [first] = await simulator.control.messages();
      const message = first && (await simulator.control.message(first.id));
      expect(message?.text.length ?? 0).toBeLessThan(2 * LIMITS.renderedUnitsMax);
      expect(message?.text ?? "").not.toMatch(/native code|function/);
    },
  );
});
