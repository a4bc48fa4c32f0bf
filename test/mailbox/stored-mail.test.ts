/** Stored mail: files, folders, Maildirs, mbox files, compressed or not, and reading a message again by its range. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type FoundMail,
  isMessage,
  mailInStream,
  openRange,
  type StoredMessage,
  storedMail,
} from "../../src/mailbox/index.ts";
import { headerFacts } from "../../src/message/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stored-mail-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

/** Octets as Zstandard would write them uncompressed: a frame of raw blocks (RFC 8878 §3.1.1). */
function zstdFrame(content: Uint8Array): Buffer {
  const blocks: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x80, 0x50, 0, 0, 0, 0])];
  blocks[0]!.writeUInt32LE(content.length, 6);
  for (let from = 0; from < content.length || from === 0; from += 100_000) {
    const block = content.subarray(from, from + 100_000);
    const isLast = from + 100_000 >= content.length ? 1 : 0;
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | isLast, 0, 3);
    blocks.push(head, Buffer.from(block));
  }
  return Buffer.concat(blocks);
}

/** A frame that readers skip, with any of its sixteen magic numbers (RFC 8878 §3.1.2). */
function skippedFrame(kind: number, length: number): Buffer {
  const frame = Buffer.alloc(8 + length, "From x\nSubject: skipped\n\n");
  frame.writeUInt32LE(0x184d2a50 + kind, 0);
  frame.writeUInt32LE(length, 4);
  return frame;
}

async function bytesOf(source: ReturnType<StoredMessage["open"]>): Promise<string> {
  if (source instanceof Uint8Array) return Buffer.from(source).toString("latin1");
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

/** Name and content of each; what is read by its range must be the same. */
async function contents(found: AsyncIterable<FoundMail>): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for await (const each of found) {
    if (!isMessage(each)) {
      if (each.kind !== "note") all.push([each.name, `${each.kind}: ${each.reason}`]);
      continue;
    }
    const content = await bytesOf(each.open());
    expect(await bytesOf(each.open())).toBe(content);
    if (each.range !== null) {
      const again: typeof each.range = JSON.parse(JSON.stringify(each.range));
      expect(await bytesOf(openRange(again))).toBe(content);
    }
    all.push([each.name, content]);
  }
  return all;
}

const MBOX =
  "From x\nA: 1\n\none\n>From me\n\nFrom y\nA: 2\nContent-Length: 14\n\nx\n\nFrom z\n\nto\n\nFrom w\nA: 3\n\nthree\n";
const IN_MBOX = [
  "A: 1\n\none\nFrom me\n",
  "A: 2\nContent-Length: 14\n\nx\n\nFrom z\n\nto\n",
  "A: 3\n\nthree\n",
];

describe("a file is", () => {
  const LONG = `Subject: long\n\n${"text\n".repeat(40_000)}`;

  test.each([
    ["a message", "a.eml", "Subject: a\n\nb"],
    ["a long message", "long.eml", LONG],
    ["a message of a field", "short.eml", "A: b"],
  ])("%s, plain or compressed", async (_what, name, text) => {
    writeFileSync(at(name), text);
    expect(await contents(storedMail(at(name), name))).toEqual([[name, text]]);
    writeFileSync(at(`${name}.gz`), gzipSync(text));
    writeFileSync(at(`${name}.zst`), zstdFrame(Buffer.from(text)));
    expect(await contents(storedMail(at(`${name}.gz`), "z"))).toEqual([["z", text]]);
    expect(await contents(storedMail(at(`${name}.zst`), "z"))).toEqual([["z", text]]);
  });

  test.each([
    ["plain", (bytes: Buffer) => bytes],
    ["gzip", (bytes: Buffer) => gzipSync(bytes)],
    [
      "gzip in two members",
      (bytes: Buffer) =>
        Buffer.concat([gzipSync(bytes.subarray(0, 30)), gzipSync(bytes.subarray(30))]),
    ],
    ["zstd", zstdFrame],
    [
      "zstd with frames to skip before, between and behind",
      (bytes: Buffer) =>
        Buffer.concat([
          skippedFrame(0, 100),
          zstdFrame(bytes.subarray(0, 30)),
          skippedFrame(15, 0),
          skippedFrame(7, 200_000),
          zstdFrame(bytes.subarray(30)),
          skippedFrame(3, 9),
        ]),
    ],
  ] as const)("an mbox: %s", async (_name, pack) => {
    writeFileSync(at("m"), pack(Buffer.from(MBOX)));
    expect(await contents(storedMail(at("m"), "m"))).toEqual(
      IN_MBOX.map((text, index) => [`m#${index + 1}`, text]),
    );
  });

  test.each([
    ["gzip", gzipSync(LONG).subarray(0, 100)],
    ["zstd", zstdFrame(Buffer.from(LONG)).subarray(0, 1_000)],
    ["zstd in a frame to skip", skippedFrame(1, 1_000).subarray(0, 500)],
  ])("told where it is cut off: %s", async (_name, bytes) => {
    writeFileSync(at("cut"), bytes);
    expect(await contents(storedMail(at("cut"), "cut"))).toEqual([["cut", "unreadable: damaged"]]);
  });

  test("told where it is not what it says", async () => {
    writeFileSync(
      at("bad"),
      Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(50, 0xff)]),
    );
    expect(await contents(storedMail(at("bad"), "bad"))).toEqual([["bad", "unreadable: damaged"]]);
  });

  test("missing", async () => {
    await expect(contents(storedMail(at("nowhere")))).rejects.toThrow("ENOENT");
  });
});

test("the bound of a message can be set: it is cut there, wherever it was stored", async () => {
  const limits = { messageBytesMax: 9 };
  const mbox = "From x\nA: 1\n\n>From me\n\nFrom y\nA: 2\n\n0123456789\n";
  for (const [name, bytes] of [
    ["m", Buffer.from(mbox)],
    ["m.gz", gzipSync(mbox)],
  ] as const) {
    writeFileSync(at(name), bytes);
    for await (const found of storedMail(at(name), name, { limits })) {
      if (!isMessage(found)) continue;
      const content = await bytesOf(found.open());
      // The `>` of a `From ` that is cut off is not known to be one that quotes.
      expect(["A: 1\n\n>Fro", "A: 2\n\n0123"]).toContain(content);
      expect(await bytesOf(openRange(found.range!, { limits }))).toBe(content);
    }
  }
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 3; at++) yield Buffer.from(`x: ${"x".repeat(40_000)}\n`);
  }
  const tooLong = mailInStream(stream(), "s", undefined, { limits });
  expect((await tooLong.next()).value).toMatchObject({
    kind: "unreadable",
    message: "cannot read `s`: `s` is longer than 9 octets: save it as a file",
  });
});

describe("a folder", () => {
  test("is read by name, with its folders and without what is hidden", async () => {
    mkdirSync(at("b"));
    for (const name of ["c.eml", "a.eml", "b/d.eml", ".hidden"])
      writeFileSync(at(name), `A: ${name}`);
    expect(await contents(storedMail(`${folder}/`, "f/"))).toEqual([
      ["f/.hidden", "skipped: hidden"],
      ["f/a.eml", "A: a.eml"],
      ["f/b/d.eml", "A: b/d.eml"],
      ["f/c.eml", "A: c.eml"],
    ]);
  });

  test("that is a Maildir gives what is in `cur` and `new`, and its subfolders", async () => {
    for (const name of ["cur", "new", "tmp", ".Sent", ".Sent/cur", ".Sent/new"])
      mkdirSync(at(name));
    for (const name of ["cur/1:2,S", "new/2", "tmp/3", ".Sent/cur/4", "dovecot.index"]) {
      writeFileSync(at(name), `A: ${name}`);
    }
    expect((await contents(storedMail(folder, "f"))).map(([name]) => name)).toEqual([
      "f/.Sent/cur/4",
      "f/cur/1:2,S",
      "f/dovecot.index",
      "f/new/2",
      "f/tmp/3",
    ]);
  });
});

describe("a stream", () => {
  async function* chunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += length)
      yield bytes.subarray(from, from + length);
  }

  test.each([1, 7, 1_024])("gives what a file would, in chunks of %i", async (length) => {
    for (const bytes of [Buffer.from(MBOX), gzipSync(MBOX), zstdFrame(Buffer.from(MBOX))]) {
      const found = await contents(mailInStream(chunks(bytes, length), "s"));
      expect(found.map(([, text]) => text)).toEqual(IN_MBOX);
    }
  });

  test("of 400 MB is read in flat memory", async () => {
    const body = `${"x".repeat(99)}\n`.repeat(2_000);
    const message = Buffer.from(`From x\nFrom: a@b.test\nSubject: s\n\n${body}\n`);
    const [count, heapMax] = [2_000, 60_000_000];
    async function* many(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < count; index++) yield message;
    }
    const start = process.memoryUsage();
    let [found, octets, most] = [0, 0, 0];
    for await (const message of mailInStream(many(), "s")) {
      if (!isMessage(message)) continue;
      const { open, range } = message;
      found++;
      octets += (open() as Uint8Array).length;
      expect(range).toBeNull();
      if (found % 100 !== 0) continue;
      expect((await headerFacts(open())).subject).toBe("s");
      const { heapUsed } = process.memoryUsage();
      most = Math.max(most, heapUsed - start.heapUsed);
    }
    expect([found, octets]).toEqual([count, count * (message.length - 8)]);
    expect(most).toBeLessThan(heapMax);
  });
});
