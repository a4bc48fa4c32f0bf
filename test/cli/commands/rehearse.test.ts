import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { run } from "../../../src/cli/run.ts";
import { progressText } from "../../../src/cli/show/show-replay.ts";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const SALES = { name: "sales", message: { recipient: "sales" }, expect: { alias: "sales" } };
const MAIL = message({ From: "a@b.test", To: "sales@shop.example", Subject: "x" });

function suite(...tests: object[]): object {
  return { tests };
}

describe("mailflow test", () => {
  test("finds the files below, each with the domain of its name", async () => {
    const cwd = folderWith({
      "shop.json": ALIAS_DOMAIN,
      "shop.mailtest.json": suite(SALES),
      "inner/shop.json": ALIAS_DOMAIN,
      "inner/shop.mailtest.yaml":
        "tests:\n  - name: from a file\n    message: m.eml\n    expect: { alias: sales }\n",
      "inner/m.eml": MAIL,
      "node_modules/x/shop.mailtest.json": "wrong",
    });
    const { code, stdout, stderr } = await mailflow(["test", "--reporter", "json"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: 2,
      failed: 0,
      files: [
        {
          file: "inner/shop.mailtest.yaml",
          domain: "inner/shop.json",
          tests: [{ name: "from a file", line: 2, passed: true }],
        },
        {
          file: "shop.mailtest.json",
          domain: "shop.json",
          tests: [{ recipient: "sales@shop.example" }],
        },
      ],
    });
  });

  test("tests another domain in place of its own", async () => {
    const other = { ...ALIAS_DOMAIN, aliases: [] };
    const cwd = folderWith({
      "shop.json": ALIAS_DOMAIN,
      "other.json": other,
      "shop.mailtest.json": suite(SALES),
    });
    expect((await mailflow(["test"], { cwd })).code).toBe(0);
    expect((await mailflow(["test", "--domain", "other.json"], { cwd })).code).toBe(1);
  });

  test("a message of an mbox, and one that names several recipients", async () => {
    const two = message({ To: "sales@shop.example, void@shop.example" });
    const cwd = folderWith({
      "shop.json": ALIAS_DOMAIN,
      "a.mbox": `From x\n${MAIL}\nFrom y\n${two}`,
      "shop.mailtest.json": suite(
        { name: "1", message: "a.mbox#1", expect: { alias: "sales" } },
        { name: "2", message: "a.mbox#2", recipient: "void", expect: { action: "discard" } },
        { name: "3", message: "a.mbox#2", expect: { action: "discard" } },
        { name: "4", message: "a.mbox#3", expect: { action: "discard" } },
        { name: "5", message: "a.mbox", expect: { action: "discard" } },
      ),
    });
    const { stdout } = await mailflow(["test", "--reporter", "json"], { cwd });
    const { tests } = JSON.parse(stdout).files[0];
    expect(
      tests.map(({ passed, failure }: { passed: boolean; failure?: string }) => failure ?? passed),
    ).toEqual([
      true,
      true,
      "the message names 2 recipients at `shop.example`: add `recipient`",
      "no message `a.mbox#3`: `a.mbox` has 2",
      "`a.mbox` has more than one message: name one, as in `a.mbox#2`",
    ]);
  });

  test("--fail-under, and --coverage as lcov", async () => {
    const cwd = folderWith({ "shop.json": ALIAS_DOMAIN, "shop.mailtest.json": suite(SALES) });
    const under = await mailflow(["test", "--fail-under", "26"], { cwd });
    expect([under.code, under.stderr]).toEqual([
      1,
      "coverage of shop.json is 25.0 %, less than 26 %\n",
    ]);
    expect((await mailflow(["test", "--fail-under", "25"], { cwd })).code).toBe(0);
    const { stderr } = await mailflow(["test", "--coverage", "lcov"], { cwd });
    expect(stderr).toBe("coverage written to lcov.info\n");
    const lcov = readFileSync(join(cwd, "lcov.info"), "utf8");
    expect(lcov).toContain("SF:shop.json\nFN:6,alias a1\nFNDA:1,alias a1\n");
    expect((await mailflow(["test", "--fail-under", "x"], { cwd })).stderr).toContain(
      "write a percentage",
    );
  });

  test.each([
    ["shop.mailtest.json", "{", "shop.mailtest.json:1:2: error: the text ends where a key"],
    [
      "shop.mailtest.json",
      '{\n "test": []\n}',
      "shop.mailtest.json:2:10: error test: no field `test`: did you mean `tests`?",
    ],
    ["shop.mailtest.yaml", "tests:\n  - name: [", "shop.mailtest.yaml:2:12: error: "],
    [
      "shop.mailtest.yaml",
      "tests:\n  - name: n\n    message: m\n    expect: {}\n",
      "shop.mailtest.yaml:4:13: error tests[0].expect: `expect` is empty",
    ],
  ])("%s that is wrong has its place told: %j", async (name, content, said) => {
    const { code, stderr } = await mailflow(["test"], {
      cwd: folderWith({ "shop.json": ALIAS_DOMAIN, [name]: content }),
    });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test("no tests, and a domain that is missing or wrong", async () => {
    expect((await mailflow(["test"], { cwd: folderWith({}) })).stderr).toContain("no tests found");
    const lone = folderWith({ "shop.mailtest.json": suite(SALES) });
    expect((await mailflow(["test"], { cwd: lone })).stderr).toContain("cannot read `shop.json`");
    const wrong = folderWith({ "shop.json": {}, "shop.mailtest.json": suite(SALES) });
    expect((await mailflow(["test"], { cwd: wrong })).stderr).toContain(
      "error[config/missing-field]",
    );
  });

  test("--watch runs again when a file changes, until it is ended", async () => {
    const cwd = folderWith({ "shop.json": ALIAS_DOMAIN, "shop.mailtest.json": suite(SALES) });
    const end = new AbortController();
    let stdout = "";
    let waiting = 0;
    const output = (write: (text: string) => void) => ({
      isTerminal: false,
      write: async (text: string) => write(text),
    });
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    const done = run(["test", "--watch"], {
      stdin: nothing(),
      stdout: output((text) => {
        stdout += text;
      }),
      stderr: output((text) => {
        if (text.includes("waiting")) waiting++;
      }),
      env: {},
      cwd,
      end: end.signal,
    });
    const until = async (times: number): Promise<void> => {
      while (waiting < times) await setTimeout(5);
    };
    await until(1);
    expect(stdout).toContain("1 test passed");
    // Watching begins a moment after it is said: the change is made until it is seen.
    while (waiting < 2) {
      writeFileSync(join(cwd, "shop.json"), JSON.stringify({ ...ALIAS_DOMAIN, aliases: [] }));
      await setTimeout(50);
    }
    end.abort();
    expect(await done).toBe(1);
    expect(stdout).toContain("1 test failed");
  });
});

describe("mailflow why", () => {
  const cwd = (): string => folderWith({ "shop.json": ALIAS_DOMAIN, "m.eml": MAIL });

  test.each([
    [["why", "shop.json", "m.eml"], "`--to` is missing"],
    [["why", "shop.json", "m.eml", "--to", "nonsense"], "neither a rule nor a destination"],
    [["why", "shop.json", "m.eml", "--to", "salez@else.test"], "did you mean `sales@else.test`?"],
    [["why", "shop.json", "gone.eml", "--to", "sales"], "cannot read `gone.eml`"],
    [
      ["why", "shop.json", "m.eml", "--to", "sales", "--recipient", "x@else.test"],
      "is not at `shop.example`",
    ],
  ])("%j", async (argv, said) => {
    const { code, stderr } = await mailflow(argv, { cwd: cwd() });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test("--json", async () => {
    const { stdout } = await mailflow(["why", "shop.json", "m.eml", "--to", "void", "--json"], {
      cwd: cwd(),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      message: "m.eml",
      recipient: "sales@shop.example",
      target: { kind: "alias", id: "a4" },
      verdict: "not-reached",
      candidates: [
        {
          kind: "alias",
          id: "a4",
          failed: [{ kind: "alias", alias: "void", actual: "sales" }],
          messageEdits: [{ changes: [{ to: "void@shop.example" }] }],
        },
      ],
    });
  });
});

describe("mailflow diff and shadow", () => {
  const other = {
    ...ALIAS_DOMAIN,
    aliases: [{ id: "a1", alias: "sales", forward: "new@else.test" }],
  };
  const cwd = (): string =>
    folderWith({ "old.json": ALIAS_DOMAIN, "new.json": other, "m/1.eml": MAIL });

  test("ends with 1 when anything changes, unless allowed", async () => {
    expect((await mailflow(["diff", "old.json", "new.json", "m"], { cwd: cwd() })).code).toBe(1);
    expect(
      (await mailflow(["diff", "old.json", "new.json", "m", "--allow-changes"], { cwd: cwd() }))
        .code,
    ).toBe(0);
    expect((await mailflow(["diff", "old.json", "old.json", "m"], { cwd: cwd() })).code).toBe(0);
  });

  test("--json", async () => {
    const { stdout } = await mailflow(["diff", "old.json", "new.json", "m", "--json"], {
      cwd: cwd(),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      messages: 1,
      changed: 1,
      groups: [
        {
          from: { kind: "alias", id: "a1" },
          count: 1,
          examples: [{ cause: [{ of: "alias", id: "a1", field: "forward" }] }],
        },
      ],
    });
  });

  test("--pin writes tests that pass, and fail with the other domain", async () => {
    const folder = cwd();
    mkdirSync(join(folder, "pins"));
    const pin = await mailflow(
      ["diff", "old.json", "old.json", "m", "--pin", "pins/old.mailtest.json"],
      { cwd: folder },
    );
    expect([pin.code, pin.stderr]).toEqual([0, "1 test written to pins/old.mailtest.json\n"]);
    expect(JSON.parse(readFileSync(join(folder, "pins/old.mailtest.json"), "utf8"))).toEqual({
      domain: "../old.json",
      tests: [
        {
          name: "m/1.eml for sales@shop.example",
          message: "../m/1.eml",
          recipient: "sales@shop.example",
          expect: { alias: "sales", destinations: ["sales@else.test"] },
        },
      ],
    });
    expect((await mailflow(["test"], { cwd: folder })).code).toBe(0);
    expect((await mailflow(["test", "--domain", "new.json"], { cwd: folder })).code).toBe(1);
  });

  test("--pin overwrites no file, with --force none that is a domain or mail", async () => {
    const folder = cwd();
    const pin = async (path: string, ...options: string[]): Promise<string> => {
      const argv = ["diff", "old.json", "old.json", "m", "--pin", path, ...options];
      const { code, stderr } = await mailflow(argv, { cwd: folder });
      return `${code} ${stderr.split("\n")[0]}`;
    };
    const read = (path: string): string => readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, "mine.txt"), "precious");
    expect(await pin("mine.txt")).toBe(
      "2 error: `mine.txt` exists already: name another file, or overwrite it with --force",
    );
    expect(read("mine.txt")).toBe("precious");
    const domain = read("old.json");
    expect(await pin("old.json", "--force")).toContain("is the domain file: name another file");
    expect(read("old.json")).toBe(domain);
    const mail = read("m/1.eml");
    expect(await pin("m/1.eml", "--force")).toContain("is one of the sources");
    expect(read("m/1.eml")).toBe(mail);
    expect(await pin("mine.txt", "--force")).toBe("0 1 test written to mine.txt");
    expect(JSON.parse(read("mine.txt")).tests).toHaveLength(1);
    expect(await pin("m", "--force")).toBe("2 error: `m` is a folder: name a file to write");
  });

  test("two domains are not compared, nor is nothing", async () => {
    const folder = folderWith({
      "a.json": ALIAS_DOMAIN,
      "b.json": { ...ALIAS_DOMAIN, domain: "b.example" },
      "m/1.eml": message({ To: "x@y.test" }),
    });
    expect((await mailflow(["diff", "a.json", "b.json", "m"], { cwd: folder })).stderr).toContain(
      "compare one domain with itself",
    );
    expect((await mailflow(["diff", "a.json", "a.json", "m"], { cwd: folder })).code).toBe(2);
  });

  test("a rule that is wrong is told with its path", async () => {
    const folder = folderWith({
      "a.json": ALIAS_DOMAIN,
      "rule.json": { type: "alias", config: { alias: "x" } },
      "m/1.eml": MAIL,
    });
    const { code, stderr } = await mailflow(["shadow", "a.json", "rule.json", "m"], {
      cwd: folder,
    });
    expect([code, stderr]).toEqual([
      2,
      "rule.json: error[config/missing-field] config.forward: `forward` is missing: give a string\n",
    ]);
  });
});

describe("mailflow replay", () => {
  test("--out, --resume and --json", async () => {
    const folder = folderWith({
      "a.json": ALIAS_DOMAIN,
      "m/1.eml": MAIL,
      "m/2.eml": message({ To: "void@shop.example" }),
    });
    const argv = ["replay", "a.json", "m", "--out", "out.ndjson", "--resume", "state", "--json"];
    const { code, stdout, stderr } = await mailflow(argv, { cwd: folder });
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      messages: 2,
      decisions: 2,
      actions: { forward: 1, discard: 1, reject: 0 },
    });
    const routed = await mailflow(["route", "a.json", "m", "--json"], { cwd: folder });
    expect(readFileSync(join(folder, "out.ndjson"), "utf8")).toBe(routed.stdout);
    const again = await mailflow(argv, { cwd: folder });
    expect(again.stderr).toBe("continued after 2 messages\n");
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
  });

  test("standard input, wrong use, and nothing there", async () => {
    const folder = folderWith({ "a.json": ALIAS_DOMAIN });
    const piped = await mailflow(["replay", "a.json", "-", "--json"], {
      cwd: folder,
      stdin: `From x\n${MAIL}`,
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ messages: 1, decisions: 1 });
    expect((await mailflow(["replay", "a.json", "gone"], { cwd: folder })).stderr).toContain(
      "cannot read `gone`",
    );
    expect(
      (await mailflow(["replay", "a.json", "-", "--workers", "x"], { cwd: folder })).stderr,
    ).toContain("`--workers` cannot be `x`");
  });

  test("the progress line has share, throughput and what is left", () => {
    const now = { messages: 62_000, bytes: 41e6, bytesTotal: 100e6 };
    expect(progressText(now, { messages: 2_000, bytes: 1e6, bytesTotal: 100e6 }, 10)).toBe(
      "[========            ]  41 %  62,000 messages  6,000/s  4.0 MB/s  15 s left",
    );
    expect(progressText({ ...now, bytesTotal: 0 }, null, 10)).toBe("62,000 messages …");
  });
});
