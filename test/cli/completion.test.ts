/** Completion scripts and the man page, read by the shells and by groff where they are installed. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { mailflow } from "./memory-io.ts";

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

describe("bash", () => {
  /** What bash offers for a line whose last word is being typed. */
  async function offered(...words: string[]): Promise<string[]> {
    const { stdout } = await mailflow(["completion", "bash"]);
    const script = `${stdout}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
      _mailflow mailflow '${words.at(-1)}' '${words.at(-2)}'; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout: reply, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    return reply.trim().split("\n");
  }

  test("offers commands, options, and the choices of an option", async () => {
    expect(await offered("mailflow", "re")).toEqual(["replay"]);
    expect(await offered("mailflow", "check", "domain.json", "--j")).toEqual(["--json"]);
    expect(await offered("mailflow", "test", "--reporter", "ju")).toEqual(["junit"]);
    expect(await offered("mailflow", "route", "dom")).toEqual([""]);
  });
});

test.each(["zsh", "fish"])(
  "the script for %s has every command and is well formed",
  async (shell) => {
    const { code, stdout } = await mailflow(["completion", shell]);
    expect(code).toBe(0);
    for (const name of ["route", "replay", "serve", "manual"]) expect(stdout).toContain(name);
    if (has(shell)) {
      const { status, stderr } = spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    }
  },
);

test("an unknown shell is refused", async () => {
  const { code, stderr } = await mailflow(["completion", "tcl"]);
  expect(code).toBe(2);
  expect(stderr).toContain("no completion for `tcl`: write bash, zsh, fish");
});

test("the man page has every command and option, and groff takes it without a warning", async () => {
  const { code, stdout } = await mailflow(["manual"]);
  expect(code).toBe(0);
  for (const word of ["mailflow replay", "\\-\\-coverage", ".SH EXIT STATUS"]) {
    expect(stdout).toContain(word);
  }
  if (has("groff")) {
    const { status, stderr } = spawnSync("groff", ["-man", "-Tascii", "-ww"], {
      input: stdout,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  }
});

test("`help route` is `route --help`, and -v is --version", async () => {
  expect(await mailflow(["help", "route"])).toEqual(await mailflow(["route", "--help"]));
  expect(await mailflow(["-v"])).toEqual(await mailflow(["--version"]));
});
