/** Names of fields that every object of JavaScript has already: unknown fields like any other. */
import { afterAll, expect, test } from "vitest";
import { createSimulator } from "../../../src/simulator/index.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];
const defects: unknown[] = [];
const simulator = await createSimulator({
  apiKey: "secret",
  unknownFields: "refused",
  world: { domains: [{ domain: "own.test", routing_engine: "rules" }] },
  onDefect: (defect) => defects.push(defect),
});
afterAll(() => simulator.close());

test.each([
  ["POST", "/_sim/faults"],
  ["POST", "/_sim/restore"],
  ["POST", "/_sim/seed"],
  ["POST", "/_sim/intake-faults"],
  ["POST", "/_sim/dry-run"],
  ["POST", "/v4/domains"],
  ["PUT", "/v4/domains/own.test"],
  ["POST", "/v4/domains/own.test/rules"],
  ["POST", "/v4/domains/own.test/aliases"],
  ["POST", "/v3/domains/own.test/rules"],
])("%s %s refuses them", async (method, path) => {
  for (const name of NAMES) {
    const answer = await simulator.fetch(
      new Request(`http://own.test${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa("api:secret")}`,
          "content-type": "application/json",
        },
        body: `{ "${name}": { "a": 1 } }`,
      }),
    );
    expect([name, answer.status]).toEqual([name, 400]);
  }
  expect(defects).toEqual([]);
});

test("a world with one is refused, and so is a list", async () => {
  for (const name of NAMES) {
    const opening = createSimulator({ world: JSON.parse(`{ "${name}": [] }`) });
    await expect(opening).rejects.toThrow(`${name}: unknown field: remove it`);
  }
  await expect(createSimulator({ world: [] as object })).rejects.toThrow("`world` is wrong");
});
