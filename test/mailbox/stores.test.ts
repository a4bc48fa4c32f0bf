/** Every store of the table in docs/mail-stores.md, made here: its messages, what is said of the rest, and Python's count. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { isMessage, storedMail } from "../../src/mailbox/index.ts";

const root = mkdtempSync(join(tmpdir(), "stores-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const DATE = "Mon Nov 16 00:00:00 2026";
const eml = (subject: string): string =>
  `From: a@b.test\nSubject: ${subject}\n\nbody of ${subject}\n`;
const mbox = (...subjects: string[]): string =>
  subjects.map((subject) => `From a@b.test ${DATE}\n${eml(subject)}\n`).join("");
const LENGTH_BODY = `a\n\nFrom a@b.test ${DATE}\nSubject: within\n\nb\n`;

type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** What is found: subjects of messages, and `kind: reason` of the rest but notes. */
interface Expected {
  readonly subjects: readonly string[];
  readonly rest?: readonly string[];
}

interface Store {
  /** As in the table. */
  readonly row: string;
  readonly files: Files;
  /** What is read of it; default the folder. */
  readonly path?: string;
  /** A program that packs it, without which it is skipped. */
  readonly pack?: { readonly program: string; readonly argv: readonly string[] };
  readonly expected: Expected;
  /** Class of Python's `mailbox` that reads it, and how many messages it finds if not as many. */
  readonly python?: "mbox" | "Maildir" | "MH" | "MMDF" | "Babyl";
}

const STORES: readonly Store[] = [
  { row: "a message", files: { "a.eml": eml("1") }, path: "a.eml", expected: { subjects: ["1"] } },
  {
    row: "mbox (mboxo, mboxrd)",
    files: { m: mbox("1", "2", "3") },
    path: "m",
    expected: { subjects: ["1", "2", "3"] },
    python: "mbox",
  },
  {
    row: "mbox with Content-Length (mboxcl, mboxcl2)",
    files: {
      m: `From a@b.test ${DATE}\nSubject: 1\nContent-Length: ${LENGTH_BODY.length}\n\n${LENGTH_BODY}\n${mbox("2")}`,
    },
    path: "m",
    expected: { subjects: ["1", "2"] },
  },
  {
    row: "mbox of Eudora, without blank lines",
    files: {
      m: ["1", "2", "3"].map((subject) => `From ???@??? ${DATE}\n${eml(subject)}`).join(""),
    },
    path: "m",
    expected: { subjects: ["1", "2", "3"] },
    python: "mbox",
  },
  {
    row: "mbox of Thunderbird",
    files: {
      Inbox: `From - ${DATE}\nX-Mozilla-Status: 0001\n${eml("1")}\n`,
      "Inbox.msf": '// <!-- <mdb:mork:z v="1.4"/> -->\n',
      "Inbox.sbd/Old": mbox("2"),
      "msgFilterRules.dat": 'version="9"\n',
    },
    expected: { subjects: ["1", "2"], rest: ["skipped: index", "skipped: index"] },
  },
  {
    row: "mbox of Takeout",
    files: {
      "All mail.mbox": `From 1712345678901234567@xxx Mon Nov 16 00:00:00 +0000 2026\r\n${eml("1").replaceAll("\n", "\r\n")}\r\n`,
    },
    expected: { subjects: ["1"] },
  },
  {
    row: "MMDF",
    files: {
      m: `\x01\x01\x01\x01\nFrom a@b ${DATE}\n${eml("1")}\x01\x01\x01\x01\n\x01\x01\x01\x01\n${eml("2")}\x01\x01\x01\x01\n`,
    },
    path: "m",
    expected: { subjects: ["1", "2"] },
    python: "MMDF",
  },
  {
    row: "Babyl",
    files: {
      m: `BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\x1f\x0c\n1,,\n${eml("1").replace("\n\nbody", "\n\n*** EOOH ***\nSubject: shown\n\nbody")}\x1f\x0c\n0,, x,\n*** EOOH ***\n${eml("2")}\x1f`,
    },
    path: "m",
    expected: { subjects: ["1", "2"] },
    python: "Babyl",
  },
  {
    row: "Maildir, Maildir++",
    files: {
      "cur/1:2,S": eml("1"),
      "new/2": eml("2"),
      "tmp/3": eml("half"),
      "dovecot.index.log": "x",
      ".Sent/cur/4": eml("4"),
      ".Sent/new/": null,
      ".Sent/tmp/": null,
      maildirfolder: "",
    },
    expected: {
      subjects: ["4", "1", "2"],
      rest: ["skipped: index", "skipped: index", "skipped: unfinished"],
    },
    python: "Maildir",
  },
  {
    row: "Maildir with LAYOUT=fs",
    files: {
      "cur/1": eml("1"),
      "new/": null,
      "tmp/": null,
      "Sent/cur/2": eml("2"),
      "Sent/new/": null,
      "Sent/Old/cur/3": eml("3"),
      "Sent/Old/new/": null,
    },
    expected: { subjects: ["3", "2", "1"] },
  },
  {
    row: "MH",
    files: {
      "1": eml("1"),
      "2": eml("2"),
      ",3": eml("deleted"),
      "#4": eml("deleted"),
      ".mh_sequences": "cur: 1\n",
      "inner/1": eml("inner"),
    },
    expected: {
      subjects: ["1", "2", "inner"],
      rest: ["skipped: deleted", "skipped: deleted", "skipped: hidden"],
    },
    python: "MH",
  },
  {
    row: "Apple Mail (.emlx)",
    files: {
      "Inbox.mbox/Messages/1.emlx": `${eml("1").length}  \n${eml("1")}<?xml version="1.0"?>\n<plist/>\n`,
      "Inbox.mbox/Info.plist": '<?xml version="1.0"?><!DOCTYPE plist>\n',
      "Inbox.mbox/table_of_contents": new Uint8Array([0, 1, 2]),
    },
    expected: { subjects: ["1"], rest: ["skipped: index", "skipped: index"] },
  },
  ...(
    [
      ["gzip", ".gz", "gzip"],
      ["Zstandard", ".zst", "zstd"],
      ["xz", ".xz", "xz"],
      ["bzip2", ".bz2", "bzip2"],
    ] as const
  ).map(
    ([name, ending, program]): Store => ({
      row: `${name} of a message or mbox`,
      files: { m: mbox("1", "2") },
      path: `m${ending}`,
      pack: { program, argv: ["m"] },
      expected: { subjects: ["1", "2"] },
    }),
  ),
  ...(
    [
      ["tar", "cf"],
      ["tar, gzipped", "czf"],
      ["tar, xz", "cJf"],
    ] as const
  ).map(
    ([name, flags]): Store => ({
      row: name,
      files: {
        "in/a.eml": eml("1"),
        "in/b.mbox": mbox("2", "3"),
        "in/c.jpg": new Uint8Array([255, 216, 0, 0]),
      },
      path: "a",
      pack: { program: "tar", argv: [flags, "a", "--sort=name", "in"] },
      expected: { subjects: ["1", "2", "3"], rest: ["skipped: not mail"] },
    }),
  ),
  {
    row: "zip",
    files: { "in/a.eml": eml("1"), "in/b.mbox": mbox("2", "3"), "in/notes.txt": "Dear diary\n" },
    path: "a.zip",
    pack: { program: "zip", argv: ["-qr", "a.zip", "in"] },
    expected: { subjects: ["1", "2", "3"], rest: ["skipped: not mail"] },
  },
  {
    row: "zip, encrypted",
    files: { "in/a.eml": eml("1") },
    path: "a.zip",
    pack: { program: "zip", argv: ["-qr", "-P", "secret", "a.zip", "in"] },
    expected: { subjects: [], rest: ["unreadable: unreadable"] },
  },
  {
    row: "lzip, 7-Zip, RAR, compress, LZ4, cabinets, .pst, .msg, .dbx",
    files: {
      "a.lz": "LZIP\x01",
      "b.pst": "!BDN....",
      "c.7z": Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"),
      "d.msg": Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "e.rar": "Rar!\x1a\x07",
    },
    expected: { subjects: [], rest: Array.from({ length: 5 }, () => "unreadable: archive") },
  },
  {
    row: "UTF-16",
    files: { "a.eml": Buffer.from(`\ufeff${eml("1")}`, "utf16le") },
    expected: { subjects: [], rest: ["unreadable: UTF-16"] },
  },
  {
    row: "damaged or cut off",
    files: {
      "m.gz": gzipSync(
        mbox(...Array.from({ length: 2_000 }, (_, index) => String(index))),
      ).subarray(0, 5_000),
    },
    expected: { subjects: [], rest: ["unreadable: damaged"] },
  },
  {
    row: "something else after compressed data or a tar",
    files: { "m.gz": Buffer.concat([gzipSync(mbox("1", "2")), Buffer.from("garbage")]) },
    expected: { subjects: ["1", "2"], rest: ["unreadable: damaged"] },
  },
  { row: "an empty file", files: { a: "" }, expected: { subjects: [], rest: ["skipped: empty"] } },
  {
    row: "hidden files and folders",
    files: { ".a": eml("1"), ".b/c": eml("2") },
    expected: { subjects: [], rest: ["skipped: hidden", "skipped: hidden"] },
  },
  {
    row: "anything else",
    files: {
      "a.txt": "Dear diary\n",
      "b.json": "{}",
      "c.yaml": "name: x\n",
      "d.png": new Uint8Array([137, 80, 78, 71, 0]),
    },
    expected: { subjects: [], rest: Array.from({ length: 4 }, () => "skipped: not mail") },
  },
];

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(content === null ? path : dirname(path), { recursive: true });
    if (content !== null) writeFileSync(path, content);
  }
}

async function found(path: string): Promise<Expected> {
  const [subjects, rest]: [string[], string[]] = [[], []];
  for await (const each of storedMail(path, "x")) {
    if (!isMessage(each)) {
      if (each.kind !== "note") rest.push(`${each.kind}: ${each.reason}`);
      continue;
    }
    const source = each.open();
    const chunks: Uint8Array[] = [];
    if (source instanceof Uint8Array) chunks.push(source);
    else for await (const chunk of source) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("latin1");
    const subject = /^Subject: ([^\r\n]*)/m.exec(text)?.[1] ?? "";
    // All of it, and nothing else.
    if (!text.includes("within"))
      expect(text.replaceAll("\r", "")).toBe(text.includes("X-Mozilla") ? text : eml(subject));
    subjects.push(subject);
  }
  return { subjects, rest };
}

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;
const hasPython = has("python3");

function countByPython(kind: string, path: string): number {
  const script = `import mailbox,sys\nprint(len(mailbox.${kind}(sys.argv[1])))`;
  return Number(execFileSync("python3", ["-c", script, path], { encoding: "utf8" }));
}

let count = 0;
describe("a store", () => {
  for (const store of STORES) {
    const { row, files, pack, expected, python } = store;
    test.skipIf(pack !== undefined && !has(pack.program))(row, async () => {
      const folder = join(root, String(count++));
      write(folder, files);
      if (pack !== undefined) execFileSync(pack.program, pack.argv, { cwd: folder });
      const path = store.path === undefined ? folder : join(folder, store.path);
      const { subjects, rest } = await found(path);
      if (row.startsWith("damaged")) {
        expect(subjects.length).toBeGreaterThan(20);
        expect(subjects).toEqual(
          Array.from({ length: subjects.length }, (_, index) => String(index)),
        );
      } else expect(subjects).toEqual(expected.subjects);
      expect(rest).toEqual(expected.rest ?? []);
      if (python !== undefined && hasPython) {
        // Of folders Python reads the one that is named, not those below it.
        const own = subjects.filter((subject) => subject !== "4" && subject !== "inner").length;
        expect(countByPython(python, path)).toBe(own);
      }
    });
  }
});

describe("links, pipes, and names in any bytes", () => {
  test("a link to a folder is followed once, a circle is told, a link to nothing too", async () => {
    const folder = join(root, "links");
    write(folder, { "a/1.eml": eml("1"), "b/2.eml": eml("2") });
    symlinkSync("../b", join(folder, "a/x"));
    symlinkSync("..", join(folder, "a/up"));
    symlinkSync("nowhere", join(folder, "dangling"));
    execFileSync("mkfifo", [join(folder, "fifo")]);
    expect(await found(folder)).toEqual({
      subjects: ["1", "2"],
      rest: [
        "skipped: linked folder",
        "skipped: linked folder",
        "unreadable: dangling link",
        "skipped: pipe",
      ],
    });
  });

  test("a name that is not UTF-8", async () => {
    const folder = join(root, "bytes");
    write(folder, { a: eml("1") });
    const name = Buffer.concat([
      Buffer.from(`${folder}/caf`),
      Buffer.from([0xe9]),
      Buffer.from(".eml"),
    ]);
    renameSync(join(folder, "a"), name);
    const names: string[] = [];
    for await (const each of storedMail(folder, "x")) names.push(each.name);
    expect(names).toEqual(["x/caf\udce9.eml"]);
    expect((await found(folder)).subjects).toEqual(["1"]);
  });
});

test("the table in the docs has these rows, each with what is tested", () => {
  const page = fileURLToPath(new URL("../../docs/mail-stores.md", import.meta.url));
  const rows = [...readFileSync(page, "utf8").matchAll(/^\| (?!store |---)(.+?) \|/gm)].map(
    ([, row]) => row,
  );
  expect(rows.slice(0, STORES.length)).toEqual(STORES.map(({ row }) => row));
});
