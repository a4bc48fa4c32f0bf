/** The worker as one file of plain JavaScript, as the package itself is shipped: a loader of TypeScript would slow it. */
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { CACHE, ROOT } from "./paths.ts";

let built: Promise<string> | undefined;

/** Built once a process. */
export function workerFile(): Promise<string> {
  built ??= bundle("worker");
  return built;
}

/** A program of the benches, built below `node_modules`, from where it finds the packages. `entry`: its file, without `.ts`. */
export async function bundle(entry: string): Promise<string> {
  const name = basename(entry);
  const folder = join(CACHE, `${name}-${process.pid}`);
  await build({
    entryPoints: [join(ROOT, "bench", `${entry}.ts`)],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // A bench is loaded with what it imports alone.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, `${name}.mjs`);
}
