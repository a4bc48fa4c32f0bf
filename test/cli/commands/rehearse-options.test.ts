/** What the commands that rehearse have in common: the envelope, and what they say when nothing comes of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

test("--sender is what rules see of mail that names no sender, in every command", async () => {
  const rule = (forward: string): object => ({
    id: "boss",
    type: "regex",
    config: { regex: "^boss@b[.]test$", scopes: ["sender"], forward },
  });
  const domain = { ...ALIAS_DOMAIN, routing_engine: "rules", rules: [rule("one@else.test")] };
  const cwd = folderWith({
    "old.json": domain,
    "new.json": { ...domain, rules: [rule("two@else.test")] },
    "none.json": { ...domain, rules: [] },
    "rule.json": rule("one@else.test"),
    "m/1.eml": message({ To: "sales@shop.example" }),
  });
  const sender = ["--sender", "boss@b.test", "--json"];
  const json = async (...argv: string[]) => JSON.parse((await mailflow(argv, { cwd })).stdout);
  expect(await json("route", "old.json", "m", ...sender)).toMatchObject({ reason: "rule" });
  expect(await json("replay", "old.json", "m", ...sender)).toMatchObject({
    entries: [{ id: "boss", decisions: 1 }],
  });
  expect(await json("replay", "old.json", "m", "--json")).toMatchObject({ noMatch: 1 });
  expect(await json("diff", "old.json", "new.json", "m", ...sender)).toMatchObject({ changed: 1 });
  expect(await json("diff", "old.json", "new.json", "m", "--json")).toMatchObject({ changed: 0 });
  expect(await json("shadow", "none.json", "rule.json", "m", ...sender)).toMatchObject({
    groups: [{ to: { id: "boss" }, examples: [{ cause: [{ field: "added" }] }] }],
  });
  await json("diff", "old.json", "old.json", "m", ...sender, "--pin", "old.mailtest.json");
  const { tests } = JSON.parse(readFileSync(join(cwd, "old.mailtest.json"), "utf8"));
  expect(tests).toMatchObject([{ sender: "boss@b.test", expect: { rule: "boss" } }]);
  expect((await mailflow(["test"], { cwd })).code).toBe(0);
  const wrong = await mailflow(["replay", "old.json", "m", "--sender", "boss"], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("sender `boss` is not")]);
});

test("says what to do where nothing was routed, or nothing would change", async () => {
  const rule = (id: string, rank: number): object => ({
    id,
    rank,
    type: "alias",
    config: { alias: "sales", forward: `${id}@else.test` },
  });
  const cwd = folderWith({
    "a.json": { ...ALIAS_DOMAIN, routing_engine: "rules", rules: [rule("a", 4), rule("b", 5)] },
    "rule.json": rule("c", 6),
    "m/1.eml": message({ To: "sales@other.example" }),
    "m/2.eml": message({ To: "sales@shop.example" }),
  });
  const hint =
    "no message names a recipient at shop.example: give one with `--recipient somebody@shop.example`\n";
  for (const argv of [
    ["replay", "a.json", "m/1.eml"],
    ["diff", "a.json", "a.json", "m/1.eml"],
    ["shadow", "a.json", "rule.json", "m/1.eml", "--json"],
  ]) {
    expect(await mailflow(argv, { cwd })).toMatchObject({ code: 2, stderr: hint });
  }
  const { stdout, stderr } = await mailflow(["shadow", "a.json", "rule.json", "m"], { cwd });
  expect([stdout, stderr]).toEqual([
    "rule c at rank 6 would change nothing on 1 decision\n  2 rules before it; `--rank 3` would put it first\n",
    "",
  ]);
});

test("a rule that is not JSON is refused with its line and column", async () => {
  const cwd = folderWith({ "a.json": ALIAS_DOMAIN, "rule.json": '{\n  "id": x\n}' });
  const { code, stderr } = await mailflow(["shadow", "a.json", "rule.json"], { cwd });
  expect([code, stderr.split("\n")[0]]).toEqual([
    2,
    "error: rule.json:2:9: `x` where a value should be",
  ]);
});

test("what cannot be written is said to be so, with the reason", async () => {
  const cwd = folderWith({
    "d.json": ALIAS_DOMAIN,
    "m/1.eml": message({ To: "sales@shop.example" }),
  });
  const to = (option: string, ...argv: string[]) =>
    mailflow([...argv, option, "no/such/x"], { cwd });
  const wanted = "error: cannot write `no/such/x`: there is no such folder";
  for (const option of ["--out", "--resume"]) {
    const { code, stderr } = await to(option, "replay", "d.json", "m");
    expect([code, stderr]).toEqual([1, expect.stringContaining(wanted)]);
  }
  expect((await to("--save", "bench", "d.json", "m")).stderr).toContain(wanted);
});

test("a rule that took the message and sends it elsewhere is not called unreached", async () => {
  const rules = [
    { id: "all", type: "alias", config: { alias: "sales", forward: "one@else.test" } },
  ];
  const test = {
    name: "sales",
    message: { recipient: "sales" },
    expect: { rule: "all", destinations: "two@else.test" },
  };
  const also = { ...rules[0], id: "also", config: { alias: "x", forward: "two@else.test" } };
  const cwd = folderWith({
    "d.json": { ...ALIAS_DOMAIN, routing_engine: "rules", rules: [...rules, also] },
    "d.mailtest.json": { domain: "d.json", tests: [test] },
  });
  const { stdout } = await mailflow(["test", "d.mailtest.json"], { cwd });
  expect(stdout).toContain("by rule all");
  expect(stdout).not.toContain("rule all was not reached");
  expect(stdout).not.toContain("rule all (rank 1) was not reached");
});
