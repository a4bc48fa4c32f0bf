/** The command, built as it is published, but not packed: what a user starts, without the time that reading TypeScript takes. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Where the command is built, in a folder of that name beside other caches. */
export const commandFile = (name: string): string =>
  join(ROOT, `node_modules/.cache/${name}/cli.js`);

/** Builds it, and gives its path. */
export async function buildCommand(name: string): Promise<string> {
  const file = commandFile(name);
  await build({
    entryPoints: {
      cli: join(ROOT, "src/cli/main.ts"),
      "replay-worker": join(ROOT, "src/rehearse/replay/replay-worker.ts"),
    },
    outdir: dirname(file),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return file;
}
