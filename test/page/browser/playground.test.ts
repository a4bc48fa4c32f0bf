/** The playground in a real browser: a rule is edited, and the message is seen to go elsewhere. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { axeFindings, LOOKS, takeShot } from "./looks.ts";
import { CHROMIUM, decisionOf, onPage, SKIP_REASON, siteForTests } from "./open.ts";

const PAGE_BYTES_MAX = 300 * 1024;

const site = siteForTests();

test("the page is one HTML file, one script and one style sheet of at most 300 KB", () => {
  const names = ["index.html", "page.js", "page.css"];
  const sizes = names.map(
    (name) => gzipSync(readFileSync(join(site.folder, name)), { level: 9 }).length,
  );
  const sum = sizes.reduce((one, other) => one + other, 0);
  expect(sum, `${sum} bytes gzipped`).toBeLessThanOrEqual(PAGE_BYTES_MAX);
});

if (CHROMIUM === undefined) console.warn(`skipped: ${SKIP_REASON}`);

describe.skipIf(CHROMIUM === undefined)(
  `in a browser (skipped without one: ${SKIP_REASON})`,
  () => {
    test("a typed subject is decided at once, and what matched is marked", async () => {
      await onPage(site.browser, site.url, async (page) => {
        expect(await decisionOf(page)).toMatch(/Forwarded\s+ledger\+2231@books\.example/);
        expect(await page.locator(".marked-under mark.group").allInnerTexts()).toContain("2231");
        await page.locator("#mail-subject").fill("invoice 77");
        expect(await decisionOf(page)).toContain("ledger+77@books.example");
        await page.locator("#mail-subject").fill("nothing");
        expect(await decisionOf(page)).toContain("ines.calder@homepost.example");
      });
    });

    test("a rule is switched, moved by the keyboard, undone, and renamed", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.getByRole("switch", { name: "Rule invoices" }).uncheck();
        expect(await decisionOf(page)).toContain("ines.calder@homepost.example");
        expect(await page.locator(".tools").innerText()).toContain("1 edit not saved");
        await page.getByRole("button", { name: "Undo: switch invoices off" }).click();
        expect(await decisionOf(page)).toContain("ledger+2231@books.example");
        await page.getByRole("button", { name: "Move invoices, rank 50" }).focus();
        await page.keyboard.press("Alt+ArrowUp");
        await expect.poll(() => page.locator("#rule-invoices .rank-new").innerText()).toBe("35");
        const names = await page.locator(".rules .rule-name > span:first-child").allInnerTexts();
        expect(names.indexOf("invoices")).toBeLessThan(names.indexOf("newsletters"));
        expect(await page.locator(":focus").getAttribute("aria-label")).toBe(
          "Move invoices, rank 35",
        );
      });
    });

    test("an error is shown where it is, and the last correct version decides", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-invoices .rule-open").click();
        const editor = page.locator("#rule-invoices .cm-content");
        await editor.click();
        await page.keyboard.press("End");
        await page.keyboard.type("(");
        await expect.poll(() => page.locator("#rule-invoices .cm-bad").count()).toBeGreaterThan(0);
        expect(await page.locator("#rule-invoices .rule-words").innerText()).toContain(
          "Its last correct version decides",
        );
        expect(await decisionOf(page)).toContain("ledger+2231@books.example");
        await page.keyboard.press("Backspace");
        await expect.poll(() => page.locator("#rule-invoices .cm-bad").count()).toBe(0);
      });
    });

    test("completion offers variables with their value, and header names of the mail", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-scans .rule-open").click();
        await page.locator("#rule-scans .cm-content").click();
        await page.keyboard.press("Control+End");
        await page.keyboard.type(" && sen", { delay: 30 });
        await expect
          .poll(() => page.locator(".cm-tooltip-autocomplete").innerText())
          .toContain("sender");
      });
    });

    test("what would change is shown for the open mail, and lost mail is said", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.getByRole("switch", { name: "Rule newsletters" }).uncheck();
        await expect
          .poll(() => page.locator("#effects .big").innerText())
          .toMatch(/^1\s+of 7 decisions/);
        expect(await page.locator("#effects .moves").innerText()).toMatch(/newsletters\s+no match/);
        await page.locator("#effects .moves button").click();
        await page.locator("#rule-newsletters .rule-open").click();
        expect(await decisionOf(page)).toContain("ines.calder@homepost.example");
        await page.locator("#edit-newsletters .cm-content").waitFor();
        await takeShot(page, "docs-rules");
      });
    });

    test("a message becomes a test, which an edit fails", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.getByRole("button", { name: /Make this a test/ }).click();
        await page.getByRole("tab", { name: /Tests/ }).click();
        expect(await page.locator("#effects-panel").innerText()).toContain("All tests pass");
        await page.getByRole("switch", { name: "Rule invoices" }).uncheck();
        await expect
          .poll(() => page.locator("#effects-panel").innerText())
          .toContain("wanted rule invoices");
      });
    });

    test("a rule that no message reaches says what covers it; another shows a message that reaches it", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-invoices .rule-open").click();
        await expect
          .poll(() => page.locator("#edit-invoices").innerText())
          .toContain("Some message reaches this rule.");
        await page.getByRole("button", { name: "Show one" }).click();
        await expect.poll(() => decisionOf(page)).toContain("@books.example");
        expect(await page.locator("#decision").innerText()).toContain("by invoices,");
        await page.getByRole("button", { name: "Duplicate" }).click();
        await expect
          .poll(() => page.locator("#edit-invoices-copy").innerText())
          .toContain("is never reached: rule `invoices` (rank 50)");
        expect(await page.locator("#rule-invoices-copy .rule-words").innerText()).toContain(
          "never reached",
        );
      });
    });

    test("a link brings the same rules, edits and message to another browser", async () => {
      let link = "";
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#mail-subject").fill("invoice 4711");
        await page.getByRole("switch", { name: "Rule junk" }).uncheck();
        await page.getByRole("button", { name: "Share" }).click();
        await expect.poll(() => page.getByLabel("Link").inputValue()).toMatch(/#s=/);
        link = await page.getByLabel("Link").inputValue();
      });
      await onPage(site.browser, link, async (page) => {
        expect(await decisionOf(page)).toContain("ledger+4711@books.example");
        expect(await page.locator(".tools").innerText()).toContain("1 edit not saved");
      });
    });

    test("a link that was cut off is refused in words; the whole one opens in the same tab", async () => {
      const page = await site.browser.newPage();
      await page.goto(site.url);
      await page.getByRole("switch", { name: "Rule junk" }).uncheck();
      await page.getByRole("button", { name: "Share" }).click();
      const field = page.getByLabel("Link");
      await expect.poll(() => field.inputValue()).toMatch(/#s=/);
      const link = await field.inputValue();
      await page.close();
      await onPage(site.browser, link.slice(0, -20), async (other) => {
        const alert = other.getByRole("alert");
        expect(await alert.innerText()).toBe(
          "the link is damaged or cut off: copy the whole link again",
        );
        expect(await decisionOf(other)).toContain("ledger+2231@books.example");
        expect(other.url()).toBe(link.slice(0, -20));
        await other.locator("#mail-subject").fill("kept");
        await other.goto(link);
        await expect.poll(() => other.locator(".tools").innerText()).toContain("1 edit not saved");
        expect(await alert.count()).toBe(0);
      });
    });

    test("an opened message is read, and a picture is refused with what to do", async () => {
      await onPage(site.browser, site.url, async (page) => {
        const open = (name: string, buffer: Buffer): Promise<void> =>
          page.locator("#open-mail").setInputFiles({ name, mimeType: "message/rfc822", buffer });
        await open(
          "one.eml",
          Buffer.from("To: orders@paperlane.example\r\nSubject: one\r\n\r\nhi\r\n"),
        );
        await expect.poll(() => page.locator("#mail-subject").inputValue()).toBe("one");
        await open("scan.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
        await expect
          .poll(() => page.getByRole("alert").innerText())
          .toContain("scan.png is not a message");
      });
    });

    test.each(LOOKS)("axe finds nothing: $name", async ({ name, colorScheme, viewport }) => {
      await onPage(
        site.browser,
        site.url,
        async (page) => {
          await page.locator("#rule-scans .rule-open").click();
          expect(await axeFindings(page)).toEqual([]);
          await takeShot(page, `playground-${name}`);
        },
        { colorScheme, viewport },
      );
    });
  },
);
