/** Rivals in C++: built with g++ where their Debian packages are installed, and driven over pipes. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Absent, absent, type MeasuredWork, Refusal } from "./bench.ts";
import { buildOnce, run, whyNotBuilt } from "./build-once.ts";
import { CACHE, ROOT } from "./paths.ts";

export interface Rig {
  /** Of the source below `rigs/`, without `.cc`. */
  readonly name: string;
  /** As pkg-config calls it. */
  readonly pkgConfigName: string;
  readonly debianPackage: string;
}

/** Hyperscan compiles some thousands of patterns without literals for minutes. */
const READY_MS = 180_000;

const programOf = ({ name }: Rig): string => join(CACHE, `rig-${name}`);

/** Builds the rig unless this source of it is built. */
export function buildRig(rig: Rig): void {
  const folder = join(ROOT, "bench", "rigs");
  const [source, header] = [join(folder, `${rig.name}.cc`), join(folder, "rig.h")];
  const hash = createHash("sha256").update(readFileSync(source)).update(readFileSync(header));
  buildOnce(`rig-${rig.name}`, hash.digest("hex").slice(0, 16), () => {
    let flags: string[];
    try {
      flags = run("pkg-config", ["--cflags", "--libs", rig.pkgConfigName], folder)
        .trim()
        .split(/\s+/);
    } catch {
      throw new Error(`Debian's ${rig.debianPackage} is not installed`);
    }
    const args = ["-O3", "-march=native", "-std=c++17", source, "-o", programOf(rig), ...flags];
    run("g++", args, folder);
  });
}

/** Lists of byte strings in one file: a count, then length and bytes of each, as 32 bits little-endian. */
function writeLists(file: string, lists: readonly (readonly Uint8Array[])[]): void {
  const number = (value: number): Uint8Array => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const parts = lists.flatMap((list) => [
    number(list.length),
    ...list.flatMap((bytes) => [number(bytes.length), bytes]),
  ]);
  writeFileSync(file, Buffer.concat(parts));
}

/** Starts a rig on its input; each line `N` to it runs the work N times and gets nanoseconds and answers. */
export async function rigWork(
  rig: Rig,
  mode: string,
  lists: readonly (readonly Uint8Array[])[],
): Promise<MeasuredWork | Absent> {
  const problem = whyNotBuilt(`rig-${rig.name}`);
  if (problem !== null) return problem;
  const file = join(CACHE, `input-${rig.name}-${process.pid}`);
  writeLists(file, lists);
  const child = spawn(programOf(rig), [mode, file], { stdio: ["pipe", "pipe", "inherit"] });
  const kill = (): void => {
    child.kill();
  };
  process.once("exit", kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    const ended = `refused: it ended, or was not ready after ${READY_MS / 1_000} s`;
    const said = done === true ? ended : value;
    if (said.startsWith("refused: ")) throw new Refusal(said.slice("refused: ".length));
    return said;
  };
  const late = setTimeout(kill, READY_MS);
  try {
    await nextLine();
    clearTimeout(late);
  } catch (error) {
    clearTimeout(late);
    if (error instanceof Refusal) return absent(error.message);
    throw error;
  }
  return {
    operations: lists.at(-1)!.length,
    async measure(runs) {
      child.stdin.write(`${runs}\n`);
      const cost = Number(await nextLine());
      const answers: string[] = [];
      for (let left = Number(await nextLine()); left > 0; left--) answers.push(await nextLine());
      return { cost, answers };
    },
    close: kill,
  };
}
