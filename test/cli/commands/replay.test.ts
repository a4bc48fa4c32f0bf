/** `mailflow replay` in a process of its own: where decisions go, and what exit code says that something was not read. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { bundledCommand } from "../executable.ts";
import { ALIAS_DOMAIN, folderWith, message } from "../folder.ts";

let executable: string;
beforeAll(async () => {
  executable = await bundledCommand("replay-test");
});

function run(cwd: string, ...argv: string[]): { status: unknown; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...argv], {
    cwd,
    encoding: "utf8",
    input: "",
  });
  return { status, stdout, stderr };
}

const MBOX = ["sales", "void", "nobody"]
  .map((name) => `From x\n${message({ From: "a@b.test", To: `${name}@shop.example` })}\n`)
  .join("");

describe("decisions go", () => {
  const files = (): string => folderWith({ "a.json": ALIAS_DOMAIN, m: MBOX });
  const whole = (cwd: string): string => {
    expect(run(cwd, "replay", "a.json", "m", "--out", "whole")).toMatchObject({ status: 0 });
    return readFileSync(join(cwd, "whole"), "utf8");
  };

  test.each(["-", "/dev/stdout"])("to `--out %s`, the summary beside them", (out) => {
    const cwd = files();
    const { status, stdout, stderr } = run(cwd, "replay", "a.json", "m", "--out", out, "--json");
    expect([status, stdout]).toEqual([0, whole(cwd)]);
    expect(JSON.parse(stderr)).toMatchObject({ messages: 3, decisions: 3 });
  });

  test("through a pipe to a program that reads on", () => {
    const cwd = files();
    const words = [process.execPath, executable, "replay", "a.json", "m", "--out", "/dev/stdout"];
    const line = `set -o pipefail; ${words.map((word) => `'${word}'`).join(" ")} | cat`;
    const piped = spawnSync("bash", ["-c", line], { cwd, encoding: "utf8" });
    expect([piped.status, piped.stdout]).toEqual([0, whole(cwd)]);
  });

  test("to a FIFO, which stays one", async () => {
    const cwd = files();
    execFileSync("mkfifo", [join(cwd, "fifo")]);
    const reader = spawn("cat", ["fifo"], { cwd, stdio: ["ignore", "pipe", "ignore"] });
    let read = "";
    reader.stdout.setEncoding("utf8").on("data", (text: string) => {
      read += text;
    });
    const ended = new Promise((resolve) => reader.once("close", resolve));
    const { status, stdout } = run(cwd, "replay", "a.json", "m", "--out", "fifo");
    await ended;
    expect([status, read]).toEqual([0, whole(cwd)]);
    expect(stdout).toContain("3 messages, 3 decisions");
    expect(statSync(join(cwd, "fifo")).isFIFO()).toBe(true);
    const resumed = run(cwd, "replay", "a.json", "m", "--out", "fifo", "--resume", "state");
    expect(resumed.status).toBe(2);
    expect(resumed.stderr).toContain("--resume needs a file for --out");
    expect(readdirSync(cwd).sort()).toEqual(["a.json", "fifo", "m", "whole"]);
  });
});

describe("what cannot be read", () => {
  test("gives exit code 1, and 0 with --allow-unreadable; it is listed either way", () => {
    const cwd = folderWith({
      "a.json": ALIAS_DOMAIN,
      "mail/1.eml": message({ To: "sales@shop.example" }),
      "mail/2.mbox.gz": gzipSync(MBOX).subarray(0, 60),
      "mail/3.pst": "!BDN....",
    });
    for (const [options, code] of [[[], 1] as const, [["--allow-unreadable"], 0] as const]) {
      const told = run(cwd, "replay", "a.json", "mail", ...options);
      expect(told.status).toBe(code);
      expect(told.stdout).toContain("2 not readable");
      const json = run(cwd, "replay", "a.json", "mail", "--json", ...options);
      expect(json.status).toBe(code);
      const { unreadable } = JSON.parse(json.stdout);
      expect(unreadable.count).toBe(2);
      expect(unreadable.first.map(({ name }: { name: string }) => name)).toEqual([
        "mail/2.mbox.gz",
        "mail/3.pst",
      ]);
    }
  });

  test("is no leave to route nothing: the code stays 2", () => {
    const cwd = folderWith({ "a.json": ALIAS_DOMAIN, "mail/3.pst": "!BDN...." });
    expect(run(cwd, "replay", "a.json", "mail", "--allow-unreadable").status).toBe(2);
  });
});
