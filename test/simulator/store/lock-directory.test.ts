/** One process for each directory of data. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { StoreUnavailableError } from "../../../src/simulator/index.ts";
import { lockDirectory } from "../../../src/simulator/store/sql/database/lock-directory.ts";

const directory = mkdtempSync(join(tmpdir(), "mailflow-lock-"));
const file = join(directory, "mailflow.pid");
afterAll(() => rmSync(directory, { recursive: true }));

test("the second one is refused with the first one's process id, until it is given back", async () => {
  const unlock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
  await unlock();
  await (await lockDirectory(directory))();
});

test.each([
  ["a process that is gone", { pid: 2 ** 22 + 1, host: hostname(), began: "x 1" }],
  ["a process whose id another has now", { pid: process.pid, host: hostname(), began: "x 1" }],
])("what %s left is taken over", async (_, holder) => {
  writeFileSync(file, JSON.stringify(holder));
  const unlock = await lockDirectory(directory);
  expect(JSON.parse(readFileSync(file, "utf8")).began).not.toBe("x 1");
  await unlock();
});

test("a holder on another machine counts as alive while it touches its file", async () => {
  writeFileSync(file, JSON.stringify({ pid: 1, host: "elsewhere", began: null }));
  await expect(lockDirectory(directory)).rejects.toThrow("process 1 on elsewhere");
  rmSync(file);
});

test.each(["x", "", "null", "{}", "\0\0"])(
  "a file that is no lock (%j) is not removed",
  async (text) => {
    writeFileSync(file, text);
    const refused = lockDirectory(directory);
    await expect(refused).rejects.toThrow("cannot be read");
    await expect(refused).rejects.toBeInstanceOf(StoreUnavailableError);
    rmSync(file);
  },
);

test("of many that come at once, one gets it", async () => {
  const ended = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => ended.on("exit", resolve));
  for (let round = 0; round < 50; round++) {
    const left = { pid: ended.pid, host: hostname(), began: "x 1", token: String(round) };
    writeFileSync(file, JSON.stringify(left));
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => lockDirectory(directory)),
    );
    const got = all.filter((one) => one.status === "fulfilled");
    expect(got).toHaveLength(1);
    await got[0]?.value();
    expect(readdirSync(directory)).toEqual([]);
  }
});

test("who died while it took over is taken over too", async () => {
  const left = JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), began: "x 1", token: "a" });
  const digest = createHash("sha256").update(left).digest("hex").slice(0, 16);
  writeFileSync(file, left);
  writeFileSync(`${file}.${digest}`, left.replace('"a"', '"b"'));
  await (await lockDirectory(directory))();
  expect(readdirSync(directory)).toEqual([]);
});
