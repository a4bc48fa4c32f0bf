/** What an author asks of rules in a real browser: why not here, what is proved, what a clause is, what may be written, what is kept. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFindings, LOOKS, takeShot } from "./looks.ts";
import { CHROMIUM, decisionOf, onPage, SKIP_REASON, siteForTests } from "./open.ts";

const site = siteForTests();

const open = (page: Page, files: readonly (readonly [name: string, text: string])[]) =>
  page.locator("#open-mail").setInputFiles(
    files.map(([name, text]) => ({
      name,
      mimeType: "text/plain",
      buffer: Buffer.from(text),
    })),
  );

const showLetter = (page: Page): Promise<unknown> =>
  page.locator("#message select").selectOption({ label: "09-letter.eml" });

describe.skipIf(CHROMIUM === undefined)(
  `an author in a browser (skipped without one: ${SKIP_REASON})`,
  () => {
    test("why not here: a destination is picked, what keeps the message away is said, and a change brings it there", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await showLetter(page);
        await page.locator("#h-rules").click();
        await page.keyboard.press("w");
        const target = page.getByLabel("Why does it not go to");
        await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("why-target");
        const offered = await page
          .locator("#why-choices option")
          .evaluateAll((options) =>
            (options as unknown as { value: string }[]).map(({ value }) => value),
          );
        expect(offered).toContain("archive@books.example");
        expect(offered).toContain("scans");
        expect(offered.some((each) => each.includes("$1"))).toBe(false);
        await target.fill("archive@books.example");
        const said = page.getByRole("region", { name: "Why not here?" });
        await expect.poll(() => said.innerText()).toContain("why not archive@books.example?");
        expect(await said.innerText()).toMatch(
          /rule scans \(rank 50\.5\) did not match[\s\S]*wanted {2}attachments\.exists[\s\S]*actual {2}attachments is \[\]/,
        );
        await said
          .getByRole("button", { name: /change of the rules/ })
          .first()
          .click();
        await expect.poll(() => decisionOf(page)).toContain("archive@books.example");
        await expect.poll(() => said.innerText()).toContain("it did go there");
        await target.fill("nobody@nowhere.example");
        await expect.poll(() => said.innerText()).toContain("of the domain sends mail to");
        await page.getByRole("button", { name: "Close “Why not here?”" }).click();
        expect(await said.count()).toBe(0);
      });
    });

    test("why not here, of a rule that is open", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-newsletters .rule-open").click();
        await page.getByRole("button", { name: "Why not here?" }).click();
        const said = page.getByRole("region", { name: "Why not here?" });
        await expect.poll(() => said.innerText()).toContain("why not rule newsletters?");
        expect(await said.innerText()).toContain('wanted  "list-id" in headers');
      });
    });

    test("the rule as JSON: keys, types and scopes are completed by the schema", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-invoices .rule-open").click();
        await page.getByRole("button", { name: "Edit as JSON" }).click();
        const editor = page.locator("#edit-invoices .cm-content");
        // While words are still looked for, the list shows the ones before, and takes no key.
        const offered = page.locator(
          "#edit-invoices .cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) [aria-selected]",
        );
        const complete = async (text: string, word: string): Promise<void> => {
          await page.keyboard.type(text, { delay: 15 });
          await expect.poll(() => offered.innerText()).toContain(word);
          // Nor does it take one within 75 ms, which may be meant for the text.
          await page.waitForTimeout(100);
          await page.keyboard.press("Enter");
        };
        await editor.click();
        await page.keyboard.press("Control+a");
        await complete('{ "type": "r', '"regex"');
        await complete(', "conf', '"config"');
        await complete('{ "regex": "order", "sc', '"scopes"');
        await complete('["su', '"subject"');
        await page.keyboard.type('], "forward": "new@books.example" } }');
        await page.locator("#mail-subject").fill("my order");
        await expect.poll(() => decisionOf(page)).toContain("new@books.example");
      });
    });

    test("the whole domain file as JSON: an edit decides, a mistake is marked, the keys are the schema's", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await showLetter(page);
        await page.getByRole("button", { name: /^JSON/ }).click();
        const editor = page.locator("#rules .cm-content");
        await expect.poll(() => editor.innerText()).toContain('"rules_fallback_email"');
        const text = JSON.stringify({
          domain: "paperlane.example",
          routing_engine: "rules",
          rules_fallback_email: "new@homepost.example",
          rules: [
            {
              id: "bad",
              type: "regex",
              config: { regex: "(", scopes: ["subject"], forward: "a@b.example" },
            },
          ],
        });
        await editor.click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(text);
        await expect.poll(() => decisionOf(page)).toContain("new@homepost.example");
        await expect.poll(() => page.locator("#rules .cm-bad").count()).toBeGreaterThan(0);
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText('{ "dom');
        await page.keyboard.press("Control+Space");
        await expect
          .poll(() => page.locator("#rules .cm-tooltip-autocomplete").innerText())
          .toContain('"domain"');
      });
    });

    test("every clause of an expression shows its value, also those that hold", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await showLetter(page);
        const scans = page.locator(".trace li", { hasText: "scans" });
        await expect
          .poll(() => scans.locator("tbody tr").allInnerTexts())
          .toEqual([
            expect.stringMatching(/does not hold[\s\S]*attachments is \[\]/),
            expect.stringMatching(/holds[\s\S]*size < 5000000[\s\S]*size is 362/),
          ]);
        await page.locator("#message select").selectOption({
          label: "08-scan-in-three-levels.eml",
        });
        const rows = page.locator(".trace .t-matched tbody tr");
        await expect.poll(() => rows.count()).toBe(2);
        expect(await rows.last().innerText()).toMatch(/holds[\s\S]*size is 2958/);
      });
    });

    test("t keeps a test of the message in the browser; after a reload an edit fails it, and it can be removed", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#h-rules").click();
        await page.keyboard.press("t");
        await expect
          .poll(() => page.locator("#decision").innerText())
          .toContain("A test in this browser");
        await page.keyboard.press("t");
        await page.reload();
        await page.waitForSelector("html[data-ready]");
        await page.getByRole("tab", { name: /Tests/ }).click();
        const panel = page.locator("#effects-panel");
        await expect.poll(() => panel.innerText()).toContain("All tests pass");
        expect(await panel.locator("li").count()).toBe(1);
        await page.getByRole("switch", { name: "Rule invoices" }).uncheck();
        await expect
          .poll(() => panel.innerText())
          .toContain("wanted rule invoices, got the fallback address");
        const taken = page.waitForEvent("download");
        await panel.getByRole("button", { name: "Download" }).click();
        expect((await taken).suggestedFilename()).toBe("paperlane.example.mailtest.json");
        await panel.getByRole("button", { name: /Remove the test/ }).click();
        await page.reload();
        await page.waitForSelector("html[data-ready]");
        await page.getByRole("tab", { name: /Tests/ }).click();
        expect(await panel.innerText()).toContain("No tests yet");
      });
    });

    test("findings are one list, each with a message; e goes to the next problem", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-invoices .rule-open").click();
        await page.getByRole("button", { name: "Duplicate" }).click();
        await page.getByRole("tab", { name: /Findings/ }).click();
        const panel = page.locator("#effects-panel");
        await expect.poll(() => panel.innerText()).toContain("1 warning");
        const first = panel.locator("li").first();
        expect(await first.innerText()).toMatch(/invoices-copy\s+is never reached: rule invoices/);
        await first.getByRole("button", { name: /Show one/ }).click();
        await expect.poll(() => decisionOf(page)).toContain("@books.example");
        expect(await page.locator("#decision").innerText()).toContain("by invoices,");
        await panel.getByRole("button", { name: /Show one message for newsletters/ }).click();
        await expect.poll(() => page.locator("#decision").innerText()).toContain("by newsletters,");
        await page.keyboard.press("Escape");
        await page.locator("#h-rules").click();
        await page.keyboard.press("e");
        await expect
          .poll(() => page.locator("#rule-invoices-copy .rule-open").getAttribute("aria-expanded"))
          .toBe("true");
      });
    });

    test("several messages and an mbox are opened at once, with a domain file before them", async () => {
      await onPage(site.browser, site.url, async (page) => {
        const line = "From a@x.example Thu Jan  1 09:30:00 2026\n";
        const one = (subject: string): string =>
          `To: shop@new.example\nSubject: ${subject}\n\nFrom here on\n\n`;
        const domain = {
          domain: "new.example",
          routing_engine: "rules",
          rules_fallback_email: null,
          rules: [],
        };
        await open(page, [
          ["a.eml", one("first")],
          ["b.eml", one("second")],
          ["box.mbox", `${line}${one("third")}${line}${one("fourth")}`],
          ["domain.json", JSON.stringify(domain)],
        ]);
        await expect.poll(() => page.locator("#mail-subject").inputValue()).toBe("first");
        expect(await page.locator("#mail-recipient").inputValue()).toBe("shop@new.example");
        const names = page.locator("#message select").locator("option");
        await expect
          .poll(() => names.allInnerTexts())
          .toEqual(expect.arrayContaining(["a.eml", "b.eml", "box.mbox 1", "box.mbox 2"]));
        await page.locator("#message select").selectOption({ label: "box.mbox 2" });
        expect(await page.locator("#mail-subject").inputValue()).toBe("fourth");
        expect(await page.getByLabel("Body").inputValue()).toContain("From here on");
      });
    });

    test("a message is pasted", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#h-rules").click();
        const text = JSON.stringify("To: orders@paperlane.example\nSubject: pasted\n\nhi\n");
        await page.evaluate(`{
          const held = new DataTransfer();
          held.setData("text/plain", ${text});
          const init = { clipboardData: held, bubbles: true, cancelable: true };
          document.querySelector(".app").dispatchEvent(new ClipboardEvent("paste", init));
        }`);
        await expect.poll(() => page.locator("#mail-subject").inputValue()).toBe("pasted");
      });
    });

    test.each(LOOKS)("axe finds nothing: $name", async ({ name, colorScheme, viewport }) => {
      await onPage(
        site.browser,
        site.url,
        async (page) => {
          const isNarrow = viewport.width < 500;
          const pane = (words: string): Promise<void> =>
            isNarrow
              ? page
                  .getByRole("navigation", { name: "Panes" })
                  .getByRole("button", { name: words })
                  .click()
              : Promise.resolve();
          const look = async (what: string): Promise<void> => {
            expect(await axeFindings(page), what).toEqual([]);
            await takeShot(page, `${what}-${name}`);
          };
          await page.locator("#rule-invoices .rule-open").click();
          await page.getByRole("button", { name: "Duplicate" }).click();
          await pane("Changes");
          await page.getByRole("tab", { name: /Findings/ }).click();
          await expect
            .poll(() => page.locator("#effects-panel").innerText())
            .toContain("1 warning");
          await look("findings");
          await pane("Rules");
          await page.getByRole("button", { name: /^JSON/ }).click();
          await page.locator("#rules .cm-content").waitFor();
          await look("domain-json");
          await page.getByRole("button", { name: /^JSON/ }).click();
          await pane("Message");
          await page.getByRole("button", { name: "Why not elsewhere?" }).click();
          await page.getByLabel("Why does it not go to").fill("archive@books.example");
          await expect.poll(() => page.locator(".why-not").innerText()).toContain("rule scans");
          await look("why-not");
          await page.getByRole("button", { name: "Make this a test" }).click();
          await pane("Changes");
          await page.getByRole("tab", { name: /Tests/ }).click();
          await look("tests");
        },
        { colorScheme, viewport },
      );
    });
  },
);
