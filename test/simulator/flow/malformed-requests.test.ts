/** Requests that no client library would send: each has the documented error body and the rate headers. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSimulator, type Listening, type Simulator } from "../../../src/simulator/index.ts";

let simulator: Simulator;
let server: Listening;
beforeAll(async () => {
  simulator = await createSimulator();
  server = await simulator.listen();
});
afterAll(() => simulator.close());

/** All that comes back until the server closes the connection. */
function said(octets: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: server.httpPort, host: "127.0.0.1" });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    socket.write(octets);
  });
}

const request = (line: string, ...fields: readonly string[]): string =>
  `${[line, ...fields, "Connection: close", "", ""].join("\r\n")}`;

const LONG = `X-Long: ${"x".repeat(20_000)}`;
const CASES: readonly (readonly [string, string, number])[] = [
  ["a host that is no address", request("GET /v4/account HTTP/1.1", "Host: 1.2.3.4.5"), 400],
  ["a host with a blank", request("GET /v4/account HTTP/1.1", "Host: a b"), 400],
  ["a host with an open bracket", request("GET /v4/account HTTP/1.1", "Host: [::1"), 400],
  ["a host with a port that is none", request("GET /v3/account HTTP/1.1", "Host: a:99999"), 400],
  [
    "a host that is no address, in version 3",
    request("GET /v3/account HTTP/1.1", "Host: 1.2.3.4.5"),
    400,
  ],
  ["a header that is too long", request("GET /v4/account HTTP/1.1", "Host: localhost", LONG), 431],
  ["a header that is too long, in version 3", request("GET /v3/account HTTP/1.1", LONG), 431],
  ["what is not HTTP", "EHLO client.example\r\n\r\n", 400],
];

test.each(CASES)("%s", async (_, octets, status) => {
  const text = await said(octets);
  const [head = "", body = ""] = text.split("\r\n\r\n", 2);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]) {
    expect(head.toLowerCase()).toContain(name.toLowerCase());
  }
  const json = JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1));
  if (octets.includes(" /v3/")) {
    const [messages] = Object.values<string[]>(json.errors);
    expect(json).toMatchObject({ success: false, error: messages![0], code: status });
  } else {
    expect(json).toEqual({ message: expect.stringMatching(/./), errors: {} });
  }
});
