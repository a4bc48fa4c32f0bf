/** Replay of stored mail: how much faster two threads are than one, and what it holds in memory whatever the size. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  createReadStream,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { rehearse } from "../src/rehearse/rehearsed-domain.ts";
import type { MailPlace } from "../src/rehearse/replay/mail-place.ts";
import { replay } from "../src/rehearse/replay/replay.ts";
import { DATASET_MESSAGES } from "../test/dataset/dataset.ts";
import type { Bench, MeasuredWork, Scale } from "./bench.ts";
import { pickFiles } from "./material/mail.ts";
import { CACHE, ROOT } from "./paths.ts";

const MB = 1_000_000;

/** `dataset`: its messages, over and over; `files`: each in a file; `short`: of 600 octets; `sparse`: images of 1 MB, all NULs. */
interface Mail {
  readonly messages: number;
  readonly kind: "dataset" | "files" | "short" | "sparse";
}

const CASES: Readonly<Record<string, Mail>> = {
  "100,000 messages of the dataset": { messages: 100_000, kind: "dataset" },
  "10,000 files of the dataset": { messages: 10_000, kind: "files" },
  "200,000 short messages": { messages: 200_000, kind: "short" },
  "2,000,000 short messages": { messages: 2_000_000, kind: "short" },
  "10 GB of messages of 1 MB": { messages: 10_000, kind: "sparse" },
};
const TINY: Readonly<Record<string, Mail>> = {
  "40 messages of the dataset": { messages: 40, kind: "dataset" },
  "20 files of the dataset": { messages: 20, kind: "files" },
  "400 short messages": { messages: 400, kind: "short" },
  "6 MB of messages of 1 MB": { messages: 6, kind: "sparse" },
};

const mailOf = (caseName: string): Mail => (CASES[caseName] ?? TINY[caseName])!;

function casesOf(scale: Scale, kinds: readonly Mail["kind"][]): readonly string[] {
  const cases = Object.entries(scale === "tiny" ? TINY : CASES);
  return cases.filter(([, { kind }]) => kinds.includes(kind)).map(([name]) => name);
}

/** As an mbox keeps a message: after a `From ` line, with lines that look like one quoted. */
function stored(file: string): Buffer {
  const text = readFileSync(file)
    .toString("latin1")
    .replace(/^From .*\n/, "")
    .replace(/^(>*From )/gm, ">$1");
  const end = text.endsWith("\n") ? "\n" : "\n\n";
  return Buffer.from(`From a@b.test Mon Nov 16 00:00:00 2026\n${text}${end}`, "latin1");
}

function head(number: number): string {
  return `From a@b.test Mon Nov 16 00:00:00 2026\nFrom: a@b.test\nSubject: number ${number}\nContent-Type: image/png\n\n`;
}

const LINES = "a line of text that says little\n".repeat(14);

function writeShort(path: string, messages: number): void {
  const file = openSync(path, "w");
  for (let number = 0; number < messages; ) {
    let text = "";
    for (; number < messages && text.length < MB; number++) {
      text += `From a@b.test Mon Nov 16 00:00:00 2026\nFrom: a@b.test\nSubject: number ${number}\n\n${LINES}\n`;
    }
    writeSync(file, text);
  }
  closeSync(file);
}

/** Between its messages' heads a sparse file has holes, which take no room on the disk. */
function writeMail(path: string, { messages, kind }: Mail): void {
  rmSync(path, { recursive: true, force: true });
  if (kind === "short") {
    writeShort(path, messages);
    return;
  }
  if (kind === "files") {
    mkdirSync(path);
    const files = pickFiles(Math.min(messages, DATASET_MESSAGES), "sample");
    for (let number = 0; number < messages; number++) {
      copyFileSync(files[number % files.length]!, join(path, `${number}.eml`));
    }
    return;
  }
  if (kind === "dataset") {
    const files = pickFiles(Math.min(messages, DATASET_MESSAGES), "sample");
    const once = Buffer.concat(files.map(stored));
    let left = messages;
    for (; left >= files.length; left -= files.length) appendFileSync(path, once);
    for (const file of files.slice(0, left)) appendFileSync(path, stored(file));
    return;
  }
  const file = openSync(path, "w");
  for (let number = 0; number < messages; number++) {
    writeSync(file, head(number), number * MB);
    writeSync(file, "\n\n", (number + 1) * MB - 2);
  }
  closeSync(file);
}

/** Workers run plain JavaScript, as they do in the package. */
async function workerModule(): Promise<string> {
  const outfile = join(CACHE, `replay-worker-${process.pid}.mjs`);
  const entry = join(ROOT, "src", "rehearse", "replay", "replay-worker.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    logLevel: "warning",
  });
  return outfile;
}

type Threads = 0 | 1 | 2;

interface Run {
  readonly ms: number;
  /** The most that was held of the machine's memory, at any time of it. */
  readonly rssMax: number;
  readonly hash: string;
}

async function prepare(
  caseName: string,
  threads: Threads,
  source: "file" | "stream",
): Promise<{ readonly mail: Mail; run(): Promise<Run>; close(): void }> {
  const mail = mailOf(caseName);
  const file = (name: string): string =>
    join(CACHE, `replay-${process.pid}-${threads}${source}-${name}`);
  const [mbox, out] = [file("mbox"), file("out")];
  const worker = await workerModule();
  const config: unknown = JSON.parse(
    readFileSync(join(ROOT, "test", "dataset", "domains", "regex.json"), "utf8"),
  );
  const compiled = rehearse(config);
  if (!compiled.ok) throw new Error("the domain does not compile");
  const { rehearsed } = compiled;
  writeMail(mbox, mail);
  return {
    mail,
    async run() {
      let rssMax = 0;
      const look = (): void => {
        rssMax = Math.max(rssMax, process.memoryUsage.rss());
      };
      const timer = setInterval(look, 20);
      const stream = source === "stream" ? createReadStream(mbox) : null;
      const place: MailPlace =
        stream === null ? { path: mbox, name: "mbox" } : { stream, name: "mbox" };
      const started = performance.now();
      await replay(rehearsed, [place], {
        workers: threads,
        recipients: [`info@${rehearsed.domain.name}`],
        out,
        existing: "anew",
        onProgress: look,
        workerModule: worker,
      });
      const ms = performance.now() - started;
      clearInterval(timer);
      return { ms, rssMax, hash: createHash("sha256").update(readFileSync(out)).digest("hex") };
    },
    close() {
      for (const path of [mbox, out, worker]) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function timed(caseName: string, threads: Threads): Promise<MeasuredWork> {
  const { mail, run, close } = await prepare(caseName, threads, "file");
  return {
    operations: mail.messages,
    async measure(runs) {
      let [cost, hash] = [0, ""];
      for (let at = 0; at < runs; at++) {
        const { ms, hash: own } = await run();
        [cost, hash] = [cost + ms * 1e6, own];
      }
      return { cost, answers: [hash] };
    },
    close,
  };
}

async function held(
  caseName: string,
  threads: Threads,
  source: "file" | "stream",
): Promise<MeasuredWork> {
  const { run, close } = await prepare(caseName, threads, source);
  return {
    operations: 1,
    async measure() {
      const { rssMax, hash } = await run();
      return { cost: rssMax, answers: [hash] };
    },
    close,
  };
}

export const replayBench: Bench = {
  name: "replay",
  title: "mail routed to decisions on disk, by what threads it is given",
  operation: "message",
  unit: "wall ns",
  cases: (scale) => casesOf(scale, ["dataset", "files"]),
  contestants: [
    { name: "two threads", prepare: (caseName) => timed(caseName, 2) },
    { name: "one thread", prepare: (caseName) => timed(caseName, 1) },
    { name: "none but the caller's", prepare: (caseName) => timed(caseName, 0) },
  ],
};

export const replayMemoryBench: Bench = {
  name: "replay-memory",
  title: "the most that the process holds at any time of a replay (RSS)",
  operation: "replay",
  unit: "bytes",
  cases: (scale) => casesOf(scale, ["dataset", "short", "sparse"]),
  contestants: [
    { name: "two threads", prepare: (caseName) => held(caseName, 2, "file") },
    { name: "one thread", prepare: (caseName) => held(caseName, 1, "file") },
    { name: "one thread, from a stream", prepare: (caseName) => held(caseName, 1, "stream") },
  ],
};
