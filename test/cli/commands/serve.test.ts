/** `mailflow serve` from its start to its end: API, SMTP, control plane, and the ways in which it refuses to start. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import nodemailer from "nodemailer";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { mailflow } from "../memory-io.ts";
import { ANY_PORTS, bundleCommand, type Served, serve } from "./serve-process.ts";

let executable: string;
let metafile: Metafile;
beforeAll(async () => {
  ({ executable, metafile } = await bundleCommand("mailflow-serve"));
});

const running: Served[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  }
});

interface Welcome {
  readonly url: string;
  readonly mxPort: number;
  readonly submissionPort: number;
  readonly apiKey: string;
}

async function start(more: readonly string[] = []): Promise<Welcome & { readonly served: Served }> {
  const served = serve(executable, [...ANY_PORTS, "--json", ...more]);
  running.push(served);
  return { ...JSON.parse(await served.welcome), served };
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly body: any;
}

async function call(at: Welcome, what: string, body?: unknown): Promise<Answer> {
  const [method, path] = what.split(" ") as [string, string];
  const response = await fetch(at.url + path, {
    method,
    headers: { authorization: `Basic ${btoa(`api:${at.apiKey}`)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

async function send(port: number, to: string, subject: string): Promise<string> {
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port,
    tls: { rejectUnauthorized: false },
  });
  const mail = { from: "Ann <ann@mail.example>", to, subject, text: "Two of them, please." };
  const { response } = await transport.sendMail(mail);
  transport.close();
  return response;
}

/** A verified domain whose rules know orders and, by an expression, everything from mail.example. */
async function addShop(at: Welcome): Promise<void> {
  const asked: [string, unknown?][] = [
    ["POST /v4/domains", { domain: "shop.example", routing_engine: "rules" }],
    ["POST /v4/domains/shop.example/verify"],
    [
      "POST /v4/domains/shop.example/rules",
      {
        type: "regex",
        config: { regex: "order #(\\d+)", scopes: ["subject"], forward: "o+$1@dest.example" },
      },
    ],
    [
      "POST /v4/domains/shop.example/rules",
      {
        type: "cel",
        config: { expression: 'sender.endsWith("@mail.example")', forward: "450@bounce.test" },
      },
    ],
  ];
  for (const [what, body] of asked) {
    const { status, body: said } = await call(at, what, body);
    expect([what, status, said]).toEqual([what, 200, said]);
  }
}

describe("a walk", () => {
  test("mail comes in by SMTP, is routed by rules, delivered and logged, and it ends clean", async () => {
    const at = await start();
    expect(await call(at, "GET /_sim/readyz")).toEqual({ status: 200, body: { ready: true } });
    await addShop(at);
    expect(await send(at.mxPort, "sales@shop.example", "order #2231")).toMatch(
      /^250 2\.0\.0 queued/,
    );
    const wait = "GET /_sim/messages/wait?timeoutMs=20000&destination=";
    const { body } = await call(at, `${wait}o%2B2231@dest.example`);
    expect(body.message.text).toContain("Two of them, please.");

    const v4 = await call(at, "GET /v4/domains/shop.example/logs");
    const events = (log: { events: { status: string }[] }): string[] =>
      log.events.map(({ status }) => status);
    expect(v4.body.logs.map(events)).toEqual([["QUEUED", "DELIVERED"]]);
    expect(v4.body.logs[0].forward.email).toBe("o+2231@dest.example");
    const v3 = await call(at, "GET /v3/domains/shop.example/logs");
    expect(v3.body.logs.map(events)).toEqual([["QUEUED", "DELIVERED"]]);

    const { served } = at;
    served.child.kill("SIGINT");
    const { code, stderr } = await served.ended;
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("it ends clean while others watch and wait, and says what it leaves undone", async () => {
    const at = await start();
    await addShop(at);
    await send(at.mxPort, "sales@shop.example", "statement");
    // Until the first attempt has been refused.
    let seen = "";
    const events = await fetch(`${at.url}/_sim/events?after=0`);
    for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      if (seen.includes("SOFT-BOUNCE")) break;
    }
    const stream = await fetch(`${at.url}/_sim/events`);
    const watching = stream.text();
    const waiting = call(at, "GET /_sim/messages/wait?timeoutMs=50000");
    await call(at, "GET /_sim/clock");
    at.served.child.kill("SIGTERM");
    const { code, stderr } = await at.served.ended;
    expect([code, stderr]).toEqual([0, "1 delivery still waited and will not be made\n"]);
    expect(await watching).toBe(": connected\n\n");
    expect((await waiting).status).toBe(404);
  });

  test("it keeps its time with webhooks that hang and mail that comes in, and says what it leaves", async () => {
    const hanging = createHttpServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    const { port } = hanging.address() as AddressInfo;
    const at = await start(["--allow-private-webhooks"]);
    await addShop(at);
    const rule = {
      type: "regex",
      config: { regex: "hang", scopes: ["subject"], forward: `http://127.0.0.1:${port}/in` },
      rank: 0,
    };
    await call(at, "POST /v4/domains/shop.example/rules", rule);
    for (let mail = 0; mail < 8; mail++) await send(at.mxPort, "sales@shop.example", "hang");
    // One more is under way while it ends.
    const late = send(at.mxPort, "sales@shop.example", "late").catch(() => "");
    at.served.child.kill("SIGINT");
    const { code, stderr } = await at.served.ended;
    await late;
    hanging.closeAllConnections();
    hanging.close();
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^(?:8|9) deliveries still waited and will not be made\n$/),
    ]);
  });

  test("bounds, names and POP3 are options", async () => {
    const at = await start([
      ...["--keep-messages", "1", "--mx-host", "mx.own.example", "--mx-host", "mx2.own.example"],
      ...["--dkim-host", "keys.own.example", "--spf-host", "spf.own.example", "--pop3-port", "0"],
    ]);
    expect(at).toMatchObject({ pop3Port: expect.any(Number) });
    await addShop(at);
    const { body } = await call(at, "POST /v4/domains/shop.example/verify");
    expect(body.records.mx.expected).toEqual(["mx.own.example", "mx2.own.example"]);
    expect(body.records.dkim1.expected).toContain("keys.own.example");
    expect(body.records.spf.expected).toContain("spf.own.example");
    for (const number of [1, 2]) await send(at.mxPort, "x@shop.example", `order #${number}`);
    await call(at, "GET /_sim/messages/wait?timeoutMs=20000&destination=o%2B2@dest.example");
    expect((await call(at, "GET /_sim/messages")).body.total).toBe(1);
  });

  test("credentials of a domain send through the submission port", async () => {
    const at = await start(["--api-key", "a-key-of-mine"]);
    expect(at.apiKey).toBe("a-key-of-mine");
    await addShop(at);
    const credential = { username: "desk", password: "a-long-password" };
    await call(at, "POST /v4/domains/shop.example/credentials", credential);
    await call(at, "POST /v4/domains/shop.example/verify");
    const transport = nodemailer.createTransport({
      host: "127.0.0.1",
      port: at.submissionPort,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user: "desk@shop.example", pass: credential.password },
    });
    const mail = { from: "desk@shop.example", to: "c@dest.example", subject: "Hi", text: "Hello" };
    await transport.sendMail(mail);
    transport.close();
    const wait = "GET /_sim/messages/wait?timeoutMs=20000&destination=c@dest.example";
    expect((await call(at, wait)).body.message.subject).toBe("Hi");
    const { body } = await call(at, "GET /v4/domains/shop.example/logs");
    expect(body.logs[0].transport).toBe("smtp");
  });
});

test("it says in a few lines where everything is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-serve-"));
  const world = join(folder, "world.json");
  await writeFile(world, JSON.stringify({ domains: [{ domain: "seeded.example" }] }));
  const served = serve(executable, [...ANY_PORTS, "--seed", world, "--api-key", "k"], "Ctrl-C");
  running.push(served);
  const welcome = await served.welcome;
  const [, url] = /^API +(\S+)\/v4 and \/v3$/m.exec(welcome)!;
  expect(welcome).toContain(`\ntry: curl -u api:k ${url}/v4/domains -d `);
  expect(welcome).toMatch(/^MX +smtp:\/\/127\.0\.0\.1:\d+, /m);
  expect(welcome).toMatch(/^submission +smtp:\/\/127\.0\.0\.1:\d+, /m);
  expect(welcome).toContain(`${url}/_sim/\n`);
  const at = { url: url!, mxPort: 0, submissionPort: 0, apiKey: "k" };
  expect((await call(at, "GET /v4/domains/seeded.example")).status).toBe(200);
});

test("beyond this machine the control plane asks for the key", async () => {
  const at = await start(["--host", "0.0.0.0"]);
  const url = at.url.replace("0.0.0.0", "127.0.0.1");
  expect((await fetch(`${url}/_sim/clock`)).status).toBe(401);
  expect((await call({ ...at, url }, "GET /_sim/clock")).status).toBe(200);
});

test("on this machine it keeps other pages out", async () => {
  const { url } = await start();
  const ask = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}/_sim/reset`, { method: "POST", headers })).status;
  expect(await ask({ origin: "http://evil.example" })).toBe(403);
  expect(await ask({ origin: url })).toBe(204);
});

describe("it does not start", () => {
  test.each(["port", "smtp-port", "submission-port"])("when --%s is in use", async (option) => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const ports = ANY_PORTS.filter((each) => !each.startsWith(`--${option}=`));
    const { ended } = serve(executable, [...ports, `--${option}=${port}`]);
    const { code, stdout, stderr } = await ended;
    taken.close();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      `error: port ${port} is in use: choose another with \`--${option}\`\nsee \`mailflow serve --help\`\n`,
    );
  });

  test.each<[readonly string[], string]>([
    [["--port", "x"], "`--port` cannot be `x`: write a port, or 0 for any that is free"],
    [
      ["--smtp-port", "65536"],
      "`--smtp-port` cannot be `65536`: write a port, or 0 for any that is free",
    ],
    [["--relay", "mx.example"], "`--relay` cannot be `mx.example`: write `host:port`"],
    [["--api-key", "a b"], "`--api-key` takes 1 to 256 printable ASCII characters, no blanks"],
    [["--seed", "absent.json"], "cannot read `absent.json`: there is no such file"],
    [["--dns", "hosts"], "`--dns` cannot be `hosts`: write `zone` or `system`"],
    [
      ["--host", "192.0.2.1", ...ANY_PORTS],
      "`--host` cannot be `192.0.2.1`: write a name or address of this machine",
    ],
    [["somewhere"], "`somewhere` is one argument too many: remove it"],
  ])("with %o", async (argv, message) => {
    const { code, stdout, stderr } = await mailflow(["serve", ...argv]);
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      `error: ${message}\nsee \`mailflow serve --help\`\n`,
    ]);
    expect(process.listenerCount("SIGTERM")).toBe(0);
  });

  test.each<[string, RegExp]>([
    ['{ "domains": [ }', /^error: world\.json:1:16: /],
    ['{ "domain": [] }', /^error: domain: unknown field: remove it\n/],
    ['{ "__proto__": [] }', /^error: __proto__: unknown field: remove it\n/],
    ["[]", /^error: `world\.json` is not a world: write an object/],
    ["null", /^error: `world\.json` is not a world: write an object/],
    [
      '{ "domains": [{ "domain": "a" }, { "domain": "own.example", "rules": [{ "type": "sql" }] }] }',
      /^error: domains\[0\]\.domain: /,
    ],
  ])("with the world %s", async (world, message) => {
    const cwd = await mkdtemp(join(tmpdir(), "mailflow-serve-"));
    await writeFile(join(cwd, "world.json"), world);
    const { code, stderr } = await mailflow(["serve", ...ANY_PORTS, "--seed", "world.json"], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

test.each(["file", "file/below"])("with --data %s, which is not a directory", async (name) => {
  const cwd = await mkdtemp(join(tmpdir(), "mailflow-serve-"));
  await writeFile(join(cwd, "file"), "kept");
  const { code, stderr } = await mailflow(["serve", ...ANY_PORTS, "--data", name], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: cannot use `.*file.*`: it is not a directory\n/);
});

test("other commands load nothing of it", () => {
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const each of metafile.outputs[path]?.imports ?? []) {
      if (each.kind !== "dynamic-import") visit(each.path);
    }
  };
  const entry = Object.keys(metafile.outputs).find((path) => path.endsWith("/cli.js"))!;
  visit(entry);
  const inputs = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  expect(inputs).toContain("src/cli/commands/serve.ts");
  const heavy = /^src\/(?:api|control|outbound|queue|service|simulator|smtp|store)\//;
  expect(inputs.filter((path) => heavy.test(path))).toEqual([]);
  const packages = [...loaded].filter((path) =>
    /^(?:hono|@hono|smtp-server|nodemailer|zod|selfsigned)/.test(path),
  );
  expect(packages).toEqual([]);
});
