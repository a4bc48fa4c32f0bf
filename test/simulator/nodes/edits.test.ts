/** Two nodes, and an alias that is changed on one of them while mail comes in at both: every decision is of a committed version. */
import { afterAll, describe, expect, test } from "vitest";
import { assemble } from "../../../src/simulator/assemble.ts";
import { listAliases, updateAlias } from "../../../src/simulator/model/routing/aliases.ts";
import { readOptions } from "../../../src/simulator/options.ts";
import { receive } from "../../../src/simulator/receive/receive.ts";
import {
  dropNamespaces,
  hasPostgres,
  newNamespace,
  POSTGRES_URL,
} from "../../contract/databases.ts";

/** `EDITS=1000` edits more often. */
const EDITS = Number(process.env.EDITS ?? 100);
/** Milliseconds after which a change is live everywhere. */
const LIVE_MS = 1_000;

const namespace = newNamespace();

const node = () =>
  assemble(
    readOptions({
      store: { kind: "postgres", url: POSTGRES_URL, namespace },
      clock: "running",
      world: {
        plan: { daily_receive_limit: 1_000_000 },
        domains: [{ domain: "one.test", aliases: [{ alias: "a", forward: "v0@box.example" }] }],
      },
    }),
  );

type Node = Awaited<ReturnType<typeof node>>;

async function leave({ parts, leave }: Node): Promise<void> {
  await parts.service.queue.stop();
  parts.clock.close();
  await leave();
  await parts.service.store.close();
}

describe.skipIf(!hasPostgres)("two nodes on one PostgreSQL", () => {
  afterAll(() => dropNamespaces([namespace, `${namespace}_queue`]));

  test(`and ${EDITS} edits during traffic`, { timeout: 600_000 }, async () => {
    const nodes = await Promise.all([node(), node()]);
    const { service: editor } = nodes[0]!.parts;
    const page = { limit: 10, offset: 0 };
    const listed = await listAliases(editor, "one.test", {}, "name_asc", page);
    const { id } = listed.rows.find(({ alias }) => alias === "a")!;
    /** When each version was begun to be written, and when that was confirmed. */
    const begun = [0];
    const confirmed = [0];
    let state: "editing" | "done" = "editing";
    let decisions = 0;
    const wrong: string[] = [];

    async function traffic({ parts: { service } }: Node): Promise<void> {
      while (state === "editing") {
        const askedMs = performance.now();
        const [answer] = await receive(service, {
          envelope: { sender: "x@y.example", recipients: ["a@one.test"] },
          message: Buffer.from("Subject: s\r\n\r\ntext\r\n"),
        });
        const answeredMs = performance.now();
        const version = Number(/^v(\d+)@/.exec(answer?.destinations?.[0] ?? "")?.[1]);
        decisions++;
        const next = confirmed[version + 1];
        const isStale = next !== undefined && next < askedMs - LIVE_MS;
        const isEarly = (begun[version] ?? Number.POSITIVE_INFINITY) > answeredMs;
        if (isStale || isEarly) wrong.push(`v${version} ${isStale ? "stale" : "early"}`);
      }
    }

    const running = nodes.map(traffic);
    for (let version = 1; version <= EDITS; version++) {
      begun[version] = performance.now();
      await updateAlias(editor, "one.test", id, { forward: `v${version}@box.example` });
      confirmed[version] = performance.now();
    }
    state = "done";
    await Promise.all(running);
    expect(decisions).toBeGreaterThan(2);
    expect(wrong).toEqual([]);
    await Promise.all(nodes.map(leave));
  });
});
