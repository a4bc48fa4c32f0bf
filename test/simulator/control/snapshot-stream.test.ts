/** Snapshots over HTTP: written and read line by line. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Simulator } from "../../../src/simulator/index.ts";
import { ask, json } from "../client.ts";
import { collectGarbage } from "../collect-garbage.ts";
import { open, receive } from "./open.ts";

/** A body in pieces that end anywhere. */
function inPieces(text: string, units: number): ReadableStream<Uint8Array> {
  const octets = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= octets.length) return controller.close();
      controller.enqueue(octets.subarray(at, at + units));
      at += units;
    },
  });
}

async function restore(simulator: Simulator, body: ReadableStream<Uint8Array>): Promise<Response> {
  const init = { method: "POST", body, duplex: "half" };
  return simulator.fetch(new Request("http://simulator.test/_sim/restore", init as RequestInit));
}

test("what is no table comes first, then a row a line; it is restored in pieces of any length", async () => {
  const simulator = await open();
  await receive(simulator, ["info@own.test"], "größer");
  const { text, headers } = await ask(simulator, "GET /_sim/snapshot");
  expect(headers.get("content-type")).toBe("application/x-ndjson");
  const [head, ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(head)).not.toContain("store");
  expect(new Set(rows.flatMap((row) => Object.keys(row)))).toEqual(new Set(["table", "row"]));
  for (const units of [1, 7, 65_536]) {
    const other = await open();
    expect((await restore(other, inPieces(text, units))).status).toBe(204);
    expect(await other.control.snapshot()).toEqual(await simulator.control.snapshot());
  }
});

/** The lines of a snapshot with some mail in it. */
async function linesOf(simulator: Simulator): Promise<string[]> {
  await receive(simulator, ["info@own.test", "later@own.test"]);
  return (await ask(simulator, "GET /_sim/snapshot")).text.trimEnd().split("\n");
}

const broken: [string, (lines: string[]) => string[], string][] = [
  ["nothing", () => [], "line 1"],
  ["a line that is not JSON", ([head]) => [head!, "nonsense"], "line 2"],
  [
    "a line that is cut off",
    (lines) => [...lines.slice(0, -1), lines.at(-1)!.slice(0, -5)],
    "line",
  ],
  ["a row without its table", ([head]) => [head!, '{"row":{}}'], "line 2"],
  ["a list", () => ["[]", "1"], "expected object"],
  ["rows that are missing at the end", (lines) => lines.slice(0, -1), "expected"],
  ["rows that come twice", (lines) => [...lines, ...lines.slice(1)], "expected"],
  ["a key that comes twice", ([head, row]) => [withRows(head!, 2), row!, row!], "store"],
];

const withRows = (head: string, rows: number): string =>
  JSON.stringify({ ...JSON.parse(head), rows });

test.each(broken)("%s: refused, and nothing has changed", async (_, damage, said) => {
  const simulator = await open();
  const lines = await linesOf(simulator);
  const before = await simulator.control.snapshot();
  const answer = await restore(simulator, inPieces(damage(lines).join("\n"), 997));
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(said)]);
  expect(await simulator.control.snapshot()).toEqual(before);
});

test("a client that goes away in the middle changes nothing, and is no defect", async () => {
  const defects: unknown[] = [];
  const simulator = await open({ onDefect: (defect) => void defects.push(defect) });
  const [head, ...rows] = await linesOf(simulator);
  const before = await simulator.control.snapshot();
  const parts = [`${head}\n`, `${rows[0]}\n`].map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.error(new Error("the socket was closed"));
      else controller.enqueue(part);
    },
  });
  const answer = await restore(simulator, body);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("cut off")]);
  expect(await simulator.control.snapshot()).toEqual(before);
  expect(defects).toEqual([]);
});

test("while a snapshot comes in, its rows are not in memory", async () => {
  const simulator = await open();
  const [head] = await linesOf(simulator);
  const pieces = 40;
  const linesOfPiece = 1_000;
  const line = `${JSON.stringify({ table: "later", row: { text: "x".repeat(1_000) } })}\n`;
  const piece = new TextEncoder().encode(line.repeat(linesOfPiece));
  const held = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const start = held();
  let most = 0;
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      most = Math.max(most, held() - start);
      if (sent === pieces) return controller.close();
      const first = `${withRows(head!, pieces * linesOfPiece)}\n`;
      if (sent === 0) controller.enqueue(new TextEncoder().encode(first));
      controller.enqueue(piece.slice());
      sent++;
    },
  });
  expect((await restore(simulator, body)).status).toBe(204);
  expect(most).toBeLessThan((pieces * piece.length) / 4);
  expect((await simulator.control.snapshot()).store.later).toHaveLength(pieces * linesOfPiece);
});

test("a line that never ends is refused before it is held", async () => {
  const simulator = await open();
  const chunk = new Uint8Array(1_048_576).fill(120);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  expect((await restore(simulator, endless)).status).toBe(413);
  expect(sent).toBeLessThan(LIMITS.controlBodyBytesMax + 4 * chunk.length);
  await json(simulator, "GET /_sim/clock");
});

test("a snapshot is of the moment it was asked for, however slowly it is read, and its file goes with it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-test-"));
  vi.stubEnv("TMPDIR", folder);
  try {
    const simulator = await open();
    for (let count = 0; count < 40; count++) {
      await receive(simulator, ["info@own.test"], "x".repeat(20_000));
    }
    const before = await simulator.control.snapshot();
    const url = "http://simulator.test/_sim/snapshot";
    const whole = await simulator.fetch(new Request(url));
    const left = await simulator.fetch(new Request(url));
    expect(await readdir(folder)).toHaveLength(2);
    await receive(simulator, ["info@own.test"], "later");
    const other = await open();
    expect((await restore(other, whole.body!)).status).toBe(204);
    expect(await other.control.snapshot()).toEqual(before);
    const reader = left.body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(await readdir(folder)).toEqual([]);
    await simulator.fetch(new Request(url, { method: "HEAD" }));
    expect(await readdir(folder)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});
