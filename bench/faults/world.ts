/** The domain that the fault suites send mail to, in a seed file in a new directory. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOMAIN } from "./load.ts";

const WORLD = {
  plan: { daily_receive_limit: 1_000_000_000, monthly_receive_limit: 0 },
  domains: [{ domain: DOMAIN, aliases: [{ alias: "box", forward: "kept@inbox.example" }] }],
};

export function withScratch(): {
  readonly directory: string;
  readonly world: string;
  remove(): void;
} {
  const directory = mkdtempSync(join(tmpdir(), "mailflow-faults-"));
  const world = join(directory, "world.json");
  writeFileSync(world, JSON.stringify(WORLD));
  return { directory, world, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
