/** Hostile clients of the HTTP server, over real sockets: each is answered or cut off, and nobody else notices. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createSimulator, type Listening, type Simulator } from "../../../src/simulator/index.ts";
import { type RawHttp, rawHttp } from "./raw-http.ts";

const BODY_BYTES = 30_000_000;
const API_KEY = "k3y";
const BASIC = `Basic ${btoa(`api:${API_KEY}`)}`;
const CHUNK = Buffer.alloc(100_000, 32);

let simulator: Simulator;
let server: Listening;
const defects: unknown[] = [];
const clients: RawHttp[] = [];

beforeAll(async () => {
  simulator = await createSimulator({
    apiKey: API_KEY,
    world: { domains: [{ domain: "own.test" }] },
    onDefect: (defect) => void defects.push(defect),
  });
  server = await simulator.listen();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  // The honest client that comes next is served, by the API and by the control plane.
  const headers = { authorization: BASIC };
  const response = await fetch(`${server.url}/v4/domains/own.test`, { headers });
  expect([response.status, (await response.text()).includes("own.test")]).toEqual([200, true]);
  expect((await fetch(`${server.url}/_sim/readyz`)).status).toBe(200);
  await simulator.clock.advance(LIMITS.rateWindowMs);
  expect(defects).toEqual([]);
});

afterAll(() => simulator.close());

async function client(): Promise<RawHttp> {
  const opened = await rawHttp(server.httpPort);
  clients.push(opened);
  return opened;
}

/** The head of a request with the key; `fields` are its other header fields. */
function head(line: string, ...fields: readonly string[]): string {
  return [`${line} HTTP/1.1`, "Host: localhost", `Authorization: ${BASIC}`, ...fields, "", ""].join(
    "\r\n",
  );
}

/** Sends chunks until there is an answer, at most 30 MB; how many octets that took. */
async function flood(to: RawHttp, frame: (chunk: Buffer) => Uint8Array): Promise<number> {
  let sent = 0;
  let state: "waiting" | "answered" = "waiting";
  void to.status().then(() => {
    state = "answered";
  });
  while (state === "waiting" && sent < BODY_BYTES) {
    await to.send(frame(CHUNK));
    sent += CHUNK.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

const chunked = (chunk: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);

describe("30 MB", () => {
  const endpoints = ["POST /v4/domains", "POST /v3/domains/own.test/aliases/bulk"];

  test.each(endpoints)("with a length are refused before they come: %s", async (line) => {
    const http = await client();
    await http.send(head(line, `Content-Length: ${BODY_BYTES}`));
    expect(await http.status()).toBe(413);
  });

  test.each(endpoints)("with a length that come at once are refused as well: %s", async (line) => {
    const http = await client();
    await http.send(head(line, `Content-Length: ${BODY_BYTES}`));
    await flood(http, (chunk) => chunk);
    expect(await http.status()).toBe(413);
  });

  test.each(endpoints)("without a length are read up to the limit: %s", async (line) => {
    const http = await client();
    await http.send(head(line, "Transfer-Encoding: chunked"));
    const sent = await flood(http, chunked);
    expect(await http.status()).toBe(413);
    expect(sent).toBeGreaterThan(LIMITS.bodyBytesMax - 2 * CHUNK.length);
    expect(sent).toBeLessThan(BODY_BYTES);
  });

  test("of a stranger are not read", async () => {
    for (const field of [`Content-Length: ${BODY_BYTES}`, "Transfer-Encoding: chunked"]) {
      const http = await client();
      await http.send(`POST /v4/domains HTTP/1.1\r\nHost: localhost\r\n${field}\r\n\r\n`);
      expect(await http.status()).toBe(401);
    }
  });
});

describe("requests that do not end", () => {
  test("cut off anywhere, they change nothing", async () => {
    const body = JSON.stringify({ domain: "cut.test" });
    const whole = `${head("POST /v4/domains", `Content-Length: ${body.length}`)}${body}`;
    for (let end = 1; end < whole.length; end += 7) {
      const http = await client();
      await http.send(whole.slice(0, end));
      http.close();
    }
    const chunks = head("POST /v4/domains", "Transfer-Encoding: chunked");
    for (const part of [
      "5",
      "5\r\n",
      "5\r\n{\r\n",
      "1\r\n{\r\n",
      "1\r\n{\r\n5;x",
      "fffffffff\r\n",
    ]) {
      const http = await client();
      await http.send(chunks + part);
      http.close();
    }
    const snapshot = await simulator.control.snapshot();
    expect(snapshot.store.domain?.map(({ domain }) => domain)).toEqual(["own.test"]);
  });

  test("octet by octet, one is answered like any other", async () => {
    const http = await client();
    for (const octet of head("GET /v4/domains/own.test")) await http.send(octet);
    expect(await http.status()).toBe(200);
  });

  test("a hundred that have begun and go no further keep nobody waiting", async () => {
    for (let count = 0; count < 100; count++) {
      const http = await client();
      const isBody = count % 2 === 0;
      await http.send(isBody ? `${head("POST /v4/domains", "Content-Length: 9")}{` : "GET /v4/acc");
    }
    // The clients are closed only after `afterEach` has been served.
    const headers = { authorization: BASIC };
    expect((await fetch(`${server.url}/v4/account`, { headers })).status).toBe(200);
  });
});

describe("what is hardly HTTP", () => {
  test.each<[string, string, readonly (number | null)[]]>([
    [
      "a length and chunks",
      head("POST /v4/domains", "Content-Length: 4", "Transfer-Encoding: chunked"),
      [400],
    ],
    ["two lengths", head("POST /v4/domains", "Content-Length: 4", "Content-Length: 5"), [400]],
    ["a length that is none", head("POST /v4/domains", "Content-Length: -1"), [400]],
    [
      "another coding before the chunks",
      `${head("POST /v4/domains", "Transfer-Encoding: x, chunked")}0\r\n\r\n`,
      [400, 501],
    ],
    ["a blank before the colon", head("GET /v4/account", "X-Y : z"), [400]],
    ["a folded field", head("GET /v4/account", "X-Y: a", " b"), [400]],
    ["a bare LF in a field", head("GET /v4/account", "X-Y: a\nX-Z: b"), [400]],
    ["a bare CR in a field", head("GET /v4/account", "X-Y: a\rX-Z: b"), [400]],
    ["NUL in a field", head("GET /v4/account", "X-Y: \0"), [400]],
    ["100 KB of fields", head("GET /v4/account", `X-Y: ${"y".repeat(100_000)}`), [431]],
    [
      "5,000 fields",
      head("GET /v4/account", ...Array.from({ length: 5_000 }, (_, at) => `X-${at}: y`)),
      [431, 200],
    ],
    ["no Host", `GET /v4/account HTTP/1.1\r\nAuthorization: ${BASIC}\r\n\r\n`, [400]],
    ["a Host that is none", head("GET /v4/account").replace("localhost", "a b"), [400]],
    ["a Host with a path", head("GET /v4/account").replace("localhost", "a/../../x?y"), [400]],
    ["a target that is no path", head("GET v4"), [400, 404]],
    ["a target of two slashes", head("GET //"), [400, 404]],
    ["a target of another host", head("GET http://elsewhere.test/v4/account"), [200, 400]],
    ["CONNECT", head("CONNECT elsewhere.test:443"), [null, 400, 404, 405, 501]],
    ["TRACE", head("TRACE /v4/account"), [400, 404, 405, 500, 501]],
    ["a method of nobody", head("MAILFLOW /v4/account"), [400]],
    ["an upgrade", head("GET /v4/account", "Connection: upgrade", "Upgrade: websocket"), [200]],
    ["another protocol", "EHLO client.test\r\n\r\n", [400]],
    ["another version", head("GET /v4/account").replace("HTTP/1.1", "HTTP/9.9"), [400, 505]],
    ["octets", "\u0016\u0003\u0001\0\u00ff\r\n\r\n", [400]],
  ])("%s", async (_, octets, statuses) => {
    const http = await client();
    await http.send(Buffer.from(octets, "latin1"));
    expect(statuses).toContain(await http.status());
  });

  test("what stands behind a request is another request, not part of it", async () => {
    const http = await client();
    const body = '{"domain":"own.test"}';
    const smuggled = head("DELETE /v4/domains/own.test", "Connection: close");
    await http.send(
      `${head("POST /v4/domains", `Content-Length: ${body.length + smuggled.length}`)}${body}${smuggled}`,
    );
    expect(await http.status()).toBe(400);
  });
});
