/** The worker as one file of plain JavaScript, as the package itself is shipped: a loader of TypeScript would slow it. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { CACHE, ROOT } from "./paths.ts";

let built: Promise<string> | undefined;

/** Built once a process, below `node_modules`, from where it finds the packages. */
export function workerFile(): Promise<string> {
  built ??= bundle();
  return built;
}

async function bundle(): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const outfile = join(CACHE, `worker-${process.pid}.mjs`);
  await build({
    entryPoints: [join(ROOT, "bench", "worker.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  process.once("exit", () => rmSync(outfile, { force: true }));
  return outfile;
}
