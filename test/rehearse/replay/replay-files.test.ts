/** What a replay writes: nothing is destroyed, nothing is lost, and what does not fit is refused. */
import { spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Replayed, type ReplayOptions, replay } from "../../../src/rehearse/replay/replay.ts";
import { rehearsed } from "../demo.ts";

const root = mkdtempSync(join(tmpdir(), "mailflow-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const domain = rehearsed({
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    { id: "r", type: "regex", config: { regex: "number 1", scopes: ["subject"], forward: "null" } },
  ],
});

const message = (number: number): string =>
  `From a@b.test Mon Nov 16 00:00:00 2026\nFrom: a@b.test\nTo: you@shop.example\nSubject: number ${number}\n\n${"padding ".repeat(2_000)}\n\n`;
/** Twelve batches. */
const MBOX = Array.from({ length: 1_500 }, (_, index) => message(index)).join("");

let folder: string;
let count = 0;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
});

let shared: string;
let whole: string;
beforeAll(async () => {
  shared = join(root, "shared.mbox");
  writeFileSync(shared, MBOX);
  await replay(domain, [{ path: shared, name: "m" }], { workers: 0, out: join(root, "whole") });
  whole = readFileSync(join(root, "whole"), "utf8");
});

async function go(options: ReplayOptions, path = shared): Promise<Replayed> {
  return replay(domain, [{ path, name: "m" }], { workers: 0, ...options });
}

/** Ends after some batches, so that the state has been written. */
async function begin(options: ReplayOptions, path = shared): Promise<void> {
  const end = new AbortController();
  let batches = 0;
  const onProgress = (): void => {
    if (++batches === 9) end.abort();
  };
  const { verdict } = await go({ ...options, onProgress, signal: end.signal }, path);
  expect(verdict).toBe("ended");
}

describe("an output is refused", () => {
  test("that is a source, by whatever name, even with force", async () => {
    writeFileSync(at("m.mbox"), MBOX);
    linkSync(at("m.mbox"), at("hard"));
    symlinkSync(at("m.mbox"), at("soft"));
    for (const name of ["m.mbox", "hard", "soft"]) {
      for (const existing of ["refuse", "anew"] as const) {
        const running = go({ out: at(name), existing }, at("m.mbox"));
        await expect(running).rejects.toThrow("is one of the sources");
      }
      const state = go({ state: at(name), existing: "anew" }, at("m.mbox"));
      await expect(state).rejects.toThrow("is one of the sources");
    }
    expect(readFileSync(at("m.mbox"), "utf8")).toBe(MBOX);
  });

  test("that is mail in a source folder", async () => {
    mkdirSync(at("mail"));
    writeFileSync(at("mail/1.eml"), "Subject: x\n\n");
    for (const options of [{ out: at("mail/1.eml") }, { state: at("mail/1.eml") }]) {
      const running = go({ ...options, existing: "anew" }, at("mail"));
      await expect(running).rejects.toThrow("is one of the sources");
    }
    expect(readFileSync(at("mail/1.eml"), "utf8")).toBe("Subject: x\n\n");
  });

  test("that is there already, unless it may be overwritten", async () => {
    writeFileSync(at("out"), "precious");
    await expect(go({ out: at("out") })).rejects.toThrow("exists already");
    expect(readFileSync(at("out"), "utf8")).toBe("precious");
    await go({ out: at("out"), existing: "anew" });
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
  });

  test("that is the state, or a folder", async () => {
    await expect(go({ out: at("x"), state: at("x") })).rejects.toThrow("cannot be both");
    await expect(go({ out: folder })).rejects.toThrow("is a folder");
  });

  test("that a run which was killed at its start has left empty is written", async () => {
    writeFileSync(at("out.partial"), "");
    await go({ out: at("out"), state: at("state") });
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
  });

  test("that an earlier run has left unfinished", async () => {
    await begin({ out: at("out") });
    expect(existsSync(at("out"))).toBe(false);
    await expect(go({ out: at("out") })).rejects.toThrow(`\`${at("out")}.partial\` is left`);
    await go({ out: at("out"), existing: "anew" });
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
    expect(readdirSync(folder)).toEqual(["out"]);
  });
});

test("outputs in the source folder are not read as mail", async () => {
  mkdirSync(at("mail"));
  writeFileSync(at("mail/a.mbox"), MBOX);
  const options = { out: at("mail/out"), state: at("mail/state") };
  await begin(options, at("mail"));
  const { tally } = await go(options, at("mail"));
  expect(tally).toMatchObject({ messages: 1_500, unreadable: 0, bytes: MBOX.length });
  const again = await go(options, at("mail"));
  expect(again.tally.messages).toBe(1_500);
});

test("a run that ended before any batch was kept is gone on with", async () => {
  const options = { out: at("out"), state: at("state") };
  const onProgress = (): void => {
    throw new Error("killed");
  };
  await expect(go({ ...options, onProgress })).rejects.toThrow("killed");
  expect(existsSync(at("out.partial"))).toBe(true);
  const { resumedAt } = await go(options);
  expect(resumedAt).toBe(0);
  expect(readFileSync(at("out"), "utf8")).toBe(whole);
});

test("a function is given the lines", async () => {
  let lines = "";
  await go({
    out: async (text) => {
      lines += text;
    },
  });
  expect(lines).toBe(whole);
  const running = go({ out: async () => undefined, state: at("state") });
  await expect(running).rejects.toThrow("cannot continue with decisions that went to a stream");
});

describe("what goes on is refused", () => {
  const options = (): ReplayOptions => ({ out: at("out"), state: at("state") });

  test.each([
    ["emptied", () => truncateSync(at("out.partial"), 0)],
    ["removed", () => rmSync(at("out.partial"))],
    [
      "edited",
      () => writeFileSync(at("out.partial"), whole.slice(0, 200_000).replace("rest@", "tser@")),
    ],
  ])("when the output was %s", async (_how, change) => {
    await begin(options());
    change();
    await expect(go(options())).rejects.toThrow("is not what this replay wrote");
    await go({ ...options(), existing: "anew" });
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
  });

  test("with another output, or none", async () => {
    await begin(options());
    await expect(go({ ...options(), out: at("other") })).rejects.toThrow("continue with the same");
    await expect(go({ state: at("state") })).rejects.toThrow("continue with the same");
    await go(options());
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
  });

  test("when the finished output was changed", async () => {
    await go(options());
    expect((await go(options())).resumedAt).toBe(1_500);
    writeFileSync(at("out"), `${whole}{}\n`);
    await expect(go(options())).rejects.toThrow("is not what this replay wrote");
  });

  const half = (MBOX.length / 2) | 0;
  test.each([
    ["edited, of the same size", (text: string) => text.replace("number 3\n", "number 1\n")],
    ["with its halves swapped", (text: string) => text.slice(half) + text.slice(0, half)],
    ["longer", (text: string) => text + message(1)],
    ["shorter", (text: string) => text.slice(0, -100)],
  ])("when the mail is %s, its time put back", async (_how, change) => {
    const path = at("m.mbox");
    writeFileSync(path, MBOX);
    const time = new Date("2026-01-01");
    utimesSync(path, time, time);
    await begin(options(), path);
    writeFileSync(path, change(MBOX));
    utimesSync(path, time, time);
    await expect(go(options(), path)).rejects.toThrow("the mail has changed");
    writeFileSync(path, MBOX);
    await go({ ...options(), existing: "anew" }, path);
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
  });
});

test("a source that is truncated while it is read fails the run", async () => {
  const path = at("m.mbox");
  writeFileSync(path, MBOX);
  let batches = 0;
  const onProgress = (): void => {
    if (++batches === 3) truncateSync(path, 100_000);
  };
  const running = go({ out: at("out"), onProgress }, path);
  await expect(running).rejects.toThrow("`m` was truncated while it was read");
  expect(existsSync(at("out"))).toBe(false);
});

test("what is appended while it is read is told, and the rest counts", async () => {
  const path = at("m.mbox");
  writeFileSync(path, MBOX);
  let batches = 0;
  const onProgress = (): void => {
    if (++batches === 3) writeFileSync(path, message(1), { flag: "a" });
  };
  const { tally } = await go({ out: at("out"), onProgress }, path);
  expect(readFileSync(at("out"), "utf8")).toBe(whole);
  expect(tally.unreadableFirst).toMatchObject([{ failure: expect.stringContaining("it grew") }]);
});

describe("two runs on one state", () => {
  test("the second is refused, and the first goes on", async () => {
    let second: Promise<unknown> | undefined;
    const options = { out: at("out"), state: at("state") };
    const onProgress = (): void => {
      second ??= go(options).catch((error: unknown) => error);
    };
    await go({ ...options, onProgress });
    expect(String(await second)).toContain(`process ${process.pid} on ${hostname()} is writing`);
    expect(readFileSync(at("out"), "utf8")).toBe(whole);
    expect(readdirSync(folder).sort()).toEqual(["out", "state"]);
  });

  test("the lock of a process that has ended counts for nothing", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((done) => child.on("exit", done));
    const dead = { pid: child.pid, host: hostname(), started: null };
    writeFileSync(at("out.lock"), JSON.stringify(dead));
    await go({ out: at("out") });
    // An id that was given to another process since.
    writeFileSync(
      at("out.lock"),
      JSON.stringify({ pid: process.pid, host: hostname(), started: "1" }),
    );
    await go({ out: at("out"), existing: "anew" });
    writeFileSync(at("out.lock"), JSON.stringify({ ...dead, host: "elsewhere" }));
    const running = go({ out: at("out"), existing: "anew" });
    await expect(running).rejects.toThrow("on elsewhere is writing");
  });
});
