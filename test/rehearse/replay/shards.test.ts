/** Shards of a replay, run in any order and merged, give what one run gives; parts that do not belong together are refused. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { MailPlace, NamedFile } from "../../../src/rehearse/replay/mail-place.ts";
import { replay } from "../../../src/rehearse/replay/replay.ts";
import { type Tally, TallyCounter } from "../../../src/rehearse/replay/replay-tally.ts";
import { mergeParts } from "../../../src/rehearse/replay/shard/merge-parts.ts";
import {
  replayShard,
  type ShardOptions,
  type ShardVerdict,
} from "../../../src/rehearse/replay/shard/replay-shard.ts";
import { rehearsed } from "../demo.ts";

const root = mkdtempSync(join(tmpdir(), "mailflow-shards-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const CONFIG = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    {
      id: "fails",
      type: "cel",
      config: { expression: 'headers["x-fails"][0] == ""', forward: "null" },
    },
    {
      id: "numbers",
      type: "regex",
      config: { regex: "number (\\d+)", scopes: ["subject"], forward: "n$1@else.test" },
    },
  ],
};
const domain = rehearsed(CONFIG);
const RECIPIENTS = ["me@shop.example"];

let folder: string;
let count = 0;
const at = (name: string): NamedFile => ({ path: join(folder, name), name });
beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
});

const OPTIONS: ShardOptions = {
  recipients: RECIPIENTS,
  workers: 0,
  keeps: "decisions",
  existing: "refuse",
};

function shard(
  number: number,
  of: number,
  places: readonly MailPlace[],
  options: Partial<ShardOptions> = {},
  part = `part-${number}.json`,
): Promise<ShardVerdict> {
  return replayShard(domain, places, { number, of }, at(part), { ...OPTIONS, ...options });
}

interface Came {
  readonly lines: string;
  readonly tally: unknown;
}

/** All but times; what was slowest depends on them. */
function withoutTimes({ slowest, ...rest }: { readonly slowest: unknown }): unknown {
  return rest;
}

async function merged(parts: readonly NamedFile[]): Promise<Came> {
  let lines = "";
  const out = async (text: string): Promise<void> => {
    lines += text;
  };
  const { tally } = await mergeParts(parts, { out, existing: "refuse" });
  return { lines, tally: withoutTimes(tally) };
}

async function oneRun(places: readonly MailPlace[]): Promise<Came> {
  let lines = "";
  const out = async (text: string): Promise<void> => {
    lines += text;
  };
  const { tally } = await replay(domain, places, { recipients: RECIPIENTS, workers: 0, out });
  return { lines, tally: withoutTimes(tally) };
}

const DATE = "Mon Nov 16 00:00:00 2026";
const message = (number: number): string =>
  `Subject: number ${number}\n\ntext ${number}\n${"padding\n".repeat(number)}`;
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.nat(99).map((number) => `From a@b ${DATE}\n${message(number)}\n`) },
  { weight: 2, arbitrary: fc.nat(99).map((number) => `From a\n${message(number)}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("From here on\n", "\nFrom x\n", ">From q\n", "text\n\n"),
  },
  {
    weight: 3,
    arbitrary: fc.nat({ max: 5_000 }).map((length) => {
      return `\nFrom l@m ${DATE}\nContent-Length: ${length}\n${message(length % 100)}`;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 40 }).map((times) => {
      const inner = `From i@j ${DATE}\n${message(times)}\n`.repeat(times);
      return `\nFrom h@i ${DATE}\nContent-Length: ${inner.length}\n\n${inner}\n`;
    }),
  },
);
const mbox = fc
  .array(piece, { minLength: 1, maxLength: 120 })
  .map((pieces) => Buffer.from(`From start ${DATE}\n${message(1)}\n${pieces.join("")}`));
const file = fc.oneof(
  { weight: 5, arbitrary: mbox },
  { weight: 1, arbitrary: mbox.map((bytes) => gzipSync(bytes)) },
  { weight: 1, arbitrary: mbox.map((bytes) => gzipSync(bytes).subarray(0, -9)) },
  { weight: 2, arbitrary: fc.nat(99).map((number) => Buffer.from(message(number))) },
  { weight: 1, arbitrary: fc.constantFrom(Buffer.from("Dear diary\n"), Buffer.from("")) },
);

/** Writes files, some of them in folders. */
function writeFiles(files: readonly Buffer[]): readonly NamedFile[] {
  mkdirSync(at("in/deep").path, { recursive: true });
  for (const [index, bytes] of files.entries()) {
    writeFileSync(
      at(index % 3 === 0 ? `m${index}` : index % 3 === 1 ? `in/${index}` : `in/deep/${index}`).path,
      bytes,
    );
  }
  const own = files.flatMap((_, index) => (index % 3 === 0 ? [at(`m${index}`)] : []));
  // One of them twice: its messages have the same names again.
  return [...own, at("in"), ...own.slice(0, 1)];
}

test("random mail in any number of shards, in random order, gives what one run gives", async () => {
  let within = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 7 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.infiniteStream(fc.nat(1_000_000)),
      async (files, of, partBytes, random) => {
        folder = join(root, String(count++));
        mkdirSync(folder);
        const places = writeFiles(files);
        const whole = await oneRun(places);
        const numbers = Array.from({ length: of }, (_, index) => index + 1)
          .map((number) => [random.next().value, number] as const)
          .sort(([a], [b]) => a - b)
          .map(([, number]) => number);
        for (const number of numbers) {
          expect(await shard(number, of, places, { partBytes })).toBe("done");
          if (number % 5 === 0) expect(await shard(number, of, places)).toBe("was done");
        }
        const parts = numbers.map((number) => at(`part-${number}.json`));
        within += parts.filter(({ path }) =>
          readFileSync(path, "utf8").includes('"shardStart":{'),
        ).length;
        expect(await merged(parts)).toEqual(whole);
        rmSync(folder, { recursive: true });
      },
    ),
    { seed: 20261122, numRuns: 40, endOnFailure: true },
  );
  // Shards that begin within an mbox have been among them.
  expect(within).toBeGreaterThan(40);
});

/** Ten shards of an mbox of 30 messages. */
const TEN = 10;
const DIVIDED: Partial<ShardOptions> = { partBytes: 1_000 };
async function tenParts(): Promise<{ readonly places: NamedFile[]; readonly parts: NamedFile[] }> {
  const bodies = Array.from({ length: 30 }, (_, index) => {
    return `From a@b ${DATE}\n${message(index)}${"line\n".repeat(500)}\n`;
  });
  writeFileSync(at("m").path, bodies.join(""));
  const places = [at("m")];
  for (let number = 1; number <= TEN; number++) await shard(number, TEN, places, DIVIDED);
  const parts = Array.from({ length: TEN }, (_, index) => at(`part-${index + 1}.json`));
  return { places, parts };
}

describe("parts are refused", () => {
  const refusal = async (parts: readonly NamedFile[]): Promise<string> => {
    const merging = mergeParts(parts, { out: at("out"), existing: "refuse" });
    const said = await merging.then(() => "merged", String);
    expect(existsSync(at("out").path)).toBe(false);
    return said;
  };

  test("of which one is missing or there twice", async () => {
    const { parts } = await tenParts();
    expect(await refusal(parts.filter((_, index) => index !== 2 && index !== 6))).toContain(
      "2 of 10 shards are missing: run 3, 7",
    );
    copyFileSync(parts[4]!.path, at("copy.json").path);
    expect(await refusal([...parts, at("copy.json")])).toContain(
      "`part-5.json` and `copy.json` are both shard 5/10: leave one out",
    );
    expect(await refusal([])).toContain("there are no parts");
  });

  test.each([
    [
      "another domain",
      "is of another domain file",
      async (places: MailPlace[]) => {
        const other = rehearsed({ ...CONFIG, rules_fallback_email: "other@else.test" });
        await replayShard(other, places, { number: 3, of: TEN }, at("other.json"), OPTIONS);
      },
    ],
    [
      "other options",
      "was made with other options",
      async (places: MailPlace[]) => {
        await shard(3, TEN, places, { recipients: ["you@shop.example"] }, "other.json");
      },
    ],
    [
      "other mail",
      "is of other mail",
      async (places: MailPlace[]) => {
        appendFileSync(at("m").path, `From a@b ${DATE}\n${message(1)}`);
        await shard(3, TEN, places, {}, "other.json");
      },
    ],
    [
      "an edit of the same size",
      "is of other mail",
      async (places: MailPlace[]) => {
        utimesSync(at("m").path, 1_000, 1_000);
        await shard(3, TEN, places, {}, "other.json");
      },
    ],
    [
      "another number of shards",
      "is one of 11 shards",
      async (places: MailPlace[]) => {
        await shard(3, 11, places, {}, "other.json");
      },
    ],
    [
      "sums only",
      "was made with other options",
      async (places: MailPlace[]) => {
        await shard(3, TEN, places, { keeps: "sums" }, "other.json");
      },
    ],
  ] as const)("of %s", async (_what, said, make) => {
    const { places, parts } = await tenParts();
    await make(places);
    expect(await refusal(parts.with(2, at("other.json")))).toContain(said);
  });

  test("that are cut off, changed, or something else", async () => {
    const { parts } = await tenParts();
    const { path } = parts[3]!;
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 1);
    expect(await refusal(parts)).toContain(
      "`part-4.json` is not a part of a replay, or not a whole one",
    );
    writeFileSync(path, whole.toString().replace('"recipient":"me@', '"recipient":"em@'));
    expect(await refusal(parts)).toContain("`part-4.json` has changed since it was written");
    writeFileSync(path, "{}\n");
    expect(await refusal(parts)).toContain("is not a part of a replay");
    expect(await refusal([at("nowhere")])).toContain("cannot read `nowhere`");
  });

  test("as an output, or over a file that is there", async () => {
    const { parts } = await tenParts();
    const onto = (out: NamedFile, existing: "refuse" | "anew") =>
      mergeParts(parts, { out, existing });
    await expect(onto(parts[0]!, "anew")).rejects.toThrow("is one of the sources");
    writeFileSync(at("mine").path, "precious");
    await expect(onto(at("mine"), "refuse")).rejects.toThrow("exists already");
    await onto(at("mine"), "anew");
    expect(readFileSync(at("mine").path, "utf8")).toContain("m#30");
  });
});

describe("a shard", () => {
  test("that is done already is left as it is; a file that is something else is refused", async () => {
    const { places, parts } = await tenParts();
    const before = readFileSync(parts[0]!.path, "utf8");
    expect(await shard(1, TEN, places, DIVIDED)).toBe("was done");
    expect(readFileSync(parts[0]!.path, "utf8")).toBe(before);
    await expect(shard(2, TEN, places, DIVIDED, "part-1.json")).rejects.toThrow(
      "exists already and is not shard 2/10 of this replay",
    );
    expect(await shard(2, TEN, places, { ...DIVIDED, existing: "anew" }, "part-1.json")).toBe(
      "done",
    );
  });

  test("leaves nothing of attempts that were killed, and two attempts at once leave one part", async () => {
    const { places } = await tenParts();
    writeFileSync(at("twice.json.0b0e7a8e-0000-4000-8000-000000000000.partial").path, "half");
    const both = await Promise.all([1, 2].map(() => shard(4, TEN, places, DIVIDED, "twice.json")));
    expect(both).toEqual(["done", "done"]);
    expect(readdirSync(folder).filter((name) => name.startsWith("twice"))).toEqual(["twice.json"]);
  });

  test("that is ended leaves no part", async () => {
    const { places } = await tenParts();
    const options = { ...DIVIDED, signal: AbortSignal.abort() };
    expect(await shard(4, TEN, places, options, "ended.json")).toBe("ended");
    expect(readdirSync(folder).filter((name) => name.startsWith("ended"))).toEqual([]);
  });

  test("cannot be of a stream or a pipe, nor be written among the mail", async () => {
    await tenParts();
    const stream = { stream: (async function* () {})(), name: "(stdin)" };
    await expect(shard(1, 2, [stream])).rejects.toThrow(
      "`(stdin)` is a stream, which cannot be divided",
    );
    await expect(shard(1, 2, [{ path: "/dev/null", name: "null" }])).rejects.toThrow(
      "is a pipe or device",
    );
    mkdirSync(at("mail/deep").path, { recursive: true });
    writeFileSync(at("mail/1.eml").path, message(1));
    await expect(shard(1, 2, [at("mail")], {}, "mail/deep/part")).rejects.toThrow(
      "in the folder of mail",
    );
    await expect(shard(1, 2, [at("m")], { existing: "anew" }, "m")).rejects.toThrow(
      "is one of the sources",
    );
  });
});

describe("a message that its length holds together over shards", () => {
  const held = (): void => {
    const inner = `From i@j ${DATE}\n${message(7)}\n`.repeat(200);
    const one = `From a@b ${DATE}\n${message(1)}\n`;
    const mail = `${one}From h@i ${DATE}\nContent-Length: ${inner.length}\n\n${inner}\n${one.repeat(300)}`;
    writeFileSync(at("m").path, mail);
  };
  const parts = async (): Promise<NamedFile[]> => {
    held();
    for (let number = 1; number <= 6; number++) await shard(number, 6, [at("m")], DIVIDED);
    return Array.from({ length: 6 }, (_, index) => at(`part-${index + 1}.json`));
  };

  test("is one message after the merge, and numbers behind it are right", async () => {
    const all = await parts();
    const whole = await oneRun([at("m")]);
    expect(whole.tally).toMatchObject({ messages: 302 });
    expect(await merged(all)).toEqual(whole);
  });

  test("needs the mail to be there, and as it was", async () => {
    const all = await parts();
    writeFileSync(at("m").path, "Subject: x\n\n");
    await expect(merged(all)).rejects.toThrow(
      /`part-\d\.json` began within a message of `m`, which has to be read again: merge where/,
    );
    rmSync(at("m").path);
    await expect(merged(all)).rejects.toThrow("merge where");
  });
});

test("more destinations than are counted one by one: the same ones are counted", () => {
  const batch = (first: number, last: number): Tally => {
    const counter = new TallyCounter("all destinations");
    const destinations = Array.from(
      { length: last - first },
      (_, at) => [`d${first + at}`, 1] as const,
    );
    counter.add({ ...counter.tally(), destinations });
    return counter.tally();
  };
  const batches = [
    batch(0, 60_000),
    batch(50_000, 90_000),
    batch(85_000, 140_000),
    batch(0, 130_000),
  ];
  const added = (
    tallies: readonly Tally[],
    keeps: "all destinations" | "the first destinations",
  ): Tally => {
    const counter = new TallyCounter(keeps);
    for (const tally of tallies) counter.add(tally);
    return counter.tally();
  };
  const whole = added(batches, "the first destinations");
  expect(whole.destinations).toHaveLength(100_000);
  expect(whole.otherDestinations).toBe(40_000 + 30_000);
  const shards = [
    added(batches.slice(0, 1), "all destinations"),
    added(batches.slice(1), "all destinations"),
  ];
  expect(added(shards, "the first destinations")).toEqual(whole);
});
