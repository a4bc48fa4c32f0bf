/** Where the benches find the project, and where they may build things: never committed, safe to delete. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of `package.json`. */
function findRoot(from: string): string {
  return existsSync(join(from, "package.json")) && existsSync(join(from, "bench"))
    ? from
    : findRoot(dirname(from));
}

/** Workers are told: where `node_modules` is a link, their own file is somewhere else. */
export const ROOT: string =
  process.env.MAILFLOW_BENCH_ROOT ?? findRoot(dirname(fileURLToPath(import.meta.url)));
export const CACHE: string = join(ROOT, "node_modules", ".cache", "mailflow-bench");
