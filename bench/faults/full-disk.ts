/** `serve --data` on a disk that is full for a while: a small file system in memory, and a file that fills it. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DOMAIN, startLoad } from "./load.ts";
import { API_KEY, kill, startServe } from "./served.ts";
import { judge, type Verdict } from "./verdict.ts";
import { withScratch } from "./world.ts";

export interface FullDiskReport extends Verdict {
  /** Answers to mail while the disk was full, by code. */
  readonly answersWhileFull: Readonly<Record<string, number>>;
  /** The API's answer to a write while the disk was full. */
  readonly apiStatus: number;
  readonly apiMessage: string;
}

const DISK_MB = 256;
const PIECE = Buffer.alloc(65_536, 1);
const ANSWERS = 20;
const TEMPLATES_MAX = 190;
/** Within which the full disk has to be felt. */
const FILL_MS_MAX = 60_000;
/** Large enough to need new room soon: the write-ahead log goes in pieces of 16 MB. */
const TEXT = `${"x".repeat(78)}\r\n`.repeat(4_000);

/** `null` where file systems can be mounted, else why not. */
export function mountRefusal(): string | null {
  const directory = mkdtempSync(join(tmpdir(), "mailflow-mount-"));
  try {
    mount(directory);
    execFileSync("umount", [directory], { stdio: "ignore" });
    return null;
  } catch {
    return "no file system can be mounted here";
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function mount(directory: string): void {
  const options = ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "none", directory];
  execFileSync("mount", options, { stdio: "ignore" });
}

/** Writes until nothing more fits. */
function fill(file: string): void {
  const out = openSync(file, "w");
  try {
    for (let piece = PIECE; piece.length > 0; ) {
      try {
        writeSync(out, piece);
      } catch {
        piece = piece.subarray(0, piece.length >> 1);
      }
    }
  } finally {
    closeSync(out);
  }
}

/** Creates large templates until one is refused. */
async function writeUntilRefused(url: string): Promise<{ apiStatus: number; apiMessage: string }> {
  for (let turn = 0; ; turn++) {
    const response = await fetch(`${url}/v4/domains/${DOMAIN}/templates`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`api:${API_KEY}`)}` },
      body: JSON.stringify({ name: `t${turn}`, subject: "s", html_body: "x".repeat(100_000) }),
    });
    const text = await response.text();
    if (response.status !== 200 || turn === TEMPLATES_MAX) {
      return { apiStatus: response.status, apiMessage: text.slice(0, 500) };
    }
  }
}

export async function fullDiskSuite(): Promise<FullDiskReport> {
  const scratch = withScratch();
  const disk = join(scratch.directory, "disk");
  mkdirSync(disk);
  mount(disk);
  const [data, filler] = [join(disk, "data"), join(disk, "filler")];
  const options = ["--data", data, "--seed", scratch.world];
  let served = await startServe(options);
  const text = TEXT;
  const load = startLoad(() => [served.mxPort], { clients: 2, prefix: "full", pauseMs: 5, text });
  const answered = async (count: number): Promise<void> => {
    const before = load.sent;
    while (load.sent < before + count) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  try {
    await answered(ANSWERS);
    fill(filler);
    const untilMs = performance.now() + FILL_MS_MAX;
    while (!load.answers.has("451") && performance.now() < untilMs) await answered(1);
    const before = new Map(load.answers);
    await answered(ANSWERS);
    const answersWhileFull = Object.fromEntries(
      [...load.answers].flatMap(([code, count]) => {
        const more = count - (before.get(code) ?? 0);
        return more > 0 ? [[code, more]] : [];
      }),
    );
    const api = await writeUntilRefused(served.url);
    await kill(served);
    rmSync(filler);
    served = await startServe(options);
    await answered(ANSWERS);
    await load.stop();
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    await kill(served, "SIGTERM");
    const verdict = await judge({ kind: "pglite", directory: data }, load.acknowledged);
    return { ...verdict, answersWhileFull, ...api };
  } finally {
    await load.stop();
    served.process.kill("SIGKILL");
    execFileSync("umount", ["-l", disk], { stdio: "ignore" });
    scratch.remove();
  }
}
