/** The executable itself, bundled as it is published, in a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCommand, ROOT } from "./executable.ts";

const cwd = join(ROOT, "corpus/demo");
let executable: string;

beforeAll(async () => {
  executable = await bundledCommand("test");
});

function run(
  argv: readonly string[],
  input: string = "",
): { status: unknown; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, ...argv], {
    cwd,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("answers on standard output, and with its exit code", () => {
  const { status, stdout, stderr } = run(["route", "domain.json", "messages/02-invoice.eml"]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^messages\/02-invoice\.eml for accounts@paperlane\.example: forwarded\n/);
  expect(run(["check", "messages/02-invoice.eml"]).status).toBe(1);
  expect(run(["nothing"]).status).toBe(2);
});

test("finds its version", () => {
  expect(run(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("reads standard input", () => {
  const mail = "To: orders@paperlane.example\n\nhi\n";
  const { status, stdout } = run(["route", "domain.json", "-"], mail);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\(stdin\) for orders@paperlane\.example: forwarded\n/);
});

test("ends quietly when nobody reads on", async () => {
  // Far more than a pipe holds.
  const messages = Array.from({ length: 400 }, () => "messages");
  const argv = [executable, "route", "domain.json", ...messages, "--json", "--explain"];
  const child = spawn(process.execPath, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, said]).toEqual([0, ""]);
});

/** Runs the executable under a shell that has set a limit. */
function limited(limit: string, argv: readonly string[]): { status: unknown; stderr: string } {
  const words = [process.execPath, executable, ...argv].map((word) => `'${word}'`);
  const { status, stderr } = spawnSync("bash", ["-c", `${limit} ${words.join(" ")}`], {
    cwd,
    encoding: "utf8",
  });
  return { status, stderr };
}

test("output that cannot be written is an error", () => {
  const { status, stderr } = limited("exec >/dev/full;", [
    "route",
    "domain.json",
    "messages",
    "--json",
  ]);
  expect([status, stderr]).toEqual([1, "error: cannot write `standard output`: no space left\n"]);
});

describe("a replay that runs out of space", () => {
  const folder = mkdtempSync(join(tmpdir(), "mailflow-full-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const mbox = join(folder, "m.mbox");
  const replayed = (...options: string[]): string[] => ["replay", "domain.json", mbox, ...options];
  beforeAll(() => {
    const body = "padding ".repeat(700);
    const message = `From a@b.test Mon Nov 16 00:00:00 2026\nTo: orders@paperlane.example\n\n${body}\n\n`;
    writeFileSync(mbox, message.repeat(8_000));
  });

  test("says so, keeps what was written, and goes on from there when there is space", () => {
    const whole = join(folder, "whole");
    expect(limited("", replayed("--out", whole)).status).toBe(0);
    const [out, state] = [join(folder, "out"), join(folder, "state")];
    const full = limited("ulimit -f 1400;", replayed("--out", out, "--resume", state));
    expect(full.status).toBe(1);
    expect(full.stderr).toMatch(
      /^error: cannot write `.*out\.partial`: the file would be too large; kept in `.*state` and `.*out\.partial`: \d+ messages; the same command continues after them\n$/,
    );
    expect(existsSync(out)).toBe(false);
    const on = limited("", replayed("--out", out, "--resume", state));
    expect(on).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^continued after [\d,]+ messages\n$/),
    });
    expect(readFileSync(out, "utf8")).toBe(readFileSync(whole, "utf8"));
  });

  test("says so of a device, and of the state", () => {
    const device = limited("", replayed("--out", "/dev/full"));
    expect(device).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot write `/dev/full`: no space left"),
    });
    const state = limited(
      "ulimit -f 1;",
      replayed("--resume", join(folder, "s"), "--json", "--workers", "0"),
    );
    expect(state.status).toBe(1);
    expect(state.stderr).toContain("cannot write");
  });
});
