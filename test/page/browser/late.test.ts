/** What comes late or unasked: answers in another order, and changes of others while a person types. Nothing typed is lost. */
import type { Locator, Page, Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { CHROMIUM, onPage, openPage, SKIP_REASON, siteForTests } from "./open.ts";
import { type Opened, onView, receiveDemo, receiveText, servicesForTests } from "./world.ts";

const site = siteForTests();
const services = servicesForTests(site);

/** Holds back the first request of a method to `path`; the result lets it go. */
async function holdFirst(page: Page, path: RegExp, method: string): Promise<() => Promise<void>> {
  let held: (route: Route) => void;
  const holding = new Promise<Route>((resolve) => {
    held = resolve;
  });
  let isFirst = true;
  await page.route(path, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback();
    isFirst = false;
    held(route);
  });
  return async () => (await holding).continue();
}

/** Changes the domain as another program does. */
async function ask(
  { server, simulator }: Opened,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const authorization = `Basic ${Buffer.from(`api:${simulator.apiKey}`).toString("base64")}`;
  const url = `${server.url}/v4/domains/paperlane.example${path}`;
  const headers = { authorization, "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

describe.skipIf(CHROMIUM === undefined)(
  `what comes late (skipped without a browser: ${SKIP_REASON})`,
  () => {
    test("an address that is being typed stays when somebody else changes the domain", async () => {
      const service = await services.start();
      await ask(service, "POST", "/aliases", { alias: "press", forward: "desk@news.example" });
      await onView(site, service, "domain", async (page) => {
        const press = page.getByLabel("Destinations of press");
        const fallback = page.getByLabel("Mail that no rule takes goes to");
        await expect.poll(() => fallback.inputValue()).toBe("ines.calder@homepost.example");
        const typedMeanwhile = async (field: Locator, text: string, alias: string) => {
          await field.fill(text);
          await ask(service, "POST", "/aliases", { alias, forward: "a@b.example" });
          await page.getByLabel(`Destinations of ${alias}`).waitFor();
          expect(await field.inputValue()).toBe(text);
        };
        await typedMeanwhile(press, "desk@daily.example", "sales");
        await typedMeanwhile(fallback, "someone@el", "stock");
        await ask(service, "PUT", "", { rules_fallback_email: "new@homepost.example" });
        await expect.poll(() => fallback.inputValue()).toBe("new@homepost.example");
      });
    });

    test("a rule and a message that are being written stay when somebody else changes the rules, whose change is no edit", async () => {
      const service = await services.start();
      await onView(site, service, "rules", async (page) => {
        await page.locator("#mail-subject").fill("invoice 77");
        const card = page.locator(".rules > li").filter({ hasText: "ledger+" });
        await card.locator(".rule-open").click();
        const rank = card.getByLabel("Rank", { exact: true });
        await rank.fill("51");
        await rank.press("Tab");
        await rank.fill("52");
        await ask(service, "POST", "/rules", {
          type: "alias",
          rank: 99,
          config: { alias: "theirs", forward: "a@b.example" },
        });
        const names = page.locator(".rules .rule-words");
        await expect.poll(async () => (await names.allInnerTexts()).join()).toContain("theirs");
        expect(await rank.inputValue()).toBe("52");
        expect(await page.locator("#mail-subject").inputValue()).toBe("invoice 77");
        expect(await page.locator("#mail-recipient").inputValue()).toBe(
          "someone@paperlane.example",
        );
        expect(await page.locator(".tools").innerText()).toContain("1 edit not saved");
      });
    });

    test("an edit made while others are being saved is not said to be saved", async () => {
      const service = await services.start();
      await onView(site, service, "rules", async (page) => {
        const release = await holdFirst(page, /rules\/batch/, "PUT");
        const switches = page.locator(".rules").getByRole("switch");
        await switches.nth(0).uncheck();
        await page.getByRole("button", { name: "Review and save" }).click();
        await page.getByRole("button", { name: "Save 1 edit" }).click();
        await switches.nth(1).uncheck();
        await release();
        const tools = page.locator(".tools");
        await expect.poll(() => tools.innerText()).toContain("1 edit not saved");
        expect(await switches.nth(0).isChecked()).toBe(false);
        expect(await switches.nth(1).isChecked()).toBe(false);
      });
    });

    test("while mail keeps coming the list is shown as each answer has it", async () => {
      const service = await services.start();
      await onView(site, service, "inbox", async (page) => {
        const held: Route[] = [];
        await page.route(/_sim\/messages\?/, (route) => void held.push(route));
        await receiveText(service, "Subject: one\n\nhi\n");
        await expect.poll(() => held.length).toBe(1);
        await receiveText(service, "Subject: two\n\nhi\n");
        await expect.poll(() => held.length).toBe(2);
        await held[0]!.continue();
        await page.locator(".window > li").first().waitFor();
        await held[1]!.continue();
        await expect.poll(() => page.locator(".window > li").count()).toBe(2);
      });
    });

    test("of two messages opened one after the other the second is shown, whichever is read first", async () => {
      const service = await services.start();
      await receiveText(service, "Subject: one\n\nhi\n");
      await receiveText(service, "Subject: two\n\nhi\n");
      await onView(site, service, "inbox", async (page) => {
        await page.locator(".window > li").nth(1).waitFor();
        const release = await holdFirst(page, /messages\/[^/?]+$/, "GET");
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        const title = page.locator("article h2");
        await expect.poll(() => title.innerText()).toBe("one");
        await release();
        // A message is marked as read after it was to be shown.
        await expect.poll(() => page.locator(".badge").count()).toBe(0);
        expect(await title.innerText()).toBe("one");
      });
    });

    test("words of a search stay while mail arrives, and when the view is left and opened again", async () => {
      const service = await services.start();
      await receiveDemo(service);
      await onView(site, service, "logs", async (page) => {
        const search = page.getByLabel("Search the log");
        const rows = page.locator(".window li");
        await expect.poll(() => rows.count()).toBe(10);
        await search.pressSequentially("copycorner ");
        await expect.poll(() => rows.count()).toBe(1);
        expect(await search.inputValue()).toBe("copycorner ");
        await page.getByRole("link", { name: "Inbox" }).click();
        await page.getByLabel("Search messages").fill("invoice 2231");
        await expect.poll(() => rows.count()).toBe(1);
        await page.getByRole("link", { name: "Logs" }).click();
        await page.getByRole("link", { name: "Inbox" }).click();
        expect(await page.getByLabel("Search messages").inputValue()).toBe("invoice 2231");
      });
    });

    test("the error of an action stays until it is closed, though the view is loaded again", async () => {
      const service = await services.start();
      // The browser reports the refusal on the console.
      const { page } = await openPage(site.browser, service.server.pageUrl!);
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByLabel("Name of the domain").fill("not a name");
      await page.getByRole("button", { name: "Add domain" }).click();
      const alert = page.getByRole("alert");
      await expect.poll(() => alert.innerText()).toContain("not a name");
      await ask(service, "POST", "/aliases", { alias: "sales", forward: "a@b.example" });
      await page.getByLabel("Destinations of sales").waitFor();
      expect(await alert.innerText()).toContain("not a name");
      await page.getByRole("button", { name: "Close the message" }).click();
      expect(await alert.count()).toBe(0);
      await page.close();
    });

    test("a name of a rule that is being typed stays when its card is drawn anew", async () => {
      await onPage(site.browser, site.url, async (page) => {
        await page.locator("#rule-invoices .rule-open").click();
        const card = page.locator("#rule-invoices");
        const name = card.getByLabel("Name");
        await name.fill("another");
        await page.evaluate(`{
          const subject = document.querySelector("#mail-subject");
          subject.value = "nothing";
          subject.dispatchEvent(new InputEvent("input", { bubbles: true }));
        }`);
        await expect.poll(() => card.locator(".is-matched").count()).toBe(0);
        expect(await name.inputValue()).toBe("another");
      });
    });
  },
);
