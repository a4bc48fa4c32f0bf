/** What people read: the whole output on the demo's messages, kept in `golden/`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mailflow } from "./memory-io.ts";

const cwd = fileURLToPath(new URL("../../corpus/demo", import.meta.url));

test.each([
  ["check.txt", ["check", "domain.json"]],
  ["route.txt", ["route", "domain.json", "messages"]],
  ["explain.txt", ["route", "domain.json", "messages", "--explain"]],
  ["colours.txt", ["route", "domain.json", "messages/07-html-only.eml", "--explain"], "1"],
])("%s", async (name, argv, colours?: string) => {
  const env = colours === undefined ? {} : { FORCE_COLOR: colours };
  const { code, stdout, stderr } = await mailflow(argv, { cwd, env });
  expect([code, stderr]).toEqual([0, ""]);
  await expect(stdout).toMatchFileSnapshot(join("golden", name));
});

test("--explain decides as the plain answer does", async () => {
  const plain = await mailflow(["route", "domain.json", "messages", "--json"], { cwd });
  const argv = ["route", "domain.json", "messages", "--json", "--explain"];
  const explained = await mailflow(argv, { cwd });
  const withoutTraces = explained.stdout
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), trace: undefined }));
  expect(withoutTraces.map((record) => `${JSON.stringify(record)}\n`).join("")).toBe(plain.stdout);
});
