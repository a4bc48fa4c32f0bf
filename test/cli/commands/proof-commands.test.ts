/** The commands that prove: `witness`, `diff` and `shadow` without messages, and `bench`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folderWith } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const DEMO = fileURLToPath(new URL("../../../corpus/demo", import.meta.url));
const demo = (): { rules: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(join(DEMO, "domain.json"), "utf8"));

const rule = (id: string, rank: number, expression: string): object => ({
  id,
  rank,
  type: "cel",
  config: { expression, forward: `${id}@desk.example` },
});
const domainOf = (...rules: object[]): object => ({
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@desk.example",
  rules,
});

describe("witness", () => {
  test("--write makes messages and a suite that passes", async () => {
    const cwd = folderWith({ "domain.json": demo() });
    const { code, stderr } = await mailflow(["witness", "domain.json", "--write", "tests"], {
      cwd,
    });
    expect([code, stderr]).toEqual([0, "10 tests written to tests\n"]);
    const files = readdirSync(join(cwd, "tests"));
    expect(files.filter((name) => name.endsWith(".eml"))).toHaveLength(10);
    const ran = await mailflow(["test", "tests/domain.mailtest.json"], { cwd });
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(ran.stdout).toContain("10 tests passed");
  });

  test("--write leaves out a message for what is not an address, and says so", async () => {
    const rules = [
      { id: "r", type: "regex", config: { regex: "\\t", scopes: ["recipient"], forward: "null" } },
    ];
    const domain = { domain: "shop.example", routing_engine: "rules", rules };
    const cwd = folderWith({ "d.json": domain });
    const { stderr } = await mailflow(["witness", "d.json", "--write", "tests"], { cwd });
    expect(stderr).toBe(
      "0 tests written to tests\nno test of rule r: its message is for a recipient that is not an address\n",
    );
  });

  test("of a rule that no message reaches is the proof, and 1", async () => {
    const cwd = folderWith({
      "d.json": domainOf(
        rule("wide", 1, 'subject.contains("a")'),
        rule("narrow", 2, 'subject.contains("abc")'),
      ),
    });
    const { code, stdout } = await mailflow(["witness", "d.json", "narrow"], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain("rule wide");
    const wrong = await mailflow(["witness", "d.json", "narow"], { cwd });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining("did you mean `narrow`"),
    ]);
  });
});

describe("diff and shadow without messages", () => {
  const old = domainOf(rule("orders", 1, 'subject.contains("order")'));
  const renumbered = domainOf(rule("orders", 50, 'subject.contains("order")'));
  const changed = domainOf(rule("orders", 1, 'subject.contains("ordre")'));

  test("--equal is 0 for a renumbering, 1 for a change", async () => {
    const cwd = folderWith({ "old.json": old, "same.json": renumbered, "new.json": changed });
    const same = await mailflow(["diff", "old.json", "same.json", "--equal"], { cwd });
    expect([same.code, same.stdout]).toEqual([0, expect.stringContaining("proved equal")]);
    const other = await mailflow(["diff", "old.json", "new.json", "--equal"], { cwd });
    expect(other.code).toBe(1);
    expect(other.stdout).toContain("from rule orders to the fallback address");
    expect(other.stdout).toContain("from the fallback address to rule orders");
  });

  test("shadow says whom a rule takes from, and that another takes nothing", async () => {
    const cwd = folderWith({
      "d.json": old,
      "takes.json": rule("new", 0, 'subject.contains("big order")'),
      "nothing.json": rule("new", 9, 'subject.contains("big order")'),
    });
    const takes = await mailflow(["shadow", "d.json", "takes.json"], { cwd });
    expect(takes.code).toBe(0);
    expect(takes.stdout).toContain("rule new at rank 0 would change:");
    expect(takes.stdout).toContain("from rule orders to rule new");
    const nothing = await mailflow(["shadow", "d.json", "nothing.json"], { cwd });
    expect(nothing.stdout).toContain("would change nothing, whatever message comes");
    expect(nothing.stdout).toContain("`--rank 0` would put it first");
  });
});

test("diff says when a rule now fails, and why", async () => {
  const forward = (to: string): object => ({
    id: "tickets",
    type: "regex",
    config: { regex: "ticket (.*)", scopes: ["subject"], forward: to },
  });
  const cwd = folderWith({
    "old.json": domainOf(forward("all@desk.example")),
    "new.json": domainOf(forward("t+$1@desk.example")),
    "m/1.eml": "To: me@shop.example\nFrom: a@b.example\nSubject: ticket for ann lee\n\nHello\n",
  });
  const { stdout } = await mailflow(["diff", "old.json", "new.json", "m"], { cwd });
  expect(stdout).toContain("rule tickets fails: `t+for ann lee@desk.example`");
});

test("diff shows both forms of a changed type", async () => {
  const alias = { id: "a", type: "alias", config: { alias: "sales", forward: "a@desk.example" } };
  const cel = {
    id: "a",
    type: "cel",
    config: { expression: 'subject == "x"', forward: "a@desk.example" },
  };
  const cwd = folderWith({
    "old.json": domainOf(alias),
    "new.json": domainOf(cel),
    "m/1.eml": "To: sales@shop.example\nFrom: a@b.example\nSubject: y\n\nHello\n",
  });
  const { stdout } = await mailflow(["diff", "old.json", "new.json", "m"], { cwd });
  const line = stdout.split("\n").find((each) => each.includes("because"));
  expect(line).toContain("sales");
  expect(line).toContain('subject == "x"');
});

test("mutate leaves out tests that fail before any change", async () => {
  const rules = [
    { id: "r", type: "alias", rank: 1, config: { alias: "a", forward: "x@else.test" } },
  ];
  const cwd = folderWith({
    "d.json": { domain: "shop.example", routing_engine: "rules", rules },
    "d.mailtest.json": {
      tests: [{ name: "wrong", message: { recipient: "b" }, expect: { rule: "r" } }],
    },
  });
  const { stdout, stderr } = await mailflow(["mutate", "d.json"], { cwd });
  expect(stdout).toContain("0.0 % of 2 changes noticed by 0 tests and messages");
  expect(stderr).toBe("left out 1 failing test: see `mailflow test`\n");
});

describe("bench", () => {
  const COSTLY = {
    id: "costly",
    rank: 1,
    type: "cel",
    config: { expression: 'body.split("").exists(letter, letter == "~")', forward: "null" },
  };

  test("a costly rule is named and ends with 1; nothing changed ends with 0", async () => {
    const config = demo();
    const mail = Array.from(
      { length: 6 },
      (_, index) =>
        [
          `m/${index}.eml`,
          `To: ines@paperlane.example\nFrom: a@b.example\nSubject: s\n\n${"some words of a letter ".repeat(60)}\n`,
        ] as const,
    );
    const cwd = folderWith({
      "domain.json": config,
      "costly.json": { ...config, rules: [...config.rules, COSTLY] },
      ...Object.fromEntries(mail),
    });
    const saved = await mailflow(["bench", "domain.json", "m", "--save", "base.json"], { cwd });
    expect(saved.code).toBe(0);
    const compare = ["m", "--compare", "base.json", "--fail-over"];
    // How far apart two runs on a busy machine may be is for a bench to say.
    const same = await mailflow(["bench", "domain.json", ...compare, "1000"], { cwd });
    expect(same.code).toBe(0);
    const slower = await mailflow(["bench", "costly.json", ...compare, "1.3"], { cwd });
    expect(slower.code).toBe(1);
    expect(slower.stdout).toContain("rule costly is new");
    expect(slower.stdout).toMatch(/^the most expensive rules.*\n {2}costly /m);
  });
});
