/** The walk of somebody who has never seen mailflow: what the demo prints leads, in five actions, to a message that goes elsewhere. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
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

/** Starts `mailflow play` with a free port. */
function play(words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [command, "play", ...words, "--port", "0"], { cwd: ROOT });
}

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
      played = play(words.slice(1));
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

    test("t in a page of `mailflow play` writes a test into the suite, and the command runs it; edits go into the domain file", async () => {
      const folder = mkdtempSync(join(tmpdir(), "mailflow-play-"));
      cpSync(join(ROOT, "corpus/demo/domain.json"), join(folder, "domain.json"));
      cpSync(join(ROOT, "corpus/demo/messages"), join(folder, "messages"), { recursive: true });
      const suite = join(folder, "domain.mailtest.json");
      const child = play([join(folder, "domain.json"), join(folder, "messages")]);
      try {
        await onPage(browser, await addressOf(child), async (page) => {
          const letter = page.locator("#message option", { hasText: "09-letter" });
          await page.locator("#message select").selectOption((await letter.getAttribute("value"))!);
          await page.locator("#mail-subject").press("t");
          // While something is typed, letters are letters.
          expect(existsSync(suite)).toBe(false);
          await page.locator("#mail-subject").press("Backspace");
          await page.locator("#h-rules").click();
          const written = page.waitForResponse(/play\/tests/);
          await page.keyboard.press("t");
          await written;
          await expect
            .poll(() => page.locator("#decision").innerText())
            .toContain("A test in domain.mailtest.json");
          await page.reload();
          await expect
            .poll(() => page.getByRole("tab", { name: /Tests/ }).innerText())
            .toMatch(/1 of 1/);
          await page.getByRole("switch", { name: "Rule junk" }).uncheck();
          await page.getByRole("button", { name: "Review and save" }).click();
          await page.getByRole("button", { name: "Save 1 edit" }).click();
          await expect
            .poll(() => page.locator(".tools").innerText())
            .toContain("All edits are saved");
        });
        const { rules } = JSON.parse(readFileSync(join(folder, "domain.json"), "utf8")) as {
          rules: { id: string; active: boolean }[];
        };
        expect(rules.find(({ id }) => id === "junk")!.active).toBe(false);
        const { domain, tests } = JSON.parse(readFileSync(suite, "utf8"));
        expect(domain).toBe("domain.json");
        expect(tests).toHaveLength(1);
        expect(tests[0]).toMatchObject({
          message: { recipient: expect.stringContaining("@paperlane.example") },
          expect: { action: "forward", destinations: ["ines.calder@homepost.example"] },
        });
        const { stdout } = await promisify(execFile)(process.execPath, [command, "test", suite]);
        expect(stdout).toContain(tests[0].name);
      } finally {
        child.kill();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
);
