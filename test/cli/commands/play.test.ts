/** `mailflow play` over HTTP: what it hands to the page, and what it writes back. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPlayApp } from "../../../src/cli/play/play-app.ts";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const TEST = {
  name: "sales",
  message: { recipient: "sales@shop.example" },
  expect: { alias: "sales" },
};

function opened(files: Record<string, string | object> = {}): {
  folder: string;
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
} {
  const folder = folderWith({ "shop.json": ALIAS_DOMAIN, ...files });
  const file = join(folder, "shop.json");
  const domain: unknown = JSON.parse(readFileSync(file, "utf8"));
  const app = createPlayApp({ page: folder, file, domain, mail: [] });
  return {
    folder,
    async ask(method, path, body) {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const headers = body === undefined ? {} : { "content-length": `${Buffer.byteLength(text)}` };
      const response = await app.request(`http://127.0.0.1/play/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: text }),
      });
      return { status: response.status, text: await response.text() };
    },
  };
}

test("a test is written into the suite beside the domain file, which the command then runs", async () => {
  const { folder, ask } = opened();
  expect(await ask("POST", "tests", TEST)).toMatchObject({ status: 204 });
  expect(await ask("POST", "tests", { ...TEST, name: "again" })).toMatchObject({ status: 204 });
  const suite = JSON.parse(readFileSync(join(folder, "shop.mailtest.json"), "utf8"));
  expect(suite).toEqual({ domain: "shop.json", tests: [TEST, { ...TEST, name: "again" }] });
  const { code, stdout } = await mailflow(["test", "--reporter", "json"], { cwd: folder });
  expect([code, JSON.parse(stdout).passed]).toEqual([0, 2]);
  const state = JSON.parse((await ask("GET", "state")).text);
  expect(state).toMatchObject({ suite: "shop.mailtest.json", suiteProblem: "" });
  expect(state.tests.map(({ test: { name } }: { test: { name: string } }) => name)).toEqual([
    "sales",
    "again",
  ]);
});

test("a suite that is there keeps its other fields, and hands over the messages in its files", async () => {
  const mail = message({ From: "a@b.test", To: "sales@shop.example", Subject: "x" });
  const ofFile = { name: "from a file", message: "m.eml", expect: { alias: "sales" } };
  const { folder, ask } = opened({
    "m.eml": mail,
    "shop.mailtest.json": { $schema: "x", domain: "shop.json", tests: [ofFile] },
  });
  const state = JSON.parse((await ask("GET", "state")).text);
  expect(Buffer.from(state.tests[0].base64, "base64").toString("latin1")).toBe(mail);
  await ask("POST", "tests", TEST);
  const suite = JSON.parse(readFileSync(join(folder, "shop.mailtest.json"), "utf8"));
  expect(suite).toEqual({ $schema: "x", domain: "shop.json", tests: [ofFile, TEST] });
});

test("a test is removed by its name; with the last one goes the file", async () => {
  const { folder, ask } = opened({ "shop.mailtest.json": { tests: [TEST] } });
  await ask("POST", "tests", { ...TEST, name: "a b" });
  expect(await ask("DELETE", "tests?name=a%20b")).toMatchObject({ status: 204 });
  const path = join(folder, "shop.mailtest.json");
  expect(JSON.parse(readFileSync(path, "utf8")).tests).toEqual([TEST]);
  await ask("DELETE", "tests?name=sales");
  expect(existsSync(path)).toBe(false);
});

test("what is no test, and a suite with a mistake, leave the file as it is", async () => {
  const { folder, ask } = opened({ "shop.mailtest.json": { tests: [TEST] } });
  const path = join(folder, "shop.mailtest.json");
  const before = readFileSync(path, "utf8");
  for (const wrong of [{}, { ...TEST, expect: {} }, "no JSON", 1]) {
    expect((await ask("POST", "tests", wrong)).status).toBe(409);
    expect(readFileSync(path, "utf8")).toBe(before);
  }
  writeFileSync(path, '{ "tests": [{ "name": 1 }] }');
  expect((await ask("POST", "tests", TEST)).status).toBe(409);
  expect(readFileSync(path, "utf8")).toBe('{ "tests": [{ "name": 1 }] }');
  const state = JSON.parse((await ask("GET", "state")).text);
  expect(state.suiteProblem).toContain("shop.mailtest.json is not read: tests[0]");
});

test("tests that come at once are all written", async () => {
  const { folder, ask } = opened();
  const names = Array.from({ length: 20 }, (_, index) => `test ${index}`);
  await Promise.all(names.map((name) => ask("POST", "tests", { ...TEST, name })));
  const { tests } = JSON.parse(readFileSync(join(folder, "shop.mailtest.json"), "utf8"));
  expect(tests.map(({ name }: { name: string }) => name).sort()).toEqual([...names].sort());
});

test("a saved domain is what a reload shows; one with errors is refused", async () => {
  const { folder, ask } = opened();
  const state = async (): Promise<unknown> => JSON.parse((await ask("GET", "state")).text).domain;
  const domain = (await state()) as { aliases: object[] };
  const changed = { ...domain, aliases: [] };
  expect((await ask("PUT", "domain", changed)).status).toBe(204);
  expect(await state()).toEqual(changed);
  expect(JSON.parse(readFileSync(join(folder, "shop.json"), "utf8"))).toEqual(changed);
  const wrong = { ...domain, rules: [{ type: "regex", config: { regex: "(" } }] };
  expect((await ask("PUT", "domain", wrong)).status).toBe(400);
  expect(await state()).toEqual(changed);
});

test("a page of another origin, and another host, are kept out", async () => {
  const { folder } = opened();
  const app = createPlayApp({ page: folder, file: null, domain: null, mail: [] });
  for (const headers of [
    { host: "evil.example" },
    { host: "127.0.0.1", origin: "http://x.test" },
  ]) {
    expect((await app.request("http://127.0.0.1/play/state", { headers })).status).toBe(403);
  }
  const post = await app.request("http://127.0.0.1/play/tests", { method: "POST", body: "{}" });
  expect(post.status).toBe(409);
});

test("a domain that costs more than the page takes is refused without an option that play lacks", async () => {
  const regex = `invoice ${"x".repeat(1_000)}`;
  const config = { regex, scopes: ["subject"], forward: "r@else.test" };
  const rules = Array.from({ length: 760 }, () => ({ type: "regex", config }));
  const { ask } = opened();
  const answer = await ask("PUT", "domain", { ...ALIAS_DOMAIN, routing_engine: "rules", rules });
  expect(answer).toMatchObject({
    status: 400,
    text: expect.stringContaining("use fewer or shorter ones: the page takes no more"),
  });
});
