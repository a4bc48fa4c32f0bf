/** Reports of `mailflow test` as the programs read them that they are for: prove, xmllint and genhtml. */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { mailflow } from "./memory-io.ts";

const SCHEMA = fileURLToPath(new URL("formats/junit.xsd", import.meta.url));

const DOMAIN = {
  domain: "shop.example",
  routing_engine: "rules",
  rules_fallback_email: "rest@else.test",
  rules: [
    {
      id: "in <voices> & more",
      type: "regex",
      config: { regex: "invoice", scopes: ["subject", "body"], forward: "books@else.test" },
    },
    {
      id: "large",
      type: "cel",
      config: { expression: 'size > 1000 || subject == "large"', forward: "large@else.test" },
    },
  ],
};

const odd = 'an # odd \\ "name" ]]> & <more> \u0001\u{1f600} not ok 3 # TODO';
const SUITE = {
  tests: [
    {
      name: "passes",
      message: { recipient: "you", subject: "invoice" },
      expect: { rule: "in <voices> & more" },
    },
    {
      name: odd,
      message: { recipient: "you", subject: "large" },
      expect: { rule: "in <voices> & more" },
    },
    { name: "no message", message: "gone.eml", expect: { action: "forward" } },
    { name: "# SKIP", message: { recipient: "you", subject: odd }, expect: { action: "discard" } },
  ],
};

function folder(): string {
  return folderWith({ "shop.json": DOMAIN, "shop.mailtest.json": SUITE });
}

function installed(program: string): boolean {
  return spawnSync(program, ["--version"]).error === undefined;
}

test.runIf(installed("prove"))(
  "TAP is taken by prove (skipped without Debian's perl)",
  async () => {
    const cwd = folder();
    const { code, stdout } = await mailflow(["test", "--reporter", "tap"], { cwd });
    expect(code).toBe(1);
    writeFileSync(join(cwd, "out.tap"), stdout);
    const proved = spawnSync("prove", ["-v", "out.tap"], { cwd, encoding: "utf8" });
    expect(proved.stdout).toMatch(/Failed 3\/4 subtests/);
    expect(proved.stdout).toMatch(/Failed tests: {2}2-4/);
    expect(proved.stdout + proved.stderr).not.toMatch(/Parse errors|Bad plan/);
    writeFileSync(
      join(cwd, "shop.mailtest.json"),
      JSON.stringify({ tests: SUITE.tests.slice(0, 1) }),
    );
    const passed = await mailflow(["test", "--reporter", "tap"], { cwd });
    writeFileSync(join(cwd, "out.tap"), passed.stdout);
    expect(spawnSync("prove", ["out.tap"], { cwd }).status).toBe(0);
  },
);

test.runIf(installed("xmllint"))(
  "JUnit XML is valid (skipped without Debian's libxml2-utils)",
  async () => {
    const cwd = folder();
    const { stdout } = await mailflow(["test", "--reporter", "junit"], { cwd });
    const lint = (text: string) =>
      spawnSync("xmllint", ["--noout", "--schema", SCHEMA, "-"], { input: text, encoding: "utf8" });
    expect(lint(stdout)).toMatchObject({ status: 0, stderr: "- validates\n" });
    expect(stdout).toMatch(/tests="4" failures="3" errors="0"/);
    expect(lint(stdout.replace(' errors="0" file', " file")).status).not.toBe(0);
  },
);

test.runIf(installed("genhtml"))(
  "lcov is taken by genhtml (skipped without Debian's lcov)",
  async () => {
    const cwd = folder();
    await mailflow(["test", "--coverage", "lcov"], { cwd });
    const made = spawnSync("genhtml", ["--branch-coverage", "-o", "html", "lcov.info"], {
      cwd,
      encoding: "utf8",
    });
    expect([made.status, made.stderr]).toEqual([0, ""]);
    expect(made.stdout).toMatch(/functions\.*: \d+\.\d% \(\d of 2 functions\)/);
    expect(made.stdout).toMatch(/branches\.*: \d+\.\d% \(\d of \d branches\)/);
    expect(existsSync(join(cwd, "html/index.html"))).toBe(true);
  },
);

test("beside results for programs, coverage as text goes to standard error", async () => {
  const argv = ["test", "--coverage", "text", "--reporter"];
  const tap = await mailflow([...argv, "tap"], { cwd: folder() });
  expect(tap.stdout).toMatch(/^TAP version 13\n/);
  expect(tap.stdout).not.toContain("coverage of");
  expect(tap.stderr).toContain("coverage of shop.json: ");
  const pretty = await mailflow([...argv, "pretty"], { cwd: folder() });
  expect(pretty.stdout).toContain("coverage of shop.json: ");
  const json = await mailflow([...argv, "json"], { cwd: folder() });
  expect([Object.keys(JSON.parse(json.stdout)), json.stderr]).toEqual([
    ["passed", "failed", "files", "coverage"],
    "",
  ]);
});
