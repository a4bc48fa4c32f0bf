/** A PostgreSQL of our own in a new directory, which can be killed and started again. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export interface Cluster {
  readonly url: string;
  readonly port: number;
  /** Of the process that starts all others. */
  pid(): number;
  /** Ends all its processes at once, as a machine that fails does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends the sessions of all clients; how many there were. */
  terminate(): Promise<number>;
  /** Makes another database; its URL. `name` is an identifier of small letters. */
  addDatabase(name: string): Promise<string>;
  remove(): Promise<void>;
}

const DEBIAN = "/usr/lib/postgresql";
/** Characters that are kept of what a server prints. */
const PRINTED_MAX = 4_000;

/** Where `initdb` is; `null` where no server is installed. */
export function serverPrograms(): string | null {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, "bin")),
    "/usr/local/bin",
    "/usr/bin",
  ];
  return (
    folders.find(
      (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
    ) ?? null
  );
}

/** Linux connects from ports of this one on, unless it is told otherwise. */
const EPHEMERAL_PORT_MIN = 32_768;
const UNPRIVILEGED_PORT_MIN = 10_240;

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** A port that no connection comes from: one of those would keep a server that was killed from starting again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(UNPRIVILEGED_PORT_MIN, EPHEMERAL_PORT_MIN);
    if (await canListen(port)) return port;
  }
}

/** PostgreSQL refuses to run as root. */
function asServer(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync("/etc/passwd", "utf8"))![0].split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Of a process by its folder in `/proc`; `undefined` for what is none. */
function parentOf(name: string): number | undefined {
  if (!/^\d+$/.test(name)) return undefined;
  try {
    const line = readFileSync(`/proc/${name}/stat`, "utf8");
    return Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** `settings` are like `fsync=off`. */
export async function createCluster(
  programs: string,
  settings: readonly string[] = [],
): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), "mailflow-postgres-"));
  const owner = asServer();
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid!);
  chmodSync(directory, 0o700);
  const files = join(directory, "files");
  execFileSync(
    join(programs, "initdb"),
    [
      "-D",
      files,
      "-U",
      "mailflow",
      "-A",
      "trust",
      "--no-sync",
      "-E",
      "UTF8",
      "--locale",
      "C.UTF-8",
    ],
    { stdio: "ignore", cwd: directory, ...owner },
  );
  const port = await freePort();
  const url = `postgres://mailflow@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;
  let printed = "";
  let ended: Promise<unknown> = Promise.resolve();

  async function ask(sql: string): Promise<number> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rowCount ?? 0;
    } finally {
      await client.end().catch(() => {});
    }
  }

  function spawnServer(): void {
    server = spawn(
      join(programs, "postgres"),
      [
        ...["-D", files, "-p", String(port), "-k", directory],
        ...["listen_addresses=127.0.0.1", ...settings].flatMap((each) => ["-c", each]),
      ],
      { stdio: ["ignore", "ignore", "pipe"], cwd: directory, ...owner },
    );
    server.stderr!.on("data", (chunk) => {
      printed = (printed + chunk).slice(-PRINTED_MAX);
    });
    ended = new Promise((resolve) => server!.once("exit", resolve));
  }

  async function start(): Promise<void> {
    spawnServer();
    for (let tries = 0; ; tries++) {
      try {
        await ask("select 1");
        return;
      } catch (error) {
        if (tries === 150)
          throw new Error(`PostgreSQL does not start: ${printed}`, { cause: error });
        // It refuses to start while a process of the one before is still there.
        if (hasEnded(server!)) spawnServer();
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  async function kill(): Promise<void> {
    if (server?.pid === undefined || hasEnded(server)) return;
    const { pid } = server;
    // So that it starts no process that is not among those listed.
    process.kill(pid, "SIGSTOP");
    const children = readdirSync("/proc").filter((name) => parentOf(name) === pid);
    for (const each of [pid, ...children.map(Number)]) {
      try {
        process.kill(each, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
    await ended;
  }

  await start();
  return {
    url,
    port,
    pid: () => server!.pid!,
    kill,
    start,
    terminate: () =>
      ask(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
      ),
    async addDatabase(name) {
      await ask(`create database ${name}`);
      return `postgres://mailflow@127.0.0.1:${port}/${name}`;
    },
    async remove() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
