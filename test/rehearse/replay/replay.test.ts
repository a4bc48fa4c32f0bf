import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { rehearse } from "../../../src/rehearse/rehearsed-domain.ts";
import {
  type Replayed,
  type ReplayOptions,
  type ReplayProgress,
  replay,
} from "../../../src/rehearse/replay/replay.ts";
import { batchKey, planBatches } from "../../../src/rehearse/replay/replay-plan.ts";
import { summaryOf } from "../../../src/rehearse/replay/replay-summary.ts";
import type { Tally } from "../../../src/rehearse/replay/replay-tally.ts";
import { headerRule } from "../../rule-types/header-rule.ts";
import { rehearsed } from "../demo.ts";

const folder = mkdtempSync(join(tmpdir(), "mailflow-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const domain = rehearsed({
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    { id: "none", type: "alias", config: { alias: "none", forward: "null" } },
    {
      id: "third",
      type: "regex",
      config: { regex: "number (\\d*[369])$", scopes: ["subject"], forward: "n$1@else.test" },
    },
    {
      id: "fails",
      type: "cel",
      config: { expression: 'headers["x-fails"][0] == "no"', forward: "y@else.test" },
    },
    {
      id: "body",
      type: "regex",
      config: { regex: "From here", scopes: ["body"], forward: "body@else.test" },
    },
    {
      id: "never",
      type: "regex",
      config: { regex: "nowhere", scopes: ["body"], forward: "z@else.test" },
    },
  ],
});

function message(number: number): string {
  const to =
    number % 50 === 0
      ? "x@other.example"
      : `${number % 20 === 1 ? "none" : "you"}@shop.example, me@shop.example`;
  const body = number % 7 === 0 ? "From here on\n" : `${"padding ".repeat(700)}\n`;
  return `From: a@b.test\nTo: ${to}\nSubject: number ${number}\n\n${body}`;
}

const MESSAGES = 2_600;
const mbox = Array.from({ length: MESSAGES }, (_, index) => {
  const quoted = message(index + 1).replace(/^(>*From )/gm, (line, from, at) =>
    at === 0 ? line : `>${from}`,
  );
  return `From a@b.test Mon Nov 16 00:00:00 2026\n${quoted}\n`;
}).join("");
writeFileSync(join(folder, "all.mbox"), mbox);
writeFileSync(join(folder, "all.mbox.gz"), gzipSync(mbox));
mkdirSync(join(folder, "folder", "inner"), { recursive: true });
for (let number = 1; number <= 700; number++) {
  const name = String(number).padStart(4, "0");
  writeFileSync(
    join(folder, "folder", number > 400 ? "inner" : ".", `${name}.eml`),
    message(number),
  );
}

const at = (name: string): { path: string; name: string } => ({ path: join(folder, name), name });
const ALL = [at("folder"), at("all.mbox")];

let runs = 0;
async function run(
  options: ReplayOptions & { out?: string },
  places = ALL,
): Promise<Replayed & { lines: string }> {
  const out = options.out ?? join(folder, `out${runs++}`);
  const replayed = await replay(domain, places, { ...options, out });
  const written = replayed.verdict === "done" ? out : `${out}.partial`;
  return { ...replayed, lines: readFileSync(written, "utf8") };
}

/** All but times. */
function counts({ slowest, ...rest }: Tally): Omit<Tally, "slowest"> {
  expect(slowest.length).toBeGreaterThan(0);
  return rest;
}

const whole = run({ workers: 0 });

test("sums add up: every message and every decision has one outcome", async () => {
  const { tally, lines } = await whole;
  const summary = summaryOf(domain, tally);
  expect(summary.messages).toBe(MESSAGES + 700);
  expect(summary.withoutRecipient).toBe(52 + 14);
  expect(summary.decisions).toBe(2 * (MESSAGES + 700 - 66));
  const { forward, discard, reject } = summary.actions;
  expect(forward + discard + reject).toBe(summary.decisions);
  const hits = summary.entries.reduce((sum, { decisions }) => sum + decisions, 0);
  expect(hits + summary.fallback + summary.noMatch).toBe(summary.decisions);
  expect(summary.entries.map(({ id, decisions }) => [id, decisions > 0])).toEqual([
    ["none", true],
    ["third", true],
    ["fails", false],
    ["body", true],
    ["never", false],
  ]);
  const told = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(told).toHaveLength(summary.decisions);
  for (const action of ["forward", "discard", "reject"] as const) {
    expect(told.filter((each) => each.action === action)).toHaveLength(summary.actions[action]);
  }
  const delivered = told.reduce((sum, { destinations }) => sum + destinations.length, 0);
  expect(summary.deliveries).toBe(delivered);
  // Whatever rule `third` did not take was asked of `fails`, and failed.
  const taken = told.filter(({ decidedBy }) => ["none", "third"].includes(decidedBy?.id)).length;
  expect(summary.failures).toMatchObject([{ rule: "fails", count: summary.decisions - taken }]);
});

test("the order of the decisions is the order of the mail", async () => {
  const names = [
    ...new Set(
      (await whole).lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).message),
    ),
  ];
  const files = Array.from({ length: 700 }, (_, index) => {
    const name = `${String(index + 1).padStart(4, "0")}.eml`;
    return index + 1 > 400 ? `folder/inner/${name}` : `folder/${name}`;
  });
  const stored = Array.from({ length: MESSAGES }, (_, index) => `all.mbox#${index + 1}`);
  const isNamed = (_: string, index: number): boolean =>
    (index < 700 ? index + 1 : index - 699) % 50 !== 0;
  expect(names).toEqual([...files, ...stored].filter(isNamed));
});

test("the mail is cut into files and parts of mboxes, none of them message by message", async () => {
  const kinds = new Map<string, number>();
  const keys = new Set<string>();
  for await (const batch of planBatches(ALL)) {
    kinds.set(batch.kind, (kinds.get(batch.kind) ?? 0) + 1);
    keys.add(batchKey(batch));
  }
  expect(Object.fromEntries(kinds)).toEqual({ files: 2, part: 7 });
  expect(keys.size).toBe(9);
});

describe("the same decisions", () => {
  test.each([1, 2])("by %i worker threads", async (workers) => {
    const { tally, lines } = await run({ workers });
    expect(counts(tally)).toEqual(counts((await whole).tally));
    expect(lines).toBe((await whole).lines);
  });

  test("when a worker is killed in the midst of it", async () => {
    const marker = join(folder, "killed");
    process.env.MAILFLOW_TEST_MARKER = marker;
    const workerModule = fileURLToPath(new URL("dying-worker.ts", import.meta.url));
    const { tally, lines } = await run({ workers: 2, workerModule });
    expect(readFileSync(marker, "utf8")).toBe("");
    expect(lines).toBe((await whole).lines);
    expect(counts(tally)).toEqual(counts((await whole).tally));
  });

  test("of 10,000 small files, by worker threads without being asked", async () => {
    const small = join(folder, "small");
    mkdirSync(small);
    const text = "To: you@shop.example\nSubject: number 3\n\n";
    for (let number = 1; number <= 10_000; number++) writeFileSync(join(small, `${number}`), text);
    const marker = join(folder, "by-a-worker");
    process.env.MAILFLOW_TEST_MARKER = marker;
    const workerModule = fileURLToPath(new URL("dying-worker.ts", import.meta.url));
    const places = [at("small")];
    const chosen = await run({ workerModule }, places);
    // Only a worker thread leaves it.
    expect(readFileSync(marker, "utf8")).toBe("");
    const { tally, lines } = await run({ workers: 0 }, places);
    expect(tally.messages).toBe(10_000);
    expect(chosen.lines).toBe(lines);
    expect(counts(chosen.tally)).toEqual(counts(tally));
  });

  test("of a compressed file, and of a stream", async () => {
    const plain = await run({ workers: 0 }, [at("all.mbox")]);
    const packed = await run({ workers: 0 }, [at("all.mbox.gz")]);
    expect(packed.lines.replaceAll("all.mbox.gz#", "all.mbox#")).toBe(plain.lines);
    async function* stream() {
      yield readFileSync(join(folder, "all.mbox"));
    }
    const streamed = await replay(domain, [{ stream: stream(), name: "all.mbox" }], { workers: 0 });
    expect(streamed.tally.decisions).toBe(plain.tally.decisions);
    expect(streamed.tally.deciders).toEqual(plain.tally.deciders);
  });
});

test("progress ends at all octets of the files, as they are stored", async () => {
  // More than a batch, so that the file is looked into: an mbox, and a message that is compressed.
  const noise = Array.from({ length: 400_000 }, (_, index) => (index * 7_919) % 1_000_003).join(
    "\n",
  );
  writeFileSync(
    join(folder, "noise.mbox.gz"),
    gzipSync(`From x\n${message(3)}${noise}\n\n`.repeat(3)),
  );
  writeFileSync(join(folder, "noise.eml.gz"), gzipSync(`${message(3)}${noise.repeat(3)}`));
  const places = [...ALL, at("all.mbox.gz"), at("noise.mbox.gz"), at("noise.eml.gz")];
  let last: ReplayProgress | undefined;
  const { tally } = await replay(domain, places, {
    workers: 0,
    onProgress: (now) => {
      expect(now.bytes).toBeGreaterThanOrEqual(last?.bytes ?? 0);
      last = now;
    },
  });
  expect(tally.messages).toBe(2 * MESSAGES + 700 + 3 + 1);
  expect(last?.bytes).toBe(last?.bytesTotal);
});

describe("a replay that goes on", () => {
  test.each([1, 3, 7])("after %i batches gives what a whole one gives", async (batches) => {
    const [out, state] = [join(folder, `part${batches}`), join(folder, `state${batches}`)];
    const end = new AbortController();
    let seen = 0;
    const onProgress = (): void => {
      if (++seen === batches) end.abort();
    };
    const first = await run({ workers: 0, out, state, onProgress, signal: end.signal });
    expect(first.verdict).toBe("ended");
    expect(first.tally.messages).toBeLessThan(MESSAGES + 700);
    // What a killed run had written behind its last state is cut off.
    writeFileSync(`${out}.partial`, `${first.lines}{"half a li`);
    const second = await run({ workers: 0, out, state });
    expect(second).toMatchObject({ verdict: "done", resumedAt: first.tally.messages });
    expect(second.lines).toBe((await whole).lines);
    expect(counts(second.tally)).toEqual(counts((await whole).tally));
    const third = await run({ workers: 0, out, state });
    expect(third.resumedAt).toBe(MESSAGES + 700);
    expect(third.lines).toBe((await whole).lines);
  });

  test("refuses the state of another, and mail that has changed", async () => {
    const state = join(folder, "state-mine");
    mkdirSync(join(folder, "few"));
    writeFileSync(join(folder, "few", "1.eml"), message(1));
    await replay(domain, [at("few")], { state });
    await expect(replay(domain, ALL, { state })).rejects.toThrow("the state of another replay");
    writeFileSync(join(folder, "few", "0.eml"), message(2));
    await expect(replay(domain, [at("few")], { state })).rejects.toThrow("the mail has changed");
    writeFileSync(state, "x");
    await expect(replay(domain, ALL, { state })).rejects.toThrow("not the state of a replay");
  });
});

test("what cannot be read is told, and the rest goes on", async () => {
  writeFileSync(join(folder, "broken.gz"), gzipSync(mbox).subarray(0, 2_000));
  const { tally } = await replay(domain, [at("gone"), at("broken.gz"), at("few")], { workers: 0 });
  expect(tally.unreadableFirst.map(({ name }) => name)).toEqual(["gone", "broken.gz"]);
  expect(tally.unreadableFirst[0]?.failure).toBe("cannot read `gone`: there is no such file");
  expect(tally.decisions).toBeGreaterThan(0);
});

test("options are closed", async () => {
  await expect(replay(domain, [], { threads: 2 } as ReplayOptions)).rejects.toThrow(
    "unknown option `threads`",
  );
  await expect(replay(domain, [], { workers: -1 })).rejects.toThrow("a whole number");
});

describe("a domain with the rule types of a host", () => {
  const config = { header: "Subject", contains: "number 1", forward: "h@else.test" };
  const result = rehearse(
    { domain: "shop.example", routing_engine: "rules", rules: [{ type: "header", config }] },
    { ruleTypes: [headerRule] },
  );
  if (!result.ok) throw new Error("refused");
  const own = result.rehearsed;

  test("is routed in this thread, however much mail there is", async () => {
    const { tally } = await replay(own, ALL);
    const few = await replay(own, ALL, { workers: 0 });
    const actions = summaryOf(own, tally).actions;
    expect(actions.forward).toBeGreaterThan(1_000);
    expect(summaryOf(own, few.tally).actions).toEqual(actions);
  });

  test("is refused if threads are asked for: they would never have started", async () => {
    await expect(replay(own, ALL, { workers: 2 })).rejects.toThrow("do not know `ruleTypes`");
  });
});

test("a module that workers cannot load ends the replay", async () => {
  const options = { workers: 1, workerModule: join(folder, "missing.mjs") };
  await expect(replay(domain, ALL, options)).rejects.toThrow("missing.mjs");
});
