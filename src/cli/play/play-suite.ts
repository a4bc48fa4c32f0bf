/** The suite of rule tests beside a domain file: read for the page, and written case by case. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { formatPath } from "../../base/diagnostic.ts";
import { type RuleTest, readSuite } from "../../rehearse/test/test-suite.ts";

/** The file takes its name when it is whole: what was there before stays, should the write fail. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const whole = `${path}.${process.pid}.part`;
  await writeFile(whole, text, { flag: "wx" });
  await rename(whole, path);
}

/** `shop.mailtest.json` beside `shop.json`. */
export function suitePathOf(domainFile: string): string {
  return `${domainFile.replace(/\.json$/, "")}.mailtest.json`;
}

/** A file as it was written, with fields that are not read; a suite that is not there yet has no tests. */
interface WrittenSuite {
  readonly [field: string]: unknown;
  readonly tests: readonly RuleTest[];
}

/** Throws an `Error` that says what is wrong with the suite. */
async function readWritten(path: string, domainFile: string): Promise<WrittenSuite> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return { domain: basename(domainFile), tests: [] };
  }
  const value: unknown = JSON.parse(text);
  const result = readSuite(value);
  if (result.ok) return value as WrittenSuite;
  const [first] = result.problems;
  throw new Error(`${formatPath(first!.path)}: ${first!.message}`);
}

/** A test as the page takes it: of a message in a file, the file comes along where it can be read. */
export interface PlayedTest {
  readonly test: RuleTest;
  readonly base64?: string;
}

/** Octets of all messages in files that are handed to the page. */
const FILES_BYTES_MAX = 64 * 1024 * 1024;

async function withMessages(tests: readonly RuleTest[], folder: string): Promise<PlayedTest[]> {
  let bytes = 0;
  const played: PlayedTest[] = [];
  for (const test of tests) {
    const octets =
      typeof test.message === "string"
        ? await readFile(resolve(folder, test.message)).catch(() => null)
        : null;
    bytes += octets?.length ?? 0;
    const isTaken = octets !== null && bytes <= FILES_BYTES_MAX;
    played.push(isTaken ? { test, base64: octets.toString("base64") } : { test });
  }
  return played;
}

/** One suite; changes are made one after the other, each on what the file holds then. */
export interface PlaySuite {
  readonly name: string;
  /** The tests, or what is wrong with the file. */
  read(): Promise<{ readonly tests: readonly PlayedTest[]; readonly problem: string }>;
  /** Rejects with an `Error` for a person; the file then stays as it was. */
  add(test: unknown): Promise<void>;
  drop(name: string): Promise<void>;
}

export function openSuite(domainFile: string): PlaySuite {
  const path = suitePathOf(domainFile);
  let last: Promise<unknown> = Promise.resolve();
  const change = (of: (tests: readonly RuleTest[]) => readonly unknown[]): Promise<void> => {
    const work = last.then(async () => {
      const written = await readWritten(path, domainFile);
      const next = { ...written, tests: of(written.tests) };
      // A suite without tests is none.
      if (next.tests.length === 0) return rm(path, { force: true });
      const result = readSuite(next);
      if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("; "));
      return replaceFile(path, `${JSON.stringify(next, null, 2)}\n`);
    });
    last = work.catch(() => undefined);
    return work;
  };
  return {
    name: basename(path),
    async read() {
      try {
        const written = await readWritten(path, domainFile);
        const result = readSuite(written);
        const tests = result.ok ? result.suite.tests : [];
        return { tests: await withMessages(tests, dirname(path)), problem: "" };
      } catch (error) {
        return { tests: [], problem: `${basename(path)} is not read: ${(error as Error).message}` };
      }
    },
    add: (test) => change((tests) => [...tests, test]),
    drop: (name) => change((tests) => tests.filter((test) => test.name !== name)),
  };
}
