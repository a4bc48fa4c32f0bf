/** Files of rule tests that are large, or wrong in ways that readers of JSON and YAML pass over. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { lineColumnAt, linesOf } from "../../src/base/render-diagnostic.ts";
import { run } from "../../src/cli/run.ts";
import { ALIAS_DOMAIN, folderWith, message } from "./folder.ts";
import { mailflow } from "./memory-io.ts";

const MAIL = message({ From: "a@b.test", To: "sales@shop.example", Subject: "x" });
const SALES = { name: "sales", message: { recipient: "sales" }, expect: { alias: "sales" } };

async function refused(name: string, text: string): Promise<string> {
  const cwd = folderWith({ "shop.json": ALIAS_DOMAIN, [name]: text });
  const { code, stdout, stderr } = await mailflow(["test"], { cwd });
  expect([code, stdout]).toEqual([2, ""]);
  return stderr.split("\n")[0]!;
}

describe("what is wrong is told with its line", () => {
  test.each([
    [
      "an empty suite",
      "a.mailtest.json",
      '{\n "tests": []\n}',
      "a.mailtest.json:2:11: error tests: `tests` is empty: add a test, or remove the file",
    ],
    [
      "an empty suite in YAML",
      "a.mailtest.yaml",
      "domain: shop.json\ntests: []\n",
      "a.mailtest.yaml:2:8: error tests: `tests` is empty: add a test, or remove the file",
    ],
    [
      "a key twice in JSON",
      "a.mailtest.json",
      '{"tests": [\n{"name": "a",\n "name": "b"}]}',
      "a.mailtest.json:3:10: error: `name` is in this object twice: remove one",
    ],
    [
      "a key twice in YAML",
      "a.mailtest.yaml",
      "tests:\n  - name: a\n    name: b\n",
      "a.mailtest.yaml:3:5: error: map keys must be unique",
    ],
    [
      "an alias of nothing",
      "a.mailtest.yaml",
      "tests:\n  - *gone\n",
      "a.mailtest.yaml:2:5: error: no anchor `&gone` before this alias: add it",
    ],
    [
      "an alias within what it names",
      "a.mailtest.yaml",
      "tests: &a\n  - *a\n",
      "a.mailtest.yaml:2:5: error: `*a` is inside the value that it names",
    ],
    [
      "a merge key",
      "a.mailtest.yaml",
      "tests:\n  - &a\n    name: a\n  - <<: *a\n",
      "a.mailtest.yaml:4:5: error: `<<` merges in YAML 1.1 only: write its fields out, or begin the file with `%YAML 1.1` and `---`",
    ],
  ])("%s", async (_what, name, text, said) => {
    expect(await refused(name, text)).toBe(said);
  });

  test("aliases that stand for more than memory holds", async () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 9; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`)}]`);
    }
    expect(await refused("a.mailtest.yaml", lines.join("\n"))).toContain(
      "aliases expand to more than",
    );
  });

  test("brackets without end", async () => {
    expect(await refused("a.mailtest.yaml", "[".repeat(20_000))).toMatch(
      /^a\.mailtest\.yaml:1:\d+: error: /,
    );
    expect(await refused("a.mailtest.json", "[".repeat(20_000))).toMatch(
      /^a\.mailtest\.json:1:\d+: error: /,
    );
  });

  test("only the first of thousands of mistakes", async () => {
    const tests = Array.from({ length: 3_000 }, () => ({}));
    const cwd = folderWith({ "shop.json": ALIAS_DOMAIN, "a.mailtest.json": { tests } });
    const { stderr } = await mailflow(["test"], { cwd });
    expect(stderr).toContain("\n… and 8950 more in a.mailtest.json\n");
  });
});

test("a thousand tests may share a message by alias, and YAML 1.1 merges", async () => {
  const shared = `%YAML 1.1\n---\ntests:\n  - &first\n    name: first\n    message: &m { recipient: sales }\n    expect: &e { alias: sales }\n${"  - { name: more, message: *m, expect: *e }\n".repeat(1_000)}  - { <<: *first, name: last }\n`;
  const cwd = folderWith({ "shop.json": ALIAS_DOMAIN, "shop.mailtest.yaml": shared });
  const { code, stdout } = await mailflow(["test", "--reporter", "json"], { cwd });
  expect([code, JSON.parse(stdout).passed]).toEqual([0, 1_002]);
  expect(JSON.parse(stdout).files[0].tests.at(-1)).toMatchObject({ name: "last", line: 1_008 });
});

test("each file of messages is read once, whatever the order of the tests", async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => ((index * 7) % 20) + 1);
  const mbox = Array.from(
    { length: 20 },
    (_, index) => `From x\nTo: you@shop.example\nSubject: n${index + 1}\n\n\n`,
  ).join("");
  const cwd = folderWith({
    "shop.json": {
      domain: "shop.example",
      routing_engine: "rules",
      rules: [
        {
          id: "n",
          type: "regex",
          config: { regex: "^n([0-9]+)$", scopes: ["subject"], forward: "n$1@else.test" },
        },
        { id: "sales", type: "alias", config: { alias: "sales", forward: "s@else.test" } },
      ],
    },
    "a.mbox": mbox,
    "m.eml": MAIL,
    "shop.mailtest.json": {
      tests: [
        ...numbers.map((number) => ({
          name: `${number}`,
          message: `a.mbox#${number}`,
          expect: { destinations: `n${number}@else.test` },
        })),
        { name: "alone", message: "m.eml", expect: { rule: "sales" } },
        { name: "far", message: "a.mbox#21", expect: { action: "forward" } },
      ],
    },
  });
  const { stdout } = await mailflow(["test", "--reporter", "json"], { cwd });
  const { passed, failed, files } = JSON.parse(stdout);
  expect(files[0].tests.map(({ name }: { name: string }) => name)).toEqual([
    ...numbers.map(String),
    "alone",
    "far",
  ]);
  expect([passed, failed]).toEqual([41, 1]);
  expect(files[0].tests.at(-1).failure).toBe("no message `a.mbox#21`: `a.mbox` has 20");
});

test("lines of many offsets are those of one", () => {
  const text = "a\r\nb\n\nc\rd\r\r\n";
  const at = linesOf(text);
  for (let offset = 0; offset <= text.length; offset++) {
    // Between CR and LF the one counts the CR to the line, the other too.
    expect(at(offset)).toEqual(lineColumnAt(text, offset));
  }
});

describe("--watch", () => {
  async function watching(
    cwd: string,
    end: AbortSignal,
    onText: (text: string) => void,
  ): Promise<number> {
    const output = { isTerminal: false, write: async (text: string) => onText(text) };
    async function* nothing(): AsyncGenerator<Uint8Array> {}
    return run(["test", "--watch"], {
      stdin: nothing(),
      stdout: output,
      stderr: output,
      env: {},
      cwd,
      end,
    });
  }

  test("goes on where tests or their folder are missing, and an edit during a round begins another", async () => {
    // Nothing happens in the folder above it.
    const cwd = join(folderWith({ "quiet/shop.json": ALIAS_DOMAIN }), "quiet");
    const end = new AbortController();
    let told = "";
    const until = async (text: string): Promise<void> => {
      for (let tries = 0; !told.includes(text); tries++) {
        if (tries > 200) throw new Error(`\`${text}\` is not in: ${told}`);
        await setTimeout(50);
      }
    };
    let isEdited = false;
    const suite = JSON.stringify({
      tests: [SALES, { ...SALES, name: "gone", message: "gone/m.eml" }],
    });
    const code = watching(cwd, end.signal, (text) => {
      told += text;
      if (!isEdited && text.includes("1 test failed")) {
        isEdited = true;
        writeFileSync(join(cwd, "shop.mailtest.json"), JSON.stringify({ tests: [SALES] }));
      }
    });
    await until("no tests found");
    writeFileSync(join(cwd, "shop.mailtest.json"), suite);
    await until("cannot read `gone/m.eml`");
    await until("1 test passed");
    rmSync(join(cwd, "shop.json"));
    await until("cannot read `shop.json`");
    end.abort();
    expect(await code).toBe(2);
  });
});
