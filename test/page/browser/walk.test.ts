/** The walk of somebody who has never seen mailflow: what the demo prints leads, in five actions, to a message that goes elsewhere. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCommand, ROOT } from "../../cli/executable.ts";
import { buildPage, CHROMIUM, decisionOf, launch, onPage, SKIP_REASON } from "./open.ts";

/** The command that the demo ends with, as a person copies it. */
const HINT = /^ {2}"\s+node dist\/cli\.js (play .*)",$/m;

let command: string;
let browser: Browser;
let played: ChildProcess | undefined;

beforeAll(async () => {
  if (CHROMIUM === undefined) return;
  command = await bundledCommand("walk");
  const built = await buildPage();
  cpSync(built, join(dirname(command), "page"), { recursive: true });
  rmSync(built, { recursive: true });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  played?.kill();
  if (command !== undefined) rmSync(dirname(command), { recursive: true, force: true });
});

/** The address that the command prints. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let text = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(text) ?? [];
      if (address !== undefined) found(address);
    });
    child.once("exit", () => failed(new Error(`it ended: ${text}`)));
  });
}

describe.skipIf(CHROMIUM === undefined)(
  `the walk (skipped without a browser: ${SKIP_REASON})`,
  () => {
    test("npm ci, npm run demo, the printed command, the printed address, one click", async () => {
      // The first two actions are `npm ci` and `npm run demo`; the second prints what the third and the fifth are.
      const demo = readFileSync(join(ROOT, "corpus/demo/demo.js"), "utf8");
      expect(demo).toContain(
        "switch the rule `orders` off, and see message 01 go to the fallback address",
      );
      const words = HINT.exec(demo)![1]!.split(" ");
      played = spawn(process.execPath, [command, ...words, "--port", "0"], { cwd: ROOT });
      const address = await addressOf(played);
      await onPage(browser, address, async (page) => {
        expect(await page.locator("#message select").innerText()).toContain("01-order");
        expect(await decisionOf(page)).toContain("team@fulfil.example");
        await page.getByRole("switch", { name: "Rule orders" }).uncheck();
        await expect.poll(() => decisionOf(page)).toContain("ines.calder@homepost.example");
        await expect
          .poll(() => page.locator("#effects .moves").innerText())
          .toMatch(/orders\s+no match/);
      });
    });
  },
);
