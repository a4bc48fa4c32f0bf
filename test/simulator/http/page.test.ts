/** The page at `/`: who gets it, under which policy, and what its own requests count for. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as ask } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSimulator, type Listening, type Simulator } from "../../../src/simulator/index.ts";

let folder: string;
const simulators: Simulator[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mailflow-page-"));
  const meta = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">\n`;
  writeFileSync(join(folder, "index.html"), `<html lang="en">\n${meta}page</html>`);
  writeFileSync(join(folder, "page.js"), "script");
  writeFileSync(join(folder, "page.css"), "style");
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.close();
});

async function opened(host: string = "127.0.0.1"): Promise<Listening & { simulator: Simulator }> {
  const simulator = await createSimulator({ apiKey: "se#cret" });
  simulators.push(simulator);
  return { ...(await simulator.listen({ page: folder, host })), simulator };
}

/** `fetch` sets `Host` and `Sec-Fetch-Site` itself. */
function get(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = ask({ port, host: "127.0.0.1", path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    sent.on("error", reject).end();
  });
}

test("on this machine it is open; its address signs in, its policy lets nothing in", async () => {
  const { url, pageUrl } = await opened();
  expect(pageUrl).toBe(`${url}/#key=se%23cret`);
  const page = await fetch(pageUrl!);
  expect(await page.text()).toBe('<html data-opened="service" lang="en">\npage</html>');
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  const types = await Promise.all(
    ["page.js", "page.css"].map(async (name) => {
      const { status, headers } = await fetch(`${url}/${name}`);
      return [status, headers.get("content-type"), headers.get("x-content-type-options")];
    }),
  );
  expect(types).toEqual([
    [200, "text/javascript; charset=utf-8", "nosniff"],
    [200, "text/css; charset=utf-8", "nosniff"],
  ]);
  // Everything else is the API, which asks for the key.
  expect((await fetch(`${url}/page.map`)).status).toBe(401);
  expect((await fetch(url, { method: "POST" })).status).toBe(401);
});

test("pages of other origins and names do not get it", async () => {
  const { httpPort } = await opened();
  const host = `localhost:${httpPort}`;
  const attempts = [
    { host },
    { host, "sec-fetch-site": "none" },
    { host, "sec-fetch-site": "cross-site" },
    { host, origin: "https://evil.example" },
    { host: "evil.example" },
  ];
  const statuses = await Promise.all(
    attempts.map(async (headers) => (await get(httpPort, "/", headers)).status),
  );
  expect(statuses).toEqual([200, 200, 403, 403, 403]);
});

test("beyond this machine a browser asks for the key, and then has signed in", async () => {
  const { httpPort, pageUrl } = await opened("0.0.0.0");
  expect(pageUrl).toBe(`http://0.0.0.0:${httpPort}/`);
  const refused = await get(httpPort, "/", {});
  expect([refused.status, refused.headers["www-authenticate"]]).toEqual([
    401,
    'Basic realm="mailflow"',
  ]);
  expect(refused.text).not.toContain("page</html>");
  const authorization = `Basic ${Buffer.from("api:se#cret").toString("base64")}`;
  const { text } = await get(httpPort, "/", { authorization });
  expect(text).toContain('data-opened="service-signed-in"');
});

test("what the page asks is not in the request log, and uses up no limit", async () => {
  const { httpPort, simulator } = await opened();
  const authorization = `Basic ${Buffer.from("api:se#cret").toString("base64")}`;
  const own = { authorization, "sec-fetch-site": "same-origin" };
  for (let count = 0; count < 201; count++) {
    expect((await get(httpPort, "/v4/domains", own)).status).toBe(200);
  }
  const client = await get(httpPort, "/v4/domains", { authorization });
  expect(client.headers["x-ratelimit-remaining"]).toBe("199");
  expect(simulator.control.requests().map(({ path }) => path)).toEqual(["/v4/domains"]);
  // A guess of the key counts, wherever it comes from.
  const guess = { "sec-fetch-site": "same-origin", authorization: "Basic eA==" };
  const statuses = new Set<number>();
  for (let count = 0; count < 201; count++) {
    statuses.add((await get(httpPort, "/v4/domains", guess)).status);
  }
  expect([...statuses]).toEqual([401, 429]);
});
