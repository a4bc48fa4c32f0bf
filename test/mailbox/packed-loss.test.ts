/** Nothing in a packed store is lost or changed without a report. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { packTar } from "modern-tar";
import { afterAll, expect, test } from "vitest";
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

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

test.skipIf(!has("zstd") || !has("bzip2")).each(["zstd", "bzip2"])(
  "every message before something else than %s data",
  async (program) => {
    const { stdout } = spawnSync(program, ["-c"], { input: mbox("1", "2") });
    for (const more of ["garbage", "more garbage"]) {
      const bytes = Buffer.concat([stdout, Buffer.from(more)]);
      expect(await found("m", bytes)).toEqual(["1", "2", "m unreadable damaged"]);
    }
    const zeros = await found("m", Buffer.concat([stdout, Buffer.alloc(1_024)]));
    expect(zeros.slice(0, 2)).toEqual(["1", "2"]);
  },
);

test.skipIf(!has("zstd"))("Zstandard data with a wrong checksum is damaged", async () => {
  const { stdout } = spawnSync("zstd", ["-c", "--check"], { input: mbox("1", "2", "3") });
  expect(await found("m", stdout)).toEqual(["1", "2", "3"]);
  stdout[stdout.length - 1]! ^= 1;
  expect(await found("m", stdout)).toEqual(["1", "2", "m unreadable damaged"]);
});
