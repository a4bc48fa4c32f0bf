/** The page's own measure, from a keystroke to the decision shown, on the largest message of the dataset. PAGE_MEASURE=1 prints it. */
import { readFileSync, rmSync, statSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DATASET, datasetFiles } from "../../dataset/dataset.ts";
import {
  buildPage,
  CHROMIUM,
  launch,
  numberedRules,
  openPage,
  SKIP_REASON,
  serveFolder,
} from "./open.ts";

const KEYS = 100;
const RULES = 100;

let folder: string;
let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  if (CHROMIUM === undefined) return;
  folder = await buildPage();
  ({ server, url } = await serveFolder(folder));
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

const rules = numberedRules(
  RULES,
  ["subject", "body"],
  (words) => `body.contains("${words}") && size > 0`,
);

describe.skipIf(CHROMIUM === undefined)(
  `a keystroke (skipped without a browser: ${SKIP_REASON})`,
  () => {
    test("every key typed over the largest message is measured, and decided", async () => {
      const bytesOf = (file: string): number => statSync(join(DATASET, file)).size;
      const file = datasetFiles().reduce((one, other) =>
        bytesOf(other) > bytesOf(one) ? other : one,
      );
      const largest = readFileSync(join(DATASET, file));
      const { page, faults } = await openPage(browser, url);
      const domain = {
        domain: "x.example",
        routing_engine: "rules",
        rules_fallback_email: null,
        aliases: [],
        rules,
      };
      const open = (name: string, buffer: Buffer): Promise<void> =>
        page.locator("#open-mail").setInputFiles({ name, mimeType: "text/plain", buffer });
      await open("domain.json", Buffer.from(JSON.stringify(domain)));
      await open("largest.eml", largest);
      await expect
        .poll(() => page.locator(".extras").innerText())
        .toContain(largest.length.toLocaleString("en"));
      const subject = page.locator("#mail-subject");
      await subject.fill("");
      await page.evaluate("performance.clearMeasures()");
      await subject.pressSequentially("number 98 ".repeat(KEYS / 10), { delay: 30 });
      const read = `performance.getEntriesByName("keystroke to decision").map(({ duration }) => duration)`;
      await expect.poll(async () => ((await page.evaluate(read)) as number[]).length).toBe(KEYS);
      expect(await page.locator("#decision").innerText()).toContain("by rule-98,");
      if (process.env.PAGE_MEASURE !== undefined) {
        const taken = ((await page.evaluate(read)) as number[]).sort((one, other) => one - other);
        const [median, worst] = [taken[KEYS / 2]!, taken.at(-1)!];
        console.log(
          `${largest.length} octets, ${RULES} rules: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
        );
      }
      expect(faults).toEqual([]);
      await page.close();
    });
  },
);
