/** A few of the faults of `bench/faults/`, with real processes; `FAULTS=50` strikes more often. */
import { describe, expect, test } from "vitest";
import { serverPrograms } from "../../bench/faults/cluster.ts";
import {
  embeddedSuite,
  type FaultReport,
  networkSuite,
  nodeSuite,
  outageSuite,
  serverSuite,
  sessionSuite,
} from "../../bench/faults/suites.ts";

const FAULTS = Number(process.env.FAULTS ?? 5);
const TIMEOUT_MS = 1_800_000;
const programs = serverPrograms();
if (programs === null) console.warn("skipped: no PostgreSQL server is installed to be killed");

function expectNothingLost(report: FaultReport): void {
  expect(report.acknowledged).toBeGreaterThan(0);
  expect(report).toMatchObject({ lost: 0, unfinished: 0, unexplained: 0 });
}

const share = (part: number): number => Math.max(1, Math.round(FAULTS * part));

test("kill −9 of the process with `--data`", { timeout: TIMEOUT_MS }, async () => {
  expectNothingLost(await embeddedSuite(share(0.3), 1));
});

describe.skipIf(programs === null)("two nodes on one PostgreSQL", () => {
  test("kill −9 of a node", { timeout: TIMEOUT_MS }, async () => {
    expectNothingLost(await nodeSuite(programs!, share(0.3), 1));
  });

  test("PostgreSQL away for 30 seconds", { timeout: TIMEOUT_MS }, async () => {
    const report = await outageSuite(programs!, 1, 1);
    expectNothingLost(report);
    expect(Object.keys(report.answers).filter((code) => code !== "250")).toEqual(["451"]);
    expect(report.apiAnswers[503]).toBeGreaterThan(20);
    expect(Object.keys(report.apiAnswers).filter((status) => status !== "200")).toEqual(["503"]);
  });

  test.each([
    ["kill −9 of PostgreSQL", serverSuite, 0.1],
    ["sessions ended by the server", sessionSuite, 0.2],
    ["a network that is cut", networkSuite, 0.1],
  ] as const)("%s", { timeout: TIMEOUT_MS }, async (_, suite, part) => {
    expectNothingLost(await suite(programs!, share(part), 1));
  });
});
