/** How a store is opened whose first process ended before the first world was in place. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openState } from "../../src/simulator/open-state.ts";
import { readOptions } from "../../src/simulator/options.ts";

const folder = await mkdtemp(join(tmpdir(), "mailflow-open-state-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a directory is seeded again at once: no other process can be seeding it", async () => {
  const settings = readOptions({ store: { kind: "pglite", directory: join(folder, "data") } });
  const states: string[] = [];
  for (let start = 0; start < 2; start++) {
    const { store, installation } = await openState(settings);
    states.push(`${installation.state} ${installation.epoch}`);
    await store.close();
  }
  expect(states).toEqual(["new 1", "new 2"]);
});
