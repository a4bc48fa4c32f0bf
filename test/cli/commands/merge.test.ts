/** `mailflow replay --shard` and `mailflow merge`: together they give what `mailflow replay` gives. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";
import { mailflow } from "../memory-io.ts";

const mail = (to: string): string => message({ From: "a@b.test", To: `${to}@shop.example` });
const FILES = {
  "a.json": ALIAS_DOMAIN,
  "mail/1.eml": mail("sales"),
  "mail/2.mbox": ["sales", "void", "help-me"].map((to) => `From x\n${mail(to)}\n`).join(""),
  "mail/3.eml": mail("nobody"),
};
const NUMBERS = [3, 1, 2];

/** The first line of what is said, with the exit code. */
async function said(cwd: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await mailflow(argv, { cwd });
  return `${code} ${(stderr || stdout).split("\n")[0]}`;
}

async function shards(cwd: string, ...options: string[]): Promise<string[]> {
  for (const number of NUMBERS) {
    const out = `part-${number}.json`;
    const shard = ["--shard", `${number}/3`, "--out", out, ...options];
    expect(await said(cwd, "replay", "a.json", "mail", ...shard)).toBe(
      `0 shard ${number}/3 is written to ${out}`,
    );
  }
  return NUMBERS.map((number) => `part-${number}.json`);
}

function withoutTimes(json: string): unknown {
  const { slowest, ...rest } = JSON.parse(json);
  return rest;
}

test("the summary and the decisions are those of one run, wherever they go", async () => {
  const cwd = folderWith(FILES);
  const one = await mailflow(["replay", "a.json", "mail", "--out", "one", "--json"], { cwd });
  const parts = await shards(cwd);
  const merged = await mailflow(["merge", ...parts, "--out", "all", "--json"], { cwd });
  expect([merged.code, merged.stderr]).toEqual([one.code, one.stderr]);
  expect(withoutTimes(merged.stdout)).toEqual(withoutTimes(one.stdout));
  const lines = readFileSync(join(cwd, "one"), "utf8");
  expect(readFileSync(join(cwd, "all"), "utf8")).toBe(lines);
  const streamed = await mailflow(["merge", ...parts, "--out", "-"], { cwd });
  expect(streamed.stdout).toBe(lines);
  expect(await said(cwd, "merge", ...parts, "--out", "all")).toBe(
    "2 error: `all` exists already: name another file, or overwrite it with --force",
  );
  expect(await said(cwd, "merge", ...parts)).toBe(
    "0 5 messages, 5 decisions: 3 forwarded, 1 discarded, 1 rejected",
  );
});

test("a part that goes to standard output is a part", async () => {
  const cwd = folderWith(FILES);
  const parts = await shards(cwd);
  const shard = ["replay", "a.json", "mail", "--shard", "2/3", "--out", "-"];
  const { code, stdout } = await mailflow(shard, { cwd });
  expect(code).toBe(0);
  const part = readFileSync(join(cwd, "part-2.json"), "utf8");
  expect(stdout.replace(/"ms":[\d.e-]+/g, "")).toBe(part.replace(/"ms":[\d.e-]+/g, ""));
  expect(await said(cwd, ...shard.slice(0, -1), parts[2]!)).toBe(
    "0 shard 2/3 is already in part-2.json",
  );
});

test("sums alone are merged without decisions", async () => {
  const cwd = folderWith(FILES);
  const parts = await shards(cwd, "--sums-only");
  expect(await said(cwd, "merge", ...parts)).toContain("0 5 messages, 5 decisions");
  expect(await said(cwd, "merge", ...parts, "--out", "all")).toContain(
    "2 error: these parts have only sums, no decisions",
  );
});

test("what a shard could not read gives the merge exit code 1", async () => {
  const cwd = folderWith({ ...FILES, "mail/4.pst": "!BDN...." });
  const parts = await shards(cwd);
  expect((await mailflow(["merge", ...parts], { cwd })).code).toBe(1);
  expect((await mailflow(["merge", ...parts, "--allow-unreadable"], { cwd })).code).toBe(0);
});

describe("wrong use", () => {
  const base = ["replay", "a.json", "mail"];
  test.each([
    [
      [...base, "--shard", "0/3", "--out", "p"],
      "`--shard` cannot be `0/3`: write the shard and the number of shards",
    ],
    [[...base, "--shard", "4/3", "--out", "p"], "`--shard` cannot be `4/3`"],
    [[...base, "--shard", "one", "--out", "p"], "`--shard` cannot be `one`"],
    [[...base, "--shard", "1/3"], "`--shard` needs `--out`"],
    [
      [...base, "--shard", "1/3", "--out", "p", "--resume", "s"],
      "`--resume` cannot be used with `--shard`",
    ],
    [[...base, "--shard", "1/3", "--out", "p", "--json"], "give it to `mailflow merge`"],
    [[...base, "--sums-only"], "`--sums-only` needs `--shard`"],
    [
      ["replay", "a.json", "-", "--shard", "1/3", "--out", "p"],
      "`(stdin)` is a stream, which cannot be divided into shards: name files or folders",
    ],
    [[...base, "--shard", "1/3", "--out", "mail/p"], "in the folder of mail `mail`"],
    [["merge", "a.json"], "`a.json` is not a part of a replay"],
    [["merge", "gone"], "cannot read `gone`"],
  ])("%j", async (argv, expected) => {
    const cwd = folderWith(FILES);
    const told = await said(cwd, ...argv);
    expect(told).toContain("2 error: ");
    expect(told).toContain(expected);
  });

  test("a shard that is missing is named", async () => {
    const cwd = folderWith(FILES);
    const [first] = await shards(cwd);
    expect(await said(cwd, "merge", first!)).toBe("2 error: 2 of 3 shards are missing: run 1, 2");
  });
});
