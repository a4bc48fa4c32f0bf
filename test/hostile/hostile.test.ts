import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { HOSTILE } from "./cases.ts";
import type { HostileAnswer } from "./child.ts";

const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));
/** Not a measure of speed: it turns a hang into a failure. */
const HANG_MS = 30_000;

function runInChild(name: string): Promise<HostileAnswer> {
  return new Promise((answered, failed) => {
    const child = fork(CHILD, [name], {
      execArgv: ["--import", "tsx", "--max-old-space-size=1024"],
      stdio: "pipe",
    });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      failed(new Error(`hangs: killed after ${HANG_MS} ms`));
    }, HANG_MS);
    let errors = "";
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    child.once("message", (answer) => {
      clearTimeout(timer);
      answered(answer as HostileAnswer);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      failed(new Error(`the process ended with ${code}: ${errors}`));
    });
  });
}

describe("hostile input", () => {
  test.each(HOSTILE)("$name", { timeout: 2 * HANG_MS }, async ({ name, outcome }) => {
    const answer = await runInChild(name);
    if (process.env.HOSTILE_TIMES === "1")
      console.log(`${answer.ms} ms, ${answer.heapMegabytes} MB: ${name}`);
    expect(answer.outcome).toBe(outcome);
    const decidedBy = { refused: null, failed: "ordinary", missed: "ordinary", matched: "hostile" };
    expect(answer.decidedBy).toBe(decidedBy[outcome]);
    expect(answer.afterwards).toBe("ordinary");
  });
});
