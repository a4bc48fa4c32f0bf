/**
 * The whole service against a reference in plain arrays: random commands through version 4 and through version 3, and
 * all that can be seen after each of them. `MODEL_RUNS=500` runs it longer, `MODEL_SEED` otherwise.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { StoreOption } from "../../../src/simulator/options.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";
import { type AnyCommand, begin, COMMANDS, silence } from "./commands.ts";
import { type Answer, type Dialect, V3, V4 } from "./dialect.ts";
import { type Model, openWorld, type Real, type Wire } from "./world.ts";

const RUNS = Number(process.env.MODEL_RUNS ?? 20);
const SEED = Number(process.env.MODEL_SEED ?? 20261120);
/** Commands of one run. */
const LENGTH = 40;

/** `ended` sees each run at its end. */
async function hold(
  dialect: Dialect,
  wire: Wire,
  parameters: fc.Parameters<[Iterable<fc.AsyncCommand<Model, Real>>]>,
  {
    nextStore,
    ended,
    also = [],
  }: { nextStore?: () => StoreOption; ended?: (real: Real) => void; also?: AnyCommand[] } = {},
): Promise<void> {
  const commands = [...COMMANDS, ...also];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: LENGTH, size: "max" }), async (given) => {
      const { model, real } = await openWorld(dialect, wire, nextStore?.());
      try {
        await begin(model, real);
        await fc.asyncModelRun(() => ({ model, real }), given);
      } finally {
        ended?.(real);
        await real.simulator.close();
      }
    }),
    { seed: SEED, ...parameters },
  );
}

test.each([V4, V3])(
  "$version does what the reference does",
  {
    timeout: 3_600_000,
  },
  async (dialect) => {
    let mostWaiting = 0;
    const ended = (real: Real): void => {
      mostWaiting = Math.max(mostWaiting, real.mostWaiting);
    };
    await hold(dialect, (ask) => ask, { numRuns: RUNS }, { ended, also: [silence] });
    expect(mostWaiting, "deliveries that wait for one open circuit").toBeGreaterThan(1);
  },
);

/** Runs on a database: each of their requests takes several statements. */
const DATABASE_RUNS = Math.ceil(RUNS / 10);

describe("on PGlite", () => {
  const directory = mkdtempSync(join(tmpdir(), "mailflow-model-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  test.each([V4, V3])("$version does what the reference does", { timeout: 3_600_000 }, (dialect) =>
    hold(
      dialect,
      (ask) => ask,
      { numRuns: DATABASE_RUNS },
      { nextStore: () => ({ kind: "pglite", directory, namespace: newNamespace() }) },
    ),
  );
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  const namespaces: string[] = [];
  afterAll(() => dropNamespaces(namespaces));
  test.each([V4, V3])("$version does what the reference does", { timeout: 3_600_000 }, (dialect) =>
    hold(
      dialect,
      (ask) => ask,
      { numRuns: DATABASE_RUNS },
      {
        nextStore() {
          const namespace = newNamespace();
          namespaces.push(namespace);
          return { kind: "postgres", url: POSTGRES_URL, namespace };
        },
      },
    ),
  );
});

/** A service with one fault, by what it answers. */
type Lie = (method: string, path: string, answer: Answer) => unknown;

interface Logs {
  readonly logs: readonly { readonly events: readonly object[] }[];
}

describe("the model notices a service that", () => {
  test.each<[string, Lie]>([
    [
      "gives a new alias another id than it shows later",
      (method, path, { body }) =>
        method === "POST" && path.endsWith("/aliases")
          ? { ...(body as object), alias: { id: 1 } }
          : body,
    ],
    [
      "shows rules in another order",
      (_, path, { body }) =>
        path.includes("/rules?")
          ? { ...(body as object), rules: (body as { rules: [] }).rules.toReversed() }
          : body,
    ],
    [
      "forgets an attempt to deliver",
      (_, path, { body }) =>
        path.includes("/logs?")
          ? {
              ...(body as object),
              logs: (body as Logs).logs.map((log) => ({
                ...log,
                events: log.events.toSpliced(1, 1),
              })),
            }
          : body,
    ],
    [
      "forgets that a host gave no answer",
      (_, path, { body }) => (path === "/_sim/breakers" ? { breakers: [] } : body),
    ],
    [
      "counts one entry too many",
      (_, path, { body }) =>
        path.includes("/logs/count") ? { total: (body as { total: number }).total + 1 } : body,
    ],
  ])("%s", { timeout: 600_000 }, async (_, lie) => {
    const wire: Wire = (ask) => async (method, path, sent) => {
      const answer = await ask(method, path, sent);
      return answer.status === 200 ? { ...answer, body: lie(method, path, answer) } : answer;
    };
    const held = hold(V4, wire, { numRuns: 200, endOnFailure: true });
    await expect(held).rejects.toThrow("Property failed");
  });
});
