/** `mailflow/message` runs in a browser and in a Worker: it loads nothing of Node, and no tables before a message needs them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { browserBundle, expectKeptSize } from "../browser-bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRY = join(ROOT, "src/message/index.ts");
/** What Workers and browsers both have. */
const WORLD = { URL, TextEncoder, TextDecoder };

const script = await browserBundle('export * from "./message/index.ts";');

test("it bundles without node: modules, and without tables of charsets", () => {
  expect(script.external).toEqual([]);
  expect(script.packages).toEqual(["entities"]);
});

const RUN = `
  const bytes = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const mail = (charset, body) =>
    bytes("From: a@b.test\\nContent-Type: text/html; charset=" + charset + "\\n\\n<p hidden>x</p>" + body);
  const read = (charset, body) => mailflow.messageFactsOf(mail(charset, body)).body.trim();
  JSON.stringify([
    read("utf-8", "\\u00c3\\u00a9"),
    read("windows-1252", "\\u0080"),
    read("shift_jis", "\\u0093\\u00fa\\u0096\\u007b"),
    read("euc-jp", "\\u00c6\\u00fc\\u00cb\\u00dc"),
    read("gb18030", "\\u00d6\\u00d0"),
    read("iso-2022-kr", "\\u001b$)C\\u000e0!\\u000f"),
    read("koi8-r", "\\u00c4\\u00c1"),
    read("nobody-knows", "abc"),
  ])`;
const READ = ["é", "€", "日本", "日本", "中", "가", "да", "abc"];

describe("where there is no Node", () => {
  test("the bundle reads messages, by the charsets that the host has", () => {
    expect(JSON.parse(runInNewContext(script.text + RUN, { ...WORLD }))).toEqual(READ);
  });

  test("so it does where a host has a `process` that is not Node's", () => {
    const process = { env: {}, getBuiltinModule: () => undefined };
    expect(JSON.parse(runInNewContext(script.text + RUN, { ...WORLD, process }))).toEqual(READ);
  });

  test("a message streams through", async () => {
    const world = { ...WORLD, given: Buffer.from("Subject: s\n\nbody"), passed: null };
    const passed = runInNewContext(
      `${script.text}
      (async () => {
        const source = (async function* () { for (const byte of given) yield Uint8Array.of(byte); })();
        const message = mailflow.stagedMessage(source);
        const { body } = await message.upTo("body");
        const octets = [];
        for await (const chunk of message.stream()) octets.push(...chunk);
        return JSON.stringify([body, octets]);
      })()`,
      // What it reads are bytes of its own world.
      { ...world, Uint8Array },
    );
    expect(JSON.parse(await passed)).toEqual(["body", [...world.given]]);
  });
});

describe("in Node", () => {
  const LOADS = `
    import { createRequire } from "node:module";
    const { messageFactsOf } = await import(process.argv[2]);
    const { cache } = createRequire(import.meta.url);
    const isLoaded = () => Object.keys(cache).some((path) => /iconv-lite/.test(path));
    const read = (charset, body) => messageFactsOf(Buffer.from(
      "Subject: =?" + charset + "?Q?x?=\\nContent-Type: text/plain; charset=" + charset + "\\n\\n" + body, "latin1",
    )).body;
    const known = ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "utf-7", "koi8-r"];
    for (const charset of known) read(charset, charset === "koi8-r" ? "plain" : "\\xe9");
    const before = isLoaded();
    const text = read("shift_jis", "\\x93\\xfa\\x96\\x7b");
    console.log(JSON.stringify([before, text, isLoaded()]));`;

  async function loadedBy(folder: string): Promise<unknown> {
    const file = join(folder, "message.mjs");
    await build({
      entryPoints: [ENTRY],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: file,
      logLevel: "silent",
    });
    writeFileSync(join(folder, "loads.mjs"), LOADS);
    const arguments_ = [join(folder, "loads.mjs"), file];
    return JSON.parse(execFileSync(process.execPath, arguments_, { encoding: "utf8" }));
  }

  test("the tables load with the first message that needs them", async () => {
    const folder = mkdtempSync(join(ROOT, "node_modules/.cache/mailflow-bundle-"));
    try {
      expect(await loadedBy(folder)).toEqual([false, "日本", true]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("a bundle that has no packages beside it reads by the host's charsets", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mailflow-bundle-"));
    try {
      expect(await loadedBy(folder)).toEqual([false, "日本", false]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("its gzipped size is the one that is kept (KEEP_BUNDLE_SIZE=1 keeps a new one)", () => {
  expectKeptSize(new URL("bundle-size.json", import.meta.url), script.gzipBytes);
});
