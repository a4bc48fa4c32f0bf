/** Where the benches find the project, and where they may build things: never committed, safe to delete. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of `package.json`, also seen from the bundled worker. */
function findRoot(from: string): string {
  return existsSync(join(from, "package.json")) && existsSync(join(from, "bench"))
    ? from
    : findRoot(dirname(from));
}

export const ROOT: string = findRoot(dirname(fileURLToPath(import.meta.url)));
export const CACHE: string = join(ROOT, "node_modules", ".cache", "mailflow-bench");
