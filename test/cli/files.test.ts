/** The files that commands read and write: how much is read, and what is never overwritten. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { ALIAS_DOMAIN, folderWith, message } from "./folder.ts";
import { mailflow } from "./memory-io.ts";

const SUITE = {
  domain: "d.json",
  tests: [{ name: "a", message: { recipient: "sales" }, expect: { alias: "sales" } }],
};

const ALIAS_RULE = { type: "alias", config: { alias: "sales", forward: "x@else.test" } };

describe("output never replaces a file of another kind", () => {
  const files = () => ({
    "d.json": ALIAS_DOMAIN,
    "d.mailtest.json": SUITE,
    "m.eml": message({ To: "sales@shop.example" }),
  });
  const bench = ["bench", "d.json", "m.eml", "--save"];
  const lcov = ["test", "d.mailtest.json", "--coverage", "lcov", "--coverage-file"];

  test.each([
    [bench, "d.json"],
    [bench, "m.eml"],
    [lcov, "d.json"],
    [lcov, "d.mailtest.json"],
    [lcov, "m.eml"],
  ])("%s %s is refused", async (argv, name) => {
    const cwd = folderWith(files());
    const before = readFileSync(join(cwd, name), "utf8");
    const { code, stderr } = await mailflow([...argv, name], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("would overwrite another file")]);
    expect(readFileSync(join(cwd, name), "utf8")).toBe(before);
  });

  test.each([
    ["base.json", bench],
    ["lcov.info", lcov],
  ])("earlier output %s is replaced, and so is an empty file", async (name, argv) => {
    const cwd = folderWith({ ...files(), [name]: "" });
    for (const _ of [1, 2]) expect((await mailflow([...argv, name], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, name), "utf8")).toMatch(/^(?:\{"format":1,|TN:)/);
  });
});

test.each([
  [["bench", "d.json", "m.eml", "--save", "out"], "out"],
  [["test", "d.mailtest.json", "--coverage", "lcov", "--coverage-file", "out"], "out"],
  [["witness", "d.json", "--write", "out"], "out/d.mailtest.json"],
])(
  "%j writes its file before the report, of which somebody may read the beginning only",
  async (argv, name) => {
    const cwd = folderWith({
      "d.json": ALIAS_DOMAIN,
      "d.mailtest.json": SUITE,
      "m.eml": message({ To: "sales@shop.example" }),
    });
    const closed = { isTerminal: false, write: () => Promise.reject(new Error("closed")) };
    const notes = { isTerminal: false, write: async () => {} };
    const io = { stdin: (async function* () {})(), stdout: closed, stderr: notes, env: {}, cwd };
    await expect(run(argv, io)).rejects.toThrow("closed");
    expect(readFileSync(join(cwd, name), "utf8")).not.toBe("");
  },
);

test("witness --write replaces nothing that is there, unless --force is given", async () => {
  const cwd = folderWith({ "d.json": ALIAS_DOMAIN, "d.mailtest.json": SUITE });
  const argv = ["witness", "d.json", "--write", "."];
  const { code, stderr } = await mailflow(argv, { cwd });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("`d.mailtest.json` exists already: name another file"),
  ]);
  expect(readdirSync(cwd).sort()).toEqual(["d.json", "d.mailtest.json"]);
  expect((await mailflow([...argv, "--force"], { cwd })).code).toBe(0);
  expect(await mailflow(["test"], { cwd })).toMatchObject({ code: 0 });
});

test("witness --write gives each rule a file of its own, whatever their ids are", async () => {
  const ids = ["a b", "a-b", "a-b-2", "a/b", "A-B", "a".repeat(300)];
  const rules = ids.map((id, nth) => ({
    id,
    type: "alias",
    rank: nth,
    config: { alias: `x${nth}`, forward: "x@else.test" },
  }));
  const cwd = folderWith({ "d.json": { ...ALIAS_DOMAIN, routing_engine: "rules", rules } });
  await mailflow(["witness", "d.json", "--write", "t"], { cwd });
  const names = readdirSync(join(cwd, "t")).filter((name) => name.endsWith(".eml"));
  expect(names.length).toBe(ids.length);
  expect(await mailflow(["test", "t"], { cwd })).toMatchObject({ code: 0 });
});

test("an id with a line break stays in its line of lcov", async () => {
  const rule = { ...ALIAS_RULE, id: "a\nend_of_record\nSF:other" };
  const cwd = folderWith({
    "d.json": { ...ALIAS_DOMAIN, routing_engine: "rules", rules: [rule] },
    "d.mailtest.json": {
      tests: [{ name: "a", message: { recipient: "sales" }, expect: { rule: rule.id } }],
    },
  });
  expect((await mailflow(["test", "--coverage", "lcov"], { cwd })).code).toBe(0);
  const lcov = readFileSync(join(cwd, "lcov.info"), "utf8");
  expect(lcov).toContain("FN:");
  expect(lcov.match(/^(?:SF:.*|end_of_record)$/gm)).toEqual(["SF:d.json", "end_of_record"]);
});

test("--coverage-file without --coverage lcov is refused", async () => {
  const cwd = folderWith({ "d.json": ALIAS_DOMAIN, "d.mailtest.json": SUITE });
  const { code, stderr } = await mailflow(["test", "--coverage-file", "x"], { cwd });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("`--coverage-file` needs `--coverage lcov`"),
  ]);
});

test.runIf(process.platform === "linux")(
  "a device without end is read no further than a domain file can be long",
  async () => {
    const cwd = folderWith({ "d.json": ALIAS_DOMAIN });
    for (const argv of [
      ["check", "/dev/zero"],
      ["shadow", "d.json", "/dev/zero"],
    ]) {
      const { code, stderr } = await mailflow(argv, { cwd });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("`/dev/zero` has more than 67108864 octets"),
      ]);
    }
  },
);

test("a key that an object has twice is an error: the first value would be dropped", async () => {
  const cwd = folderWith({
    "d.json": '{\n  "domain": "a.example",\n  "domain": "b.example",\n  "routing_engine": null\n}',
    "ok.json": ALIAS_DOMAIN,
    "rule.json": '{ "id": "a",\n  "id": "b" }',
  });
  const domain = await mailflow(["check", "d.json"], { cwd });
  expect([domain.code, domain.stdout.split("\n")[0]]).toEqual([
    1,
    "d.json:3:13: error[config/not-json] `domain` is in this object twice: remove one",
  ]);
  const rule = await mailflow(["shadow", "ok.json", "rule.json"], { cwd });
  expect([rule.code, rule.stderr.split("\n")[0]]).toEqual([
    2,
    "error: rule.json:2:9: `id` is in this object twice: remove one",
  ]);
});

test("a file of tests may name its domain and its messages by absolute paths", async () => {
  const cwd = folderWith({
    "d.json": ALIAS_DOMAIN,
    "m.eml": message({ To: "sales@shop.example" }),
  });
  const suite = {
    domain: join(cwd, "d.json"),
    tests: [{ name: "a", message: join(cwd, "m.eml"), expect: { alias: "sales" } }],
  };
  const elsewhere = folderWith({ "x.mailtest.json": suite });
  expect(await mailflow(["test"], { cwd: elsewhere })).toMatchObject({ code: 0 });
});

test.each([
  ["domain: d.json\n---\ntests: []\n", "x.mailtest.yaml:2:1: error: a second document"],
  ["[".repeat(20_000), "error: the text is nested too deeply"],
])("YAML that the library refuses is reported in the author's words", async (text, said) => {
  const cwd = folderWith({ "x.mailtest.yaml": text });
  const { code, stderr } = await mailflow(["test"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});
