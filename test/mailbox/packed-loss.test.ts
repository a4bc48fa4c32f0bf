/** Nothing in a packed store is lost or changed without a report. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { packTar } from "modern-tar";
import { afterAll, describe, expect, test } from "vitest";
import { isMessage, storedMail } from "../../src/mailbox/index.ts";

const root = mkdtempSync(join(tmpdir(), "packed-loss-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const eml = (subject: string): string => `From: a@b.test\nSubject: ${subject}\n\nbody\n`;
const mbox = (...subjects: string[]): string =>
  subjects.map((each) => `From a@b.test Mon Nov 16 00:00:00 2026\n${eml(each)}\n`).join("");

/** Subjects of messages, and `name kind reason` of the rest but notes. */
async function found(name: string, bytes: Uint8Array): Promise<string[]> {
  const path = join(root, name);
  writeFileSync(path, bytes);
  const entries: string[] = [];
  for await (const each of storedMail(path, name)) {
    if (!isMessage(each)) {
      if (each.kind !== "note") entries.push(`${each.name} ${each.kind} ${each.reason}`);
      continue;
    }
    const source = each.open();
    const chunks: Uint8Array[] = [];
    if (source instanceof Uint8Array) chunks.push(source);
    else for await (const chunk of source) chunks.push(chunk);
    entries.push(/^Subject: (.*)/m.exec(Buffer.concat(chunks).toString())?.[1] ?? "");
  }
  return entries;
}

interface Member {
  readonly name: string;
  readonly content: string;
  readonly crc?: number;
}

/** A zip archive of members that are not compressed (APPNOTE 6.3.10 §4.3). */
function zip(members: readonly Member[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content, crc = crc32(content) } of members) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc, 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    const [own, label] = [Buffer.from(content), Buffer.from(name)];
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, label, own]);
    central.push(Buffer.from("PK\x01\x02\x14\x00"), fields, tail, label);
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(members.length, 4);
  end.writeUInt16LE(members.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from("PK\x05\x06"), end]);
}

test("a member of a zip archive whose checksum is wrong is damaged", async () => {
  const members = [
    { name: "1.eml", content: eml("1"), crc: 7 },
    { name: "2.eml", content: eml("2") },
  ];
  expect(await found("a.zip", zip(members))).toEqual(["a.zip/1.eml unreadable damaged", "2"]);
});

test("names in a zip archive that lead out of it are read like others", async () => {
  const names = ["../1.eml", "/2.eml", "C:/3.eml", "a\\4.eml", "5.eml"];
  const members = names.map((name) => ({ name, content: eml(/\d/.exec(name)![0]) }));
  expect(await found("names.zip", zip(members))).toEqual(["1", "2", "3", "4", "5"]);
});

test("members of a tar archive without octets of their own are reported", async () => {
  const file = (name: string, pax?: Record<string, string>) => ({
    header: { name, size: eml(name).length, ...(pax === undefined ? {} : { pax }) },
    body: eml(name),
  });
  const link = (name: string, type: "link" | "symlink" | "fifo") => ({
    header: { name, type, linkname: "1.eml", size: 0 },
  });
  const tar = await packTar([
    file("1.eml"),
    link("2.eml", "link"),
    link("3.eml", "symlink"),
    link("4", "fifo"),
    file("5.eml", { "GNU.sparse.major": "1" }),
    file("6.eml"),
  ]);
  expect(await found("a.tar", tar)).toEqual([
    "1.eml",
    "a.tar/2.eml unreadable archive",
    "a.tar/3.eml skipped not mail",
    "a.tar/4 skipped pipe",
    "a.tar/5.eml unreadable unreadable",
    "6.eml",
  ]);
});

test("MMDF with CRLF is read, and text between two messages", async () => {
  const line = "\x01\x01\x01\x01\n";
  const text = `${line}${eml("1")}${line}${eml("2")}${line}${line}${eml("3")}${line}`;
  expect(await found("m", Buffer.from(text))).toEqual(["1", "2", "3"]);
  expect(await found("m", Buffer.from(text.replaceAll("\n", "\r\n")))).toEqual(["1", "2", "3"]);
});

test("an .emlx file that ends before its message is damaged", async () => {
  const whole = `${eml("1").length}\n${eml("1")}`;
  expect(await found("a.emlx", Buffer.from(whole))).toEqual(["1"]);
  expect(await found("a.emlx", Buffer.from(whole.slice(0, -1)))).toEqual([
    "a.emlx unreadable damaged",
  ]);
});

/** What the program makes of the input. */
const packed = (program: string, input: Uint8Array | string, ...flags: string[]): Buffer =>
  spawnSync(program, ["-c", ...flags], { input }).stdout;

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

const packers = ["gzip", "zstd", "bzip2", "xz"];

test.skipIf(!packers.every(has)).each(packers)(
  "every message before something else than %s data, which zeros are not",
  async (program) => {
    const stdout = packed(program, mbox("1", "2"));
    for (const more of ["garbage", "more garbage\0\0\0\0", "\0\0\0\0garbage"]) {
      const bytes = Buffer.concat([stdout, Buffer.from(more)]);
      expect(await found("m", bytes)).toEqual(["1", "2", "m unreadable damaged"]);
    }
    expect(await found("m", Buffer.concat([stdout, Buffer.alloc(1_024)]))).toEqual(["1", "2"]);
    expect(await found("m", Buffer.concat([stdout, stdout]))).toEqual(["1", "2", "1", "2"]);
  },
);

/** Text that no program makes much shorter. */
const noise = (octets: number): string => {
  let state = 1;
  const bytes = Buffer.alloc(octets);
  for (let at = 0; at < octets; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = at % 77 === 76 ? 10 : 97 + ((state >>> 16) % 26);
  }
  return bytes.toString();
};

test.skipIf(!packers.every(has)).each(packers)(
  "every member of a tar archive of %s before damage at its end",
  async (program) => {
    const names = Array.from({ length: 20 }, (_, nth) => String(nth));
    const content = (name: string): string => `${eml(name)}${noise(20_000)}`;
    const members = names.map((name) => ({
      header: { name: `${name}.eml`, size: content(name).length },
      body: content(name),
    }));
    const stdout = packed(program, await packTar(members));
    stdout[stdout.length - 2]! ^= 255;
    expect(await found("a.tar", stdout)).toEqual([...names, "a.tar unreadable damaged"]);
  },
);

const hasXz = has("xz");

test.skipIf(!hasXz)("xz within a tar archive of xz, and two files side by side", async () => {
  const inner = packed("xz", mbox("2", "3"));
  const long = `${eml("4")}${noise(400_000)}`;
  const tar = await packTar([
    { header: { name: "a.eml", size: eml("1").length }, body: eml("1") },
    { header: { name: "b.xz", size: inner.length }, body: inner },
    { header: { name: "c.eml", size: long.length }, body: long },
  ]);
  expect(await found("a.tar", packed("xz", tar))).toEqual(["1", "2", "3", "4"]);
  const [one, other] = [storedMail(join(root, "a.tar")), storedMail(join(root, "a.tar"))];
  for (let place = 0; place < 4; place++) {
    const [here, there] = [await one.next(), await other.next()];
    expect(here.value?.name).toBe(there.value?.name);
  }
});

test.skipIf(!hasXz)("xz with a checksum that is not supported says so", async () => {
  expect(await found("m", packed("xz", mbox("1"), "--check=sha256"))).toEqual([
    "m unreadable unreadable",
  ]);
  for await (const each of storedMail(join(root, "m"), "m")) {
    expect(each).toMatchObject({ message: expect.stringContaining("a checksum (SHA-256)") });
  }
});

test.skipIf(!has("bzip2"))("blocks of bzip2 that expand a lot, and several streams", async () => {
  const bzip2 = (input: Uint8Array | string): Buffer => packed("bzip2", input, "-1");
  const blank = bzip2(Buffer.alloc(10_000_000, "\n"));
  const bytes = Buffer.concat([bzip2(mbox("1")), blank, bzip2(mbox("2"))]);
  expect(await found("m", bytes)).toEqual(["1", "2"]);
});

/** The header of a member, with its checksum. */
function tarHeader(name: string, size: Uint8Array | string, type = "0"): Buffer {
  const block = Buffer.alloc(512);
  block.write(name);
  block.set(Buffer.from(size), 124);
  block.write(`${type}ustar  `, 156);
  block.write("ustar  ", 257);
  block.fill(32, 148, 156);
  const sum = block.reduce((total, octet) => total + octet, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

describe("a tar archive", () => {
  const block = (text: string): Buffer => {
    const padded = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    padded.write(text);
    return padded;
  };
  const octal = (size: number): string => size.toString(8).padStart(11, "0");
  const member = (name: string): Buffer =>
    Buffer.concat([tarHeader(`${name}.eml`, octal(eml(name).length)), block(eml(name))]);
  const members = Buffer.concat(["1", "2", "3"].map(member));
  const end = Buffer.alloc(1_024);

  test.each([
    ["a wrong checksum", Buffer.concat([tarHeader("x.eml", octal(1)).fill(65, 0, 3), end])],
    ["a size of 4 EB", tarHeader("x.eml", Buffer.from("800000004000000000000000", "hex"))],
    ["a negative size", tarHeader("x.eml", Buffer.alloc(12, 255))],
    ["a size that is not a number", tarHeader("x.eml", "none")],
    [
      "a pax header without a length",
      Buffer.concat([tarHeader("x", octal(5), "x"), block("path=")]),
    ],
    ["a name of 8 GB", tarHeader("x", "77777777777", "L")],
    ["no end", Buffer.alloc(0)],
    ["another archive behind its end", Buffer.concat([end, members])],
  ])("%s: every member before it", async (_, rest) => {
    expect(await found("a.tar", Buffer.concat([members, rest]))).toEqual([
      "1",
      "2",
      "3",
      "a.tar unreadable damaged",
    ]);
  });

  test("a member that is cut off", async () => {
    const bytes = Buffer.concat([members, member("4").subarray(0, 530)]);
    expect(await found("a.tar", bytes)).toEqual([
      "1",
      "2",
      "3",
      "a.tar/4.eml unreadable damaged",
      "a.tar unreadable damaged",
    ]);
  });

  test("sparse files of old GNU tar, their maps, and names of any bytes and length", async () => {
    const sparse = tarHeader("s.eml", octal(eml("s").length), "S");
    sparse[482] = 1;
    sparse.fill(32, 148, 156);
    const sum = sparse.reduce((total, octet) => total + octet, 0);
    sparse.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    const name = `${"d".repeat(200)}/\xe9.eml`;
    const bytes = Buffer.concat([
      sparse,
      Buffer.alloc(512),
      block(eml("s")),
      tarHeader("././@LongLink", octal(name.length + 1), "L"),
      Buffer.concat([Buffer.from(name, "latin1"), Buffer.alloc(512 - name.length)]),
      member("1"),
      end,
    ]);
    expect(await found("a.tar", bytes)).toEqual(["a.tar/s.eml unreadable unreadable", "1"]);
    const names: string[] = [];
    for await (const each of storedMail(join(root, "a.tar"), "a.tar")) names.push(each.name);
    expect(names[1]).toBe(`a.tar/${"d".repeat(200)}/\udce9.eml`);
  });
});

test.skipIf(!has("zstd"))("Zstandard data with a wrong checksum is damaged", async () => {
  const { stdout } = spawnSync("zstd", ["-c", "--check"], { input: mbox("1", "2", "3") });
  expect(await found("m", stdout)).toEqual(["1", "2", "3"]);
  stdout[stdout.length - 1]! ^= 1;
  expect(await found("m", stdout)).toEqual(["1", "2", "m unreadable damaged"]);
});
