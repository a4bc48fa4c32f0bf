/** POSTs to webhooks: what counts as delivered, and which targets are refused whatever their names are answered with. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { isPublicAddress, publicLookup } from "../../../src/simulator/outbound/public-address.ts";
import { postWebhook } from "../../../src/simulator/outbound/webhook.ts";

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const BODY = Buffer.from('{"a":"ü"}');

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a webhook that may be reached", () => {
  test("is sent JSON", async () => {
    const seen: unknown[] = [];
    const base = await serve(async (request, response) => {
      const { method, url, headers } = request;
      seen.push([
        method,
        url,
        headers["content-type"],
        headers["content-length"],
        await textOf(request),
      ]);
      response.writeHead(202).end("thanks");
    });
    const answer = await postWebhook(`${base}/in?x=1`, BODY, { targets: "any" });
    expect(answer).toEqual({ code: 250, message: "HTTP 202 Accepted", server: new URL(base).host });
    expect(seen).toEqual([["POST", "/in?x=1", "application/json", "10", '{"a":"ü"}']]);
  });

  test.each([
    [200, 250],
    [204, 250],
    [299, 250],
    [301, 450],
    [307, 450],
    [400, 450],
    [404, 450],
    [410, 450],
    [500, 450],
  ])("that answers %i counts as %i, and redirects are not followed", async (status, code) => {
    let count = 0;
    const base = await serve((_, response) => {
      count++;
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    expect((await postWebhook(base, BODY, { targets: "any" })).code).toBe(code);
    expect(count).toBe(1);
  });

  test("that does not answer in time, hangs up, or is not there, is to be tried again", async () => {
    const silent = await serve(() => {});
    expect(await postWebhook(silent, BODY, { targets: "any", timeoutMs: 50 })).toMatchObject({
      code: 450,
    });
    const rude = await serve((request) => request.socket.destroy());
    expect(await postWebhook(rude, BODY, { targets: "any" })).toMatchObject({ code: 450 });
    expect(await postWebhook("http://127.0.0.1:1/", BODY, { targets: "any" })).toMatchObject({
      code: 450,
    });
  });

  test("that switches protocols or hangs up after an interim answer is to be tried again", async () => {
    for (const said of [
      "101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket",
      "101 Switching Protocols",
      "103 Early Hints",
    ]) {
      const base = await serve((request) => request.socket.end(`HTTP/1.1 ${said}\r\n\r\n`));
      const answer = await postWebhook(base, BODY, { targets: "any" });
      expect(answer, said).toMatchObject({ code: 450 });
    }
  });

  test("that goes on and on is not listened to", async () => {
    const base = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
      response.on("error", () => {});
    });
    expect((await postWebhook(base, BODY, { targets: "any" })).code).toBe(250);
  });
});

describe("public addresses", () => {
  test.each(["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is one",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "::127.0.0.1",
    "fec0::1",
    "localhost",
    "",
  ])("%s is none", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a target that is not public is refused", () => {
  test.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/",
    "http://user:pass@127.0.0.1/",
    "https://10.0.0.1/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[0:0:0:0:0:0:7f00:0001]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::1]/",
    "http://[2001:0:7f00:1::]/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::169.254.169.254]/",
    "http://[::10.0.0.1]/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://[::]/",
    "http://0/",
    "http://127.0.1/",
    "http://0x7f000001/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://\u{ff11}27.0.0.1/",
    "http://127\u{3002}0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://192.168.1/",
    "http://0xa9fea9fe/",
  ])("%s", async (url) => {
    expect(await postWebhook(url, BODY)).toMatchObject({ code: 550 });
  });

  test("when written as an address, although a server listens there", async () => {
    let count = 0;
    const base = await serve((_, response) => {
      count++;
      response.end();
    });
    expect(await postWebhook(base, BODY)).toMatchObject({ code: 550 });
    expect(count).toBe(0);
  });

  /** A DNS whose answers change from question to question. */
  function answering(...answers: readonly (readonly string[])[]): {
    lookup: LookupFunction;
    asked: () => number;
  } {
    let turn = 0;
    const lookup = publicLookup((_, __, callback) => {
      const addresses = answers[Math.min(turn++, answers.length - 1)]!;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    });
    return { lookup, asked: () => turn };
  }

  test.each([[["127.0.0.1"]], [["::1"]], [["8.8.8.8", "127.0.0.1"]], [["::ffff:10.0.0.1"]], [[]]])(
    "when its name is answered with %j",
    async (addresses) => {
      const { lookup } = answering(addresses);
      const answer = await postWebhook("http://hooks.example/", BODY, { lookup });
      expect(answer.code).toBe(550);
      expect(answer.message).toContain("hooks.example");
    },
  );

  test("when its name is answered otherwise later: each connection is checked by what it connects to", async () => {
    let count = 0;
    const base = await serve((_, response) => {
      count++;
      response.end();
    });
    const { port } = new URL(base);
    const rebinding = answering(["192.0.2.1"], ["127.0.0.1"]);
    const url = `http://hooks.example:${port}/`;
    expect((await postWebhook(url, BODY, { lookup: rebinding.lookup })).code).toBe(550);
    expect((await postWebhook(url, BODY, { lookup: rebinding.lookup })).code).toBe(550);
    expect(rebinding.asked()).toBe(2);
    expect(count).toBe(0);
  });

  test("the addresses that were checked are the ones connected to", () => {
    const { lookup } = answering(["8.8.8.8", "2606:4700::1111"]);
    const given: unknown[] = [];
    lookup("hooks.example", { all: true }, (...answer) => given.push(answer));
    lookup("hooks.example", {}, (...answer) => given.push(answer));
    expect(given).toEqual([
      [
        null,
        [
          { address: "8.8.8.8", family: 4 },
          { address: "2606:4700::1111", family: 6 },
        ],
      ],
      [null, "8.8.8.8", 4],
    ]);
  });

  test("a name that is not there is to be tried again", async () => {
    const lookup = publicLookup((_, __, callback) => callback(new Error("ENOTFOUND"), []));
    expect((await postWebhook("http://hooks.example/", BODY, { lookup })).code).toBe(450);
  });
});
