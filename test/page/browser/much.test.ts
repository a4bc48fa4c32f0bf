/** Much of everything stays fluid: what is drawn and decided for a keystroke or a scroll is counted, not timed. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import {
  CHROMIUM,
  nextFrames,
  numberedRules,
  openPage,
  SKIP_REASON,
  siteForTests,
} from "./open.ts";
import { type Opened, openService } from "./world.ts";

const RULES = 1_000;
const MESSAGES = 10_000;

let service: Opened | undefined;

const site = siteForTests();
afterAll(() => service?.simulator.close());

const rules = numberedRules(RULES, ["subject"], (words) => `subject == "${words}" && size > 0`);

/** Cards and rows of the trace that were drawn for `act`. */
async function drawnBy(
  page: Page,
  act: () => Promise<void>,
): Promise<{ cards: number; rows: number }> {
  const read = (): Promise<{ cards: number; rows: number }> =>
    page.evaluate("({ ...mailflowWork })") as Promise<{ cards: number; rows: number }>;
  const before = await read();
  await act();
  await nextFrames(page);
  const after = await read();
  return { cards: after.cards - before.cards, rows: after.rows - before.rows };
}

describe.skipIf(CHROMIUM === undefined)(`much (skipped without a browser: ${SKIP_REASON})`, () => {
  test("1,000 rules: a keystroke draws the cards that changed, and a trace that is folded", async () => {
    const { page, faults } = await openPage(site.browser, site.url);
    const domain = {
      domain: "x.example",
      routing_engine: "rules",
      rules_fallback_email: null,
      aliases: [],
      rules,
    };
    const buffer = Buffer.from(JSON.stringify(domain));
    await page
      .locator("#open-mail")
      .setInputFiles({ name: "domain.json", mimeType: "application/json", buffer });
    await expect.poll(() => page.locator(".rules > li").count()).toBe(RULES + 1);
    const subject = page.locator("#mail-subject");
    await subject.fill("number 50");
    await expect.poll(() => page.locator("#decision").innerText()).toContain("by rule-50,");
    // Nothing matches any more: the cards behind rule 50 were not reached before, and are missed now.
    const wide = await drawnBy(page, () => subject.fill("number"));
    expect(wide.cards).toBeLessThanOrEqual(RULES);
    const still = await drawnBy(page, () => subject.pressSequentially(" no more", { delay: 40 }));
    expect(still.cards).toBeLessThanOrEqual(2 * 8);
    expect(still.rows).toBeLessThanOrEqual(2 * 8 * 30);
    expect(await page.locator(".trace > li").count()).toBeLessThan(30);
    await page
      .getByRole("button", { name: /more rules missed/ })
      .first()
      .click();
    expect(await page.locator(".trace > li").count()).toBeGreaterThan(900);
    expect(faults).toEqual([]);
    await page.close();
  });

  test("the frame of a key shows the decision and draws nothing else; cards and trace follow", async () => {
    const { page, faults } = await openPage(site.browser, site.url);
    const told = await page.evaluate(`new Promise((done) => {
      const subject = document.querySelector("#mail-subject");
      const frame = (act) => requestAnimationFrame(() => setTimeout(act, 0));
      const now = () => ({
        ...mailflowWork,
        decision: document.querySelector("#decision").innerText,
        trace: document.querySelector(".trace .t-matched")?.innerText ?? "",
      });
      const before = now();
      // As the last listener does, and in the frame before anything is painted.
      subject.value = "summer prize: nothing to pay";
      subject.dispatchEvent(new InputEvent("input", { bubbles: true }));
      requestAnimationFrame(() => {
        const shown = now();
        frame(() => frame(() => done({ before, shown, after: now() })));
      });
    })`);
    const { before, shown, after } = told as Record<
      "before" | "shown" | "after",
      { cards: number; rows: number; decision: string; trace: string }
    >;
    expect(before.decision).toContain("by invoices,");
    expect(shown.decision).toContain("no rule matched");
    expect([shown.cards, shown.rows]).toEqual([before.cards, before.rows]);
    expect(before.trace).toContain("invoice 2231");
    expect(after.trace).toBe("");
    expect(after.cards).toBeGreaterThan(before.cards);
    expect(after.rows).toBeGreaterThan(before.rows);
    expect(faults).toEqual([]);
    await page.close();
  });

  test("an mbox that is dropped becomes the comparison, in a worker", async () => {
    const { page, faults } = await openPage(site.browser, site.url);
    const one = (number: number): string =>
      `From a@x.example Thu Jan  1 09:30:00 2026\nTo: accounts@paperlane.example\nDate: ${new Date(Date.UTC(2026, 0, 1 + (number % 60))).toUTCString()}\nSubject: invoice ${number}\n\nhello\n\n`;
    const buffer = Buffer.from(Array.from({ length: 2_000 }, (_, index) => one(index)).join(""));
    await page
      .locator("#open-mail")
      .setInputFiles({ name: "box.mbox", mimeType: "application/mbox", buffer });
    await expect.poll(() => page.locator("#mail-subject").inputValue()).toBe("invoice 0");
    await page.getByRole("switch", { name: "Rule invoices" }).uncheck();
    await expect
      .poll(() => page.locator("#effects .big").innerText())
      .toMatch(/^2,001\s+of 2,007 decisions/);
    // One for the comparison, one for the proofs, of the one script.
    const workers = page.workers().map((worker) => worker.url());
    expect(workers.length).toBeLessThanOrEqual(2);
    expect(new Set(workers)).toEqual(new Set([`${site.url}page.js`]));
    expect(await page.locator("#effects svg.chart").getAttribute("aria-label")).toContain(
      "Decisions per week",
    );
    expect(faults).toEqual([]);
    await page.close();
  });

  test("10,000 messages: the rows in sight are drawn, older pages come by scrolling", async () => {
    service = await openService(site.folder);
    const { simulator, server: at } = service;
    const recipients = Array.from({ length: 100 }, (_, index) => `r${index}@paperlane.example`);
    for (let count = 0; count < MESSAGES / 100; count++) {
      const message = `From: ann@mail.example\nSubject: message ${count}\n\nhello\n`;
      await simulator.receive({ envelope: { sender: "ann@mail.example", recipients }, message });
    }
    const { page, faults } = await openPage(site.browser, at.pageUrl!);
    await page.goto(`${at.url}/#inbox`);
    await expect.poll(() => page.locator(".seg").first().innerText()).toContain("10,000");
    const rows = page.locator(".window > li");
    expect(await rows.count()).toBeLessThan(40);
    const list = page.getByRole("region", { name: "List of messages" });
    let seen = 0;
    for (let step = 0; step < 80 && seen < 2_000; step++) {
      await list.evaluate((element) => {
        const box = element as unknown as { scrollTop: number; scrollHeight: number };
        box.scrollTop = box.scrollHeight;
      });
      const last = async (): Promise<number> =>
        Number(await rows.last().getAttribute("aria-posinset"));
      await expect.poll(last).toBeGreaterThan(seen);
      expect(await rows.count()).toBeLessThan(40);
      seen = await last();
    }
    expect(seen).toBeGreaterThanOrEqual(2_000);
    expect(faults).toEqual([]);
    await page.close();
  }, 120_000);
});
