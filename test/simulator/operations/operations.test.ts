/** What operators see of a simulator: health, figures, and a journal without the mail in it. */
import { describe, expect, test } from "vitest";
import { createJournal, createSimulator, type Simulator } from "../../../src/simulator/index.ts";
import { ask } from "../flow/api.ts";

const WORLD = {
  domains: [{ domain: "one.test", aliases: [{ alias: "ann", forward: "ann@box.example" }] }],
};

async function served(options: object = {}): Promise<Simulator> {
  const simulator = await createSimulator({ world: WORLD, ...options });
  await simulator.receive({
    envelope: { sender: "a@b.example", recipients: ["ann@one.test"] },
    message: "From: a@b.example\nSubject: a secret\n\ntext",
  });
  return simulator;
}

test("`/healthz` and `/readyz` need no key, and say what they stand for", async () => {
  const simulator = await served();
  const get = (path: string): Promise<Response> =>
    simulator.fetch(new Request(`http://localhost${path}`));
  expect(await (await get("/healthz")).json()).toEqual({ status: "running" });
  expect(await (await get("/readyz")).json()).toEqual({ status: "ready" });
  await simulator.close();
});

describe("`/metrics`", () => {
  test("counts what came of messages, what deciding did, and what waits", async () => {
    const simulator = await served();
    await ask(simulator, "GET", "/v4/domains");
    const { text } = await ask(simulator, "GET", "/metrics");
    for (const line of [
      'mailflow_message_events_total{status="QUEUED",transport="mx"} 1',
      'mailflow_message_events_total{status="DELIVERED",transport="mx"} 1',
      "mailflow_simulated_received_total 1",
      'mailflow_http_answer_seconds_count{method="GET",status="200"} 1',
      "mailflow_deliveries_waiting 0",
      "mailflow_compiled_domains 1",
      'mailflow_circuit_breakers{state="open"} 0',
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    expect(text).toMatch(/^mailflow_resolve_work\{kind="messages"\} [1-9]/m);
    for (const kind of ["candidates", "fullScans"]) {
      expect(text).toMatch(new RegExp(`^mailflow_resolve_work\\{kind="${kind}"\\} \\d`, "m"));
    }
    expect(text).toMatch(/^mailflow_compile_cache\{cache="\w+",figure="\w+"\} \d/m);
    expect(text).toMatch(/^mailflow_decision_seconds_count\{stage="envelope"\} [1-9]/m);
    expect(text).not.toContain("one.test");
    await simulator.close();
  });
});

describe("the journal", () => {
  async function lines(content: boolean): Promise<string> {
    const pieces: string[] = [];
    const stream = { write: (text: string) => void pieces.push(text) };
    const journal = createJournal({ level: "info", content }, stream);
    const simulator = await served({ journal });
    await ask(simulator, "GET", "/v4/domains/one.test/logs?recipient=ann@one.test");
    await simulator.close();
    return pieces.join("");
  }

  test("names what happened, and nothing of what is in the mail", async () => {
    const written = await lines(false);
    const records = written
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg, status }) => `${msg} ${status}`)).toEqual([
      "message QUEUED",
      "message DELIVERED",
      "request 200",
    ]);
    expect(written).not.toMatch(/secret|ann@|a@b/);
  });

  test("has subjects and addresses when it was asked for them", async () => {
    const written = await lines(true);
    expect(written).toContain("a secret");
    expect(written).toContain("ann@box.example");
  });
});
