/** The page's own measures, from a keystroke to the frame that shows it and to its decision, on large messages. PAGE_MEASURE=1 prints them. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DATASET, datasetFiles } from "../../dataset/dataset.ts";
import {
  CHROMIUM,
  nextFrames,
  numberedRules,
  openPage,
  SKIP_REASON,
  siteForTests,
} from "./open.ts";

/** At 60 frames a second. */
const FRAME_MS = 1_000 / 60;
const MEASURES = process.env.PAGE_MEASURE !== undefined;
const KEYS = MEASURES ? 200 : 30;
/** A fast typist: ten keys a second. Without measuring as fast as the page takes them. */
const KEY_MS = MEASURES ? 100 : 0;
const RULES = 100;
const TYPED = "number 98 ".repeat(KEYS / 10);

const site = siteForTests();

const rules = numberedRules(
  RULES,
  ["subject", "body"],
  (words) => `body.contains("${words}") && size > 0`,
);

const domain = {
  domain: "x.example",
  routing_engine: "rules",
  rules_fallback_email: null,
  aliases: [],
  rules,
};

/** The largest message of the dataset, most of it attachments, and one whose body is as large. */
function messages(): Readonly<Record<string, Buffer>> {
  const bytesOf = (file: string): number => statSync(join(DATASET, file)).size;
  const file = datasetFiles().reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
  const lines = Array.from({ length: 4_000 }, (_, index) => `Line ${index} of a long text.`);
  const fields = "From: ann@mail.example\nTo: bob@x.example\nSubject: a long text";
  const body = lines.map((line) => `${line} It says that all orders were sent as agreed.`);
  return {
    "the largest of the dataset": readFileSync(join(DATASET, file)),
    "a body of 300 KB": Buffer.from(`${fields}\n\n${body.join("\n")}\n`),
  };
}

/** Puts the cursor into a field; answers what is in it. */
const FIELDS: Readonly<Record<string, (page: Page) => Promise<() => Promise<string>>>> = {
  async subject(page) {
    await page.locator("#mail-subject").fill("");
    return () => page.locator("#mail-subject").inputValue();
  },
  async body(page) {
    const body = page.getByRole("textbox", { name: "Body" });
    await body.press("Control+Home");
    return async () => (await body.inputValue()).slice(0, KEYS);
  },
  async pattern(page) {
    await page.locator("#rule-rule-50 .rule-open").click();
    const editor = page.locator("#rule-rule-50 .cm-content");
    await editor.click();
    await editor.press("Control+a");
    await editor.press("Delete");
    return () => editor.innerText();
  },
};

/** Parts of the body that a key may draw again: the one that it is typed in, and those whose marks change. */
const PARTS_MAX: Readonly<Record<string, number>> = { subject: 0, body: 3, pattern: 1 };

/** Empty texts of the page: Preact would write each of them anew for each key, and the browser lay out what is around it. */
const EMPTY_TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let empty = 0;
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data === "" && parentElement.closest(".cm-editor") === null) empty++;
  }
  return empty;
})()`;

const read = (name: string): string =>
  `performance.getEntriesByName("${name}").map(({ duration }) => duration)`;

async function tell(page: Page, what: string, name: string): Promise<void> {
  const taken = ((await page.evaluate(read(name))) as number[]).sort((one, other) => one - other);
  const [median, worst] = [taken[taken.length / 2]!, taken.at(-1)!];
  const beyond = taken.filter((ms) => ms > FRAME_MS).length;
  const said = `${name}: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms, ${beyond} beyond a frame`;
  console.log(`${what}, ${taken.length} keys, ${said}`);
}

describe.skipIf(CHROMIUM === undefined)(
  `a keystroke (skipped without a browser: ${SKIP_REASON})`,
  () => {
    test.each(
      Object.keys(FIELDS).flatMap((field) =>
        Object.entries(messages()).map(([name, bytes]) => ({ field, name, bytes })),
      ),
    )(
      "in the $field is measured and decided, no key is lost: $name",
      async (each) => {
        const { field, name, bytes } = each;
        const { page, faults } = await openPage(site.browser, site.url);
        const open = (file: string, buffer: Buffer): Promise<void> =>
          page.locator("#open-mail").setInputFiles({ name: file, mimeType: "text/plain", buffer });
        await open("domain.json", Buffer.from(JSON.stringify(domain)));
        await open("largest.eml", bytes);
        await expect
          .poll(() => page.locator(".extras").innerText())
          .toContain(bytes.length.toLocaleString("en"));
        const typed = await FIELDS[field]!(page);
        await expect
          .poll(() => page.locator("html[data-deciding]").count(), { timeout: 30_000 })
          .toBe(0);
        // The measures of the keys so far are taken.
        await nextFrames(page);
        if (MEASURES) await page.waitForTimeout(2_000);
        await page.evaluate("performance.clearMeasures()");
        const parts = (): Promise<number> => page.evaluate("mailflowWork.parts") as Promise<number>;
        const partsBefore = await parts();
        await page.keyboard.type(TYPED, { delay: KEY_MS });
        const counted = async (measure: string): Promise<number> =>
          ((await page.evaluate(read(measure))) as number[]).length;
        await expect.poll(() => counted("keystroke to decision"), { timeout: 30_000 }).toBe(KEYS);
        // A decision may be there before the frame of its key.
        await expect.poll(() => counted("keystroke painted")).toBe(KEYS);
        await expect.poll(() => counted("keystroke work")).toBe(KEYS);
        expect(await typed()).toBe(TYPED);
        expect(await page.evaluate(EMPTY_TEXTS)).toBe(0);
        // Behind an open rule that was edited, the page itself does not scroll.
        const below = "document.scrollingElement.scrollHeight - window.innerHeight";
        expect(await page.evaluate(below)).toBeLessThanOrEqual(0);
        expect((await parts()) - partsBefore).toBeLessThanOrEqual(PARTS_MAX[field]! * KEYS);
        const by = { subject: "by rule-98,", body: "by rule-9,", pattern: "no rule matched" }[
          field
        ]!;
        expect(await page.locator("#decision").innerText()).toContain(by);
        if (MEASURES) {
          await tell(page, `${field}, ${name}`, "keystroke work");
          await tell(page, `${field}, ${name}`, "keystroke painted");
          await tell(page, `${field}, ${name}`, "keystroke to decision");
        }
        expect(faults).toEqual([]);
        await page.close();
      },
      120_000,
    );
  },
);
