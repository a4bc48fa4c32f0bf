/** A world for `run` in the test's own process: what it writes is kept. */
import type { CliIo, Output } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";

export interface World {
  readonly cwd?: string;
  readonly stdin?: Uint8Array | string;
  readonly env?: CliIo["env"];
  readonly terminals?: readonly ("stdout" | "stderr")[];
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function* chunks(bytes: Uint8Array | string): AsyncGenerator<Uint8Array> {
  const all = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes;
  // Small enough to part a message in odd places.
  for (let at = 0; at < all.length; at += 1_000) yield all.subarray(at, at + 1_000);
}

/** Runs `mailflow` with these arguments. */
export async function mailflow(argv: readonly string[], world: World = {}): Promise<Ran> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr"): Output => ({
    isTerminal: world.terminals?.includes(name) ?? false,
    write: async (text) => {
      written[name] += text;
    },
  });
  const code = await run(argv, {
    stdin: chunks(world.stdin ?? ""),
    stdout: output("stdout"),
    stderr: output("stderr"),
    env: world.env ?? {},
    cwd: world.cwd ?? process.cwd(),
  });
  return { code, ...written };
}
