/** `mailflow serve` in a process of its own, bundled in chunks as it is published. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The executable's path, and what went into it; each caller gives a folder of its own. */
export async function bundleCommand(
  name: string,
): Promise<{ readonly executable: string; readonly metafile: Metafile }> {
  // Within the package, so that it finds its dependencies.
  const outdir = join(root, "node_modules/.cache", name);
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { cli: "src/cli/main.ts" },
    outdir,
    bundle: true,
    splitting: true,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return { executable: join(outdir, "cli.js"), metafile };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Served {
  readonly child: ChildProcess;
  /** What it says once it listens; rejects when it ends instead. */
  readonly welcome: Promise<string>;
  readonly ended: Promise<Ended>;
}

/** `upTo`: the welcome is there when this has been written. */
export function serve(executable: string, argv: readonly string[], upTo: string = "\n"): Served {
  const child = spawn(process.execPath, [executable, "serve", ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  const welcome = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
      if (said.stdout.includes(upTo)) resolve(said.stdout);
    });
    child.once("close", () => reject(new Error(`it ended: ${said.stderr}`)));
  });
  welcome.catch(() => {});
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, ...said }));
  });
  return { child, welcome, ended };
}

export const ANY_PORTS: readonly string[] = ["--port=0", "--smtp-port=0", "--submission-port=0"];
