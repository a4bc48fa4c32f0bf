/** What hands do on the page: drag, drop, hover, take back, download, and all of it by the keyboard alone or without a network. */
import { readFileSync } from "node:fs";
import type { Download, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { backgroundDone, CHROMIUM, decisionOf, onPage, SKIP_REASON, siteForTests } from "./open.ts";

const site = siteForTests();

const ruleNames = (page: Page): Promise<string[]> =>
  page.locator(".rules .rule-name > span:first-child").allInnerTexts();

async function downloaded(page: Page, act: () => Promise<void>): Promise<[string, string]> {
  const waiting: Promise<Download> = page.waitForEvent("download");
  await act();
  const taken = await waiting;
  return [taken.suggestedFilename(), readFileSync((await taken.path())!, "utf8")];
}

describe.skipIf(CHROMIUM === undefined)(`hands (skipped without a browser: ${SKIP_REASON})`, () => {
  test("a card says type, match, destination and rank; dragged to another place, its rank follows; undo and redo", async () => {
    await onPage(site.browser, site.url, async (page) => {
      const card = page.locator("#rule-invoices");
      expect(await card.innerText()).toMatch(
        /50[\s\S]*invoices[\s\S]*ledger\+\$1@books\.example[\s\S]*pattern[\s\S]*subject has/,
      );
      await page
        .getByRole("button", { name: "Move invoices, rank 50" })
        .dragTo(page.locator("#rule-one-time-codes"));
      const moved = ["orders", "invoices", "one-time-codes"];
      await expect.poll(async () => (await ruleNames(page)).slice(0, 3)).toEqual(moved);
      expect(await card.locator(".rank-new").innerText()).toBe("15");
      await page.locator("#h-rules").click();
      await page.keyboard.press("Control+z");
      await expect.poll(async () => (await ruleNames(page))[1]).toBe("one-time-codes");
      await page.keyboard.press("Control+Shift+z");
      await expect.poll(async () => (await ruleNames(page))[1]).toBe("invoices");
    });
  });

  test("a message is dropped, and what matched is marked in its body", async () => {
    await onPage(site.browser, site.url, async (page) => {
      const text =
        "To: x@paperlane.example\nSubject: hello\n\nfirst line\n123456 is your login code\n";
      await page.evaluate(`{
          const held = new DataTransfer();
          held.items.add(new File([${JSON.stringify(text)}], "code.eml"));
          const init = { dataTransfer: held, bubbles: true, cancelable: true };
          document.querySelector("#message").dispatchEvent(new DragEvent("drop", init));
        }`);
      await expect.poll(() => page.locator("#mail-subject").inputValue()).toBe("hello");
      await expect.poll(() => decisionOf(page)).toContain("hooks.studio.example/codes");
      const marks = page.locator(".marked-area mark");
      expect((await marks.allInnerTexts()).join("")).toBe("123456 is your login code");
      expect(await page.locator(".marked-area mark.group").innerText()).toBe("123456");
    });
  });

  test("every rule says its part: matched, missed, switched off, not reached, failed", async () => {
    await onPage(site.browser, site.url, async (page) => {
      const said = async (name: string): Promise<string> =>
        (await page.locator(".trace > li", { hasText: name }).innerText()).replace(/\s+/g, " ");
      expect(await said("orders")).toContain("missed: wants orders, the address has accounts");
      expect(await said("invoices")).toContain("matched");
      expect(await said("summer-sale")).toContain("switched off");
      expect(await said("scans")).toContain("not reached");
      await page.locator("#rule-newsletters .rule-open").click();
      await page.locator("#rule-newsletters .cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type('headers["no-such-field"][0] == "x"');
      await expect.poll(() => said("newsletters")).toContain("failed");
    });
  });

  test("an expression is completed: functions after a dot, header names of the mail; a word under the pointer is explained", async () => {
    await onPage(site.browser, site.url, async (page) => {
      await page.locator("#rule-newsletters .rule-open").click();
      const editor = page.locator("#rule-newsletters .cm-content");
      const offered = page.locator("#rule-newsletters .cm-tooltip-autocomplete");
      await editor.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type("subject.starts", { delay: 15 });
      await expect.poll(() => offered.innerText()).toContain("startsWith");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type('headers["list', { delay: 15 });
      await expect.poll(() => offered.innerText()).toContain("list-id");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.type("size > 10");
      await editor.locator(".cm-name").hover();
      await expect
        .poll(() => page.locator("#rule-newsletters .cm-said").innerText())
        .toMatch(/^size: int\. Octets of the whole message\. Here: \d+$/);
    });
  });

  test("the domain file and the message are downloaded as they are edited", async () => {
    await onPage(site.browser, site.url, async (page) => {
      await page.getByRole("switch", { name: "Rule invoices" }).uncheck();
      await page.locator("#mail-subject").fill("my invoice 5");
      const [file, domain] = await downloaded(page, () =>
        page.locator(".tools").getByRole("button", { name: "Download" }).click(),
      );
      expect(file).toBe("paperlane.example.json");
      const { rules } = JSON.parse(domain) as { rules: { id: string; active: boolean }[] };
      expect(rules.find(({ id }) => id === "invoices")!.active).toBe(false);
      const [name, message] = await downloaded(page, () =>
        page.getByRole("button", { name: "Download the message, without its" }).click(),
      );
      expect(name).toBe("02-invoice.eml");
      expect(message).toMatch(/^subject: my invoice 5\r$/m);
      expect(message).toContain("\r\n\r\nHello,");
    });
  });

  test("each place of the tab order shows where it is, has a name, and Tab gets to every control", async () => {
    await onPage(site.browser, site.url, async (page) => {
      await page.locator("#rule-newsletters .rule-open").click();
      // A control that comes behind the cursor would be missed.
      await backgroundDone(page);
      const seen = new Set<string>();
      let ends = 0;
      for (let step = 0; step < 300; step++) {
        await page.keyboard.press("Tab");
        const at = (await page.evaluate(`(() => {
            const deepest = (root) => root.activeElement?.shadowRoot ? deepest(root.activeElement.shadowRoot) : root.activeElement;
            const at = deepest(document);
            if (at === document.body) return null;
            at.dataset.reached = "yes";
            return at.getBoundingClientRect().width > 0 ? at.tagName : "hidden " + at.outerHTML;
          })()`)) as string | null;
        // Behind the last control comes the first.
        if (at === null && ends++ > 0) break;
        if (at === null) continue;
        seen.add(at);
        // An editor keeps Tab for itself until Escape.
        if (at === "DIV") await page.keyboard.press("Escape");
      }
      expect([...seen].filter((each) => each.startsWith("hidden"))).toEqual([]);
      const missed =
        await page.evaluate(`[...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
          .filter((each) => !each.disabled && each.tabIndex >= 0 && each.type !== "radio" && each.checkVisibility() && each.dataset.reached !== "yes")
          .map((each) => each.outerHTML)`);
      expect(missed).toEqual([]);
    });
  });

  test("the cursor stays in the list when a rule is closed, added, renamed or deleted by the keyboard", async () => {
    await onPage(site.browser, site.url, async (page) => {
      const focused = (): Promise<string> =>
        page.evaluate("document.activeElement.closest('li')?.id ?? ''") as Promise<string>;
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await page.locator("#edit-orders").getByLabel("Name").fill("s");
      await page.keyboard.press("Tab");
      await expect.poll(focused).toBe("rule-s");
      expect(await page.evaluate("document.activeElement.type")).toBe("radio");
      await page.keyboard.press("Escape");
      await expect.poll(focused).toBe("rule-s");
      await page.keyboard.press("n");
      await expect.poll(focused).toBe("rule-new-rule");
      await page
        .locator("#edit-new-rule")
        .getByRole("button", { name: /^Close/ })
        .press("Enter");
      await expect.poll(() => page.locator("#edit-new-rule").count()).toBe(0);
      await expect.poll(focused).toBe("rule-new-rule");
      await page.locator("#rule-new-rule .rule-open").press("Enter");
      await page.getByRole("button", { name: "Delete rule" }).press("Enter");
      await expect.poll(focused).toBe("rule-support");
      const [file] = await downloaded(page, () => page.keyboard.press("Control+s"));
      expect(file).toBe("paperlane.example.json");
    });
  });

  test("on a phone a problem is seen whatever pane is shown, and closed", async () => {
    const phone = { viewport: { width: 390, height: 844 } };
    await onPage(
      site.browser,
      site.url,
      async (page) => {
        await page.locator("#open-mail").setInputFiles({
          name: "scan.png",
          mimeType: "image/png",
          buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
        });
        const alert = page.getByRole("alert");
        await expect.poll(() => alert.innerText()).toContain("scan.png is not a message");
        await page.getByRole("button", { name: "Close the message" }).click();
        expect(await alert.count()).toBe(0);
      },
      phone,
    );
  });

  test("without a network it decides, compares and proves", async () => {
    await onPage(site.browser, site.url, async (page) => {
      // The workers of the comparison and of the proofs have answered.
      await backgroundDone(page);
      await page.context().setOffline(true);
      await page.locator("#mail-subject").fill("invoice 12");
      expect(await decisionOf(page)).toContain("ledger+12@books.example");
      await page.getByRole("switch", { name: "Rule newsletters" }).uncheck();
      await expect
        .poll(() => page.locator("#effects .big").innerText())
        .toMatch(/^1\s+of 7 decisions/);
      await page.locator("#rule-invoices .rule-open").click();
      await expect
        .poll(() => page.locator("#edit-invoices").innerText())
        .toContain("Some message reaches this rule.");
      await page.getByRole("button", { name: "Duplicate" }).click();
      await expect
        .poll(() => page.locator("#edit-invoices-copy").innerText())
        .toContain("is never reached");
      await page.keyboard.press("Escape");
      await page.locator("#h-rules").click();
      await page.keyboard.press("w");
      await page.getByLabel("Why does it not go to").fill("archive@books.example");
      await expect.poll(() => page.locator(".why-not").innerText()).toContain("rule scans");
    });
  });

  test("nothing shifts while a key is typed; where a person wants no motion nothing moves, and more contrast is more", async () => {
    const look = { reducedMotion: "reduce", contrast: "more" } as const;
    await onPage(
      site.browser,
      site.url,
      async (page) => {
        const moves = await page.evaluate(`[...document.querySelectorAll("*")].filter((each) => {
            const { transitionDuration, animationDuration } = getComputedStyle(each);
            return parseFloat(transitionDuration) > 0.001 || parseFloat(animationDuration) > 0.001;
          }).length`);
        expect(moves).toBe(0);
        const [faint, ink] = (await page.evaluate(
          `[".faint", "body"].map((each) => getComputedStyle(document.querySelector(each)).color)`,
        )) as string[];
        expect(faint).toBe(ink);
        await backgroundDone(page);
        await page.evaluate(`{
            globalThis.shifts = [];
            new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift" });
          }`);
        await page.locator("#mail-subject").pressSequentially(" and more", { delay: 40 });
        await page.getByRole("tab", { name: /Findings/ }).click();
        await page.waitForTimeout(700);
        const shifted = (await page.evaluate("shifts.map(({ value }) => value)")) as number[];
        expect(shifted.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.01);
      },
      look,
    );
  });
});
