/** The runner: workers resolve like `resolve`, and one that overran is replaced without losing a message. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Facts } from "../../src/engine/facts/facts.ts";
import { compileDomain } from "../../src/engine/routing/compile-domain.ts";
import { resolve } from "../../src/engine/routing/resolve.ts";
import { createRunnerWith } from "../../src/runner/runner.ts";

const WORKER = fileURLToPath(new URL("../../src/runner/worker.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "runner-"));
const built = join(folder, "worker.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [WORKER],
    outfile: built,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const spawn = (): Worker => new Worker(built);

const config = {
  domain: "own.test",
  routing_engine: "rules",
  rules_fallback_email: "fall@x.test",
  rules: [
    { id: "a", type: "alias", config: { alias: "ann", forward: "a@x.test" } },
    {
      id: "h",
      type: "cel",
      config: { expression: '"list" in headers && body.contains("7")', forward: "h@x.test" },
    },
    {
      id: "b",
      type: "regex",
      config: { regex: "a.{90}[cd]", scopes: ["body"], forward: "b@x.test" },
    },
  ],
};
const light: Facts = {
  recipient: "zed@own.test",
  sender: "s@x.test",
  subject: "",
  body: "7",
  headers: new Map(),
};

function randomLetters(count: number): string {
  let state = 20261120;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state & 0x10000 ? "a" : "b";
  }).join("");
}

/** A second of work and more: no automaton of the pattern fits a cache. */
const heavy: Facts = { ...light, body: randomLetters(1_000_000) };
const listed: Facts = { ...light, headers: new Map([["list", ["x"]]]), attachments: [], size: 1 };

function resolved(facts: Facts): unknown {
  const result = compileDomain(config);
  if (!result.ok) throw new Error("does not compile");
  return { ok: true, resolution: resolve(result.domain, facts) };
}

test("answers what resolve answers, for facts of every kind, partly unknown or not", async () => {
  const runner = createRunnerWith(spawn, { workers: 2 });
  expect(runner.load("own", config)).toEqual({ ok: true });
  const messages: Facts[] = [
    light,
    listed,
    { recipient: "Ann+x@own.test" },
    {},
    { recipient: "q@x" },
  ];
  const results = await Promise.all(messages.map((facts) => runner.resolve("own", facts)));
  expect(results).toEqual(messages.map(resolved));
  await runner.close();
});

test("a message that overruns is told so, and every other one is resolved", async () => {
  const runner = createRunnerWith(spawn, { deadlineMs: 300, fuelMax: Number.POSITIVE_INFINITY });
  runner.load("own", config);
  const messages = [light, heavy, listed, heavy, light];
  const results = await Promise.all(messages.map((facts) => runner.resolve("own", facts)));
  const overran = { ok: false, failure: "deadline" };
  expect(results).toEqual([resolved(light), overran, resolved(listed), overran, resolved(light)]);
  await runner.close();
});

test("a worker that dies under a message is replaced", async () => {
  let dies = true;
  const runner = createRunnerWith(() => {
    if (!dies) return spawn();
    dies = false;
    const source =
      "const { parentPort: p } = require('worker_threads');" +
      "p.on('message', (m) => m.kind === 'load' ? p.postMessage({ kind: 'loaded' }) : process.exit(3));" +
      "p.postMessage({ kind: 'ready' });";
    return new Worker(source, { eval: true });
  });
  runner.load("own", config);
  const results = await Promise.all([runner.resolve("own", light), runner.resolve("own", light)]);
  expect(results).toEqual([{ ok: false, failure: "crash" }, resolved(light)]);
  await runner.close();
});

describe("domains", () => {
  test("a new version counts for the messages after it", async () => {
    const runner = createRunnerWith(spawn);
    runner.load("own", config);
    const before = runner.resolve("own", light);
    runner.load("own", { ...config, rules_fallback_email: "new@x.test" });
    const after = runner.resolve("own", light);
    expect(await before).toEqual(resolved(light));
    expect(JSON.stringify(await after)).toContain("new@x.test");
    await runner.close();
  });

  test("a wrong one is refused with its diagnostics, and the old one stays", async () => {
    const runner = createRunnerWith(spawn);
    runner.load("own", config);
    const refused = runner.load("own", { ...config, routing_engine: "x" });
    expect(refused).toEqual(compileDomain({ ...config, routing_engine: "x" }));
    expect(await runner.resolve("own", light)).toEqual(resolved(light));
    await runner.close();
  });

  test("one that is not loaded, or no more, rejects; so does a closed runner", async () => {
    const runner = createRunnerWith(spawn);
    runner.load("own", config);
    runner.unload("own");
    await expect(runner.resolve("own", light)).rejects.toThrow("no domain `own`: load it first");
    await runner.close();
    await expect(runner.resolve("own", light)).rejects.toThrow("the runner is closed");
  });

  test("facts that cannot be sent reject, and the next message goes on", async () => {
    const runner = createRunnerWith(spawn);
    runner.load("own", config);
    const odd = { ...light, subject: (() => "") as unknown as string };
    await expect(runner.resolve("own", odd)).rejects.toThrow();
    expect(await runner.resolve("own", light)).toEqual(resolved(light));
    await runner.close();
  });
});

test("options are checked", () => {
  expect(() => createRunnerWith(spawn, { workers: 0 })).toThrow(RangeError);
  expect(() => createRunnerWith(spawn, { deadlineMs: Number.NaN })).toThrow(RangeError);
  expect(() => createRunnerWith(spawn, { fuelMax: -1 })).toThrow(RangeError);
  expect(() => createRunnerWith(spawn, { worker: 1 } as object)).toThrow(TypeError);
});
