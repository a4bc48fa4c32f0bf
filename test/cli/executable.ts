/** The executable, bundled as it is published. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles it under a name of the test's own; the path of the command. */
export async function bundledCommand(name: string): Promise<string> {
  // Within the package, so that it finds its dependencies.
  const executable = join(ROOT, "node_modules/.cache", `mailflow-${name}`, "cli.js");
  await build({
    entryPoints: {
      cli: join(ROOT, "src/cli/main.ts"),
      "replay-worker": join(ROOT, "src/rehearse/replay/replay-worker.ts"),
    },
    outdir: dirname(executable),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return executable;
}
