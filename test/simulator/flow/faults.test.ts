/** Whatever goes wrong outside, every accepted message comes to one end at each of its destinations, and the log tells how. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import {
  type ArrivedMessage,
  createSimulator,
  type FaultInput,
  type Simulator,
} from "../../../src/simulator/index.ts";
import { allLogs, type Log, statusesOf } from "./api.ts";

const RUNS = Number(process.env.FAULT_RUNS ?? 25);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Beyond the last attempt to any destination. */
const ALL_FINAL_MS = 10 * 24 * HOUR_MS;
const FINAL = ["DELIVERED", "HARD-BOUNCE", "BOUNCED"];

/**
 * One final event, the last; event ids in sequence; and an event for every attempt that arrived, so that what is
 * there twice has two of them.
 */
function expectEnded(log: Log, arrived: readonly Pick<ArrivedMessage, "attempt">[]): void {
  const [queued, ...attempts] = statusesOf(log);
  const last = attempts.at(-1)!;
  expect(queued).toBe("QUEUED");
  expect(FINAL).toContain(last);
  expect(attempts.slice(0, -1).every((status) => status === "SOFT-BOUNCE")).toBe(true);
  expect(log.events.map(({ id }) => id)).toEqual(log.events.map((_, at) => `${log.id}-${at}`));
  const numbers = arrived.map(({ attempt }) => attempt);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Math.max(0, ...numbers)).toBeLessThanOrEqual(attempts.length);
  // What the log calls delivered is there.
  if (last === "DELIVERED") expect(numbers).toContain(attempts.length);
}

/** All entries have ended, and there is one for each destination that was answered for. */
async function expectAllEnded(
  simulator: Simulator,
  accepted: ReadonlyMap<string, string>,
): Promise<readonly Log[]> {
  const logs = await allLogs(simulator, "own.test");
  const expected = [...accepted].sort();
  expect(logs.map(({ id, forward }) => [id, forward?.email]).sort()).toEqual(expected);
  for (const log of logs) {
    const arrived = await simulator.control.messages({ log: log.id });
    expect(arrived.every(({ destination }) => destination === log.forward?.email)).toBe(true);
    expectEnded(log, arrived);
  }
  const { store, queue } = await simulator.control.snapshot();
  // Nothing is left that nobody would ever ask for.
  expect([store.delivery ?? [], store.content ?? [], queue]).toEqual([[], [], []]);
  expect(Object.keys(store)).toContain("log");
  return logs;
}

/** Hands in a message; the id of each log entry, with its destination, goes to `accepted`. */
async function handIn(
  simulator: Simulator,
  recipients: readonly string[],
  subject: string,
  accepted: Map<string, string>,
): Promise<void> {
  const message = `From: a@source.test\nSubject: ${subject}\nMessage-ID: <${subject}@source.test>\n\nx\n`;
  const envelope = { sender: "a@source.test", recipients };
  for (const { code, logIds, destinations } of await simulator.receive({ envelope, message })) {
    expect([code, logIds.length]).toEqual([250, destinations?.length]);
    for (const [index, id] of logIds.entries()) accepted.set(id, destinations![index]!);
  }
}

const DESTINATIONS = [
  ...["a", "b", "c", "d"].map((name) => `${name}@dest.test`),
  "https://hooks.test/one",
  "https://hooks.test/two",
];
const aliases = [
  { alias: "all", forward: DESTINATIONS.join(", ") },
  ...DESTINATIONS.map((forward, index) => ({ alias: `to${index}`, forward })),
];

const fault = fc.record({
  stage: fc.constantFrom("connect", "mail", "rcpt", "data", "answer"),
  code: fc.constantFrom(null, 421, 450, 452, 451, 550, 554),
  delayMs: fc.constantFrom(0, 0, 1_000, 4 * MINUTE_MS, 2 * HOUR_MS),
  times: fc.constantFrom(null, 1, 5),
  probability: fc.constantFrom(0.3, 0.7, 1),
  seed: fc.string({ maxLength: 3 }),
}) satisfies fc.Arbitrary<Omit<FaultInput, "match">>;

const half = fc.shuffledSubarray(DESTINATIONS, { minLength: 3, maxLength: 3 });
/** A message, and the time until what comes next. */
const step = fc.record({
  recipients: fc.uniqueArray(
    fc.constantFrom("all@own.test", ...DESTINATIONS.map((_, index) => `to${index}@own.test`)),
    { minLength: 1, maxLength: 3 },
  ),
  waitMs: fc.constantFrom(0, 1_000, MINUTE_MS, 7 * MINUTE_MS),
  /** The service stops, and another one goes on from what it has kept. */
  next: fc.constantFrom("goes on", "goes on", "restarts"),
});

test("an hour of faults at half of the destinations", { timeout: 600_000 }, async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      half,
      fc.array(fault, { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async (struck, faults, steps) => {
        const world = { domains: [{ domain: "own.test", aliases }] };
        let simulator = await createSimulator({ world });
        const startMs = simulator.clock.nowMs();
        for (const [index, match] of struck.entries()) {
          await simulator.control.faults.add({ match, ...faults[index]! });
        }
        const accepted = new Map<string, string>();
        for (const [index, { recipients, waitMs, next }] of steps.entries()) {
          await handIn(simulator, recipients, `m${index}`, accepted);
          await simulator.clock.advance(waitMs);
          if (next === "goes on") continue;
          const kept = await simulator.control.snapshot();
          await simulator.close();
          simulator = await createSimulator({ world });
          await simulator.control.restore(kept);
        }
        await simulator.clock.advance(Math.max(0, startMs + HOUR_MS - simulator.clock.nowMs()));
        await simulator.control.faults.clear();
        await simulator.clock.advance(ALL_FINAL_MS);
        for (const log of await expectAllEnded(simulator, accepted)) {
          // Where nothing went wrong, the first attempt delivered.
          const isStruck = struck.includes(log.forward!.email);
          if (!isStruck) expect(statusesOf(log)).toEqual(["QUEUED", "DELIVERED"]);
          for (const status of statusesOf(log)) seen.add(status);
        }
        await simulator.close();
      },
    ),
    { seed: 20261120, numRuns: RUNS },
  );
  expect([...seen].sort()).toEqual([
    "BOUNCED",
    "DELIVERED",
    "HARD-BOUNCE",
    "QUEUED",
    "SOFT-BOUNCE",
  ]);
});

/** Notes each message before it answers; the one numbered `killAt` is its last. */
const WEBHOOK_SERVER = `
const { createServer } = require("node:http");
const { appendFileSync } = require("node:fs");
const [port, file, killAt] = process.argv.slice(1);
let count = 0;
createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  appendFileSync(file, JSON.parse(text)["message-id"] + "\\n");
  if (++count === Number(killAt)) process.kill(process.pid, "SIGKILL");
  response.end();
}).listen(Number(port), "127.0.0.1", function () { console.log(this.address().port); });
`;

const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function startWebhooks(port: number, file: string, killAt: number): Promise<number> {
  const child = spawn(
    process.execPath,
    ["-e", WEBHOOK_SERVER, String(port), file, String(killAt)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  children.push(child);
  const [line] = await child.stdout.take(1).toArray();
  return Number(line);
}

test("a webhook server is killed in the middle of a run, and comes back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mailflow-webhook-"));
  folders.push(folder);
  const file = join(folder, "seen.txt");
  const port = await startWebhooks(0, file, 25);
  const url = `http://127.0.0.1:${port}/in`;
  const simulator = await createSimulator({
    webhooks: "any",
    world: {
      domains: [{ domain: "own.test", aliases: [{ alias: "*", forward: `${url}, a@dest.test` }] }],
    },
  });
  const accepted = new Map<string, string>();
  for (let index = 0; index < 40; index++) {
    await handIn(simulator, ["any@own.test"], `m${index}`, accepted);
  }
  await simulator.clock.advance(0);
  const before = await allLogs(simulator, "own.test");
  const left = before.filter((log) => statusesOf(log).at(-1) === "SOFT-BOUNCE");
  expect(left.length).toBeGreaterThan(0);
  expect(left.every(({ forward }) => forward?.email === url)).toBe(true);

  await startWebhooks(port, file, 0);
  await simulator.clock.advance(ALL_FINAL_MS);
  const logs = await expectAllEnded(simulator, accepted);
  expect(logs.every((log) => statusesOf(log).at(-1) === "DELIVERED")).toBe(true);

  /** How often the server has noted each message: once, or again where an attempt says that its answer was lost. */
  const noted = (await readFile(file, "utf8")).trimEnd().split("\n");
  const arrivals = new Map<string, number>();
  for (const id of noted) arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  let twice = 0;
  for (const log of logs.filter(({ forward }) => forward?.email === url)) {
    const attempts = log.events.length - 1;
    const count = arrivals.get(log.message_id) ?? 0;
    expect([log.message_id, count >= 1, count <= attempts]).toEqual([log.message_id, true, true]);
    if (count > 1) twice++;
  }
  // The one that the server died over, at least.
  expect(twice).toBeGreaterThan(0);
  expect(arrivals.size).toBe(40);
  await simulator.close();
});
