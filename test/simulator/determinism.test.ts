/** The same calls give the same octets: bodies, headers, ids, times, what is delivered, and what is remembered. */
import { expect, test } from "vitest";
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator/index.ts";
import { ask, mail, WORLD } from "./client.ts";

/** Everything that can be seen of a run, as text. */
async function run(simulator: Simulator): Promise<readonly string[]> {
  const seen: string[] = [];
  const note = async (what: string, body?: unknown): Promise<void> => {
    const { status, text, headers } = await ask(simulator, what, { body });
    seen.push(`${what} ${status}\n${JSON.stringify([...headers])}\n${text}`);
  };
  const receive = async (recipients: readonly string[], subject: string): Promise<void> => {
    const envelope = { sender: "ann@source.test", recipients };
    const answers = await simulator.receive({ envelope, message: mail(subject) });
    seen.push(JSON.stringify(answers));
  };
  await note("POST /v4/domains", { domain: "new.test" });
  await note("POST /v4/domains/new.test/verify");
  await note("POST /v4/domains/new.test/rules", {
    type: "alias",
    config: { alias: "a", forward: "a@dest.test" },
  });
  await note("POST /v4/domains/new.test/credentials", {
    username: "a",
    password: "another-s3cret",
  });
  await note("POST /_sim/faults", { match: "*@dest.test", code: 421, probability: 0.5, seed: "x" });
  // Destinations that take more and fewer steps, in one message.
  for (let count = 0; count < 5; count++) {
    await receive(["info@own.test", "later@own.test", "nobody@own.test"], `mail ${count}`);
    await receive(["x@ruled.test", "any@new.test"], `no ${count}`);
  }
  await note("POST /v4/domains/own.test/emails/outbound", {
    from: "info",
    to: ["c@dest.test", "d@dest.test"],
    subject: "Hello",
    text: "Hello",
  });
  await note("GET /v4/domains/own.test/logs");
  await simulator.clock.advance(3_600_000);
  await note("GET /v4/domains/own.test/logs");
  await note("GET /v3/domains/ruled.test/logs");
  await note("GET /_sim/messages");
  await note("GET /_sim/requests");
  await note("GET /_sim/snapshot");
  return seen;
}

async function runAnew(options: SimulatorOptions): Promise<readonly string[]> {
  const simulator = await createSimulator({ world: WORLD, ...options });
  try {
    return await run(simulator);
  } finally {
    await simulator.close();
  }
}

test("twice the same, and again after a reset", async () => {
  const first = await runAnew({});
  expect(await runAnew({})).toEqual(first);
  const simulator = await createSimulator({ world: WORLD });
  await run(simulator);
  await simulator.control.reset();
  expect(await run(simulator)).toEqual(first);
  await simulator.close();
  // It is not that nothing happened.
  for (const status of ["DELIVERED", "SOFT-BOUNCE", "REFUSED"]) {
    expect(
      first.some((text) => text.includes(status)),
      status,
    ).toBe(true);
  }
});

test("another seed gives other ids, another time other times", async () => {
  const [plain, seeded, later] = [
    await runAnew({}),
    await runAnew({ seed: 7 }),
    await runAnew({ nowMs: Date.UTC(2030, 0, 1) }),
  ];
  expect(seeded).toHaveLength(plain.length);
  const ruleOf = (seen: readonly string[]): unknown => JSON.parse(seen[2]!.split("\n")[2]!).rule.id;
  expect(ruleOf(seeded)).not.toBe(ruleOf(plain));
  expect(ruleOf(later)).toBe(ruleOf(plain));
  expect(later.some((text) => text.includes("2030-01-01T00:05:00Z"))).toBe(true);
});
