/** The page of a running service in a real browser: what is received, why it went where it did, and what a person changes. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFindings, LOOKS, takeShot } from "./looks.ts";
import { CHROMIUM, openPage, SKIP_REASON, siteForTests } from "./open.ts";
import { onView, receiveDemo, receiveText, servicesForTests } from "./world.ts";

/** Says lines to an SMTP server, each after an answer to the one before; all its answers. */
async function converse(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answers = "";
  let next = 0;
  socket.setEncoding("latin1").on("data", (more: string) => {
    answers += more;
    // The last line of an answer has a blank behind its code.
    if (/^\d{3} .*\r\n$/m.test(more) && next < lines.length) socket.write(`${lines[next++]}\r\n`);
  });
  await once(socket, "close");
  return answers;
}

/** What each view shows once its contents have arrived. */
const DRAWN = {
  rules: "button.rule-open",
  inbox: ".window li",
  logs: ".window li",
  domain: "table.records",
  sending: "iframe",
  control: ".big-time:not(:empty)",
} as const;

const site = siteForTests();
const services = servicesForTests(site);

if (CHROMIUM === undefined) console.warn(`skipped: ${SKIP_REASON}`);

describe.skipIf(CHROMIUM === undefined)(
  `a service in a browser (skipped without one: ${SKIP_REASON})`,
  () => {
    const textOf = (page: Page, selector: string): Promise<string> =>
      page.locator(selector).innerText();

    test("without the key the inbox is read, and the logs ask for it; refusals are shown", async () => {
      const service = await services.start();
      await receiveDemo(service);
      const { page } = await openPage(site.browser, `${service.server.url}/#inbox`);
      await expect.poll(() => page.locator(".window li").count()).toBe(9);
      await page.getByRole("link", { name: "Logs" }).click();
      await page.getByLabel("API key").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect.poll(() => textOf(page, "[role=alert]")).toContain("not the key of");
      await page.getByLabel("API key").fill(service.simulator.apiKey);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect.poll(() => page.locator(".window li").count()).toBe(10);
      await page.getByRole("link", { name: "Domain" }).click();
      await page.getByLabel("Name of the domain").fill("not a name");
      await page.getByRole("button", { name: "Add domain" }).click();
      await expect.poll(() => textOf(page, "[role=alert]")).toContain("not a name");
      await page.close();
    });

    test("a rule is edited on the live domain, tried, saved through the API, and mail goes elsewhere", async () => {
      const service = await services.start();
      await onView(site, service, "rules", async (page) => {
        await page.locator("#mail-subject").fill("invoice 77");
        await expect.poll(() => textOf(page, "#decision .where")).toContain("ledger+77@");
        const invoices = page.locator(".rules > li").filter({ hasText: "invoice" });
        await invoices.getByRole("switch").uncheck();
        await expect.poll(() => textOf(page, "#decision .where")).toContain("ines.calder@");
        await page.getByRole("button", { name: "Review and save" }).click();
        await expect
          .poll(() => textOf(page, "#review"))
          .toMatch(/switched off[\s\S]*The service agrees: ines\.calder@homepost\.example/);
        await page.getByRole("button", { name: "Save 1 edit" }).click();
        await expect.poll(() => textOf(page, ".tools")).toContain("All edits are saved");
      });
      await receiveText(service, "Subject: invoice 77\n\nhello\n");
      const [message] = await service.simulator.control.messages();
      expect(message!.destination).toBe("ines.calder@homepost.example");
    });

    test("the inbox: live, unread, search, keys, headers, source, attachments, delete", async () => {
      const service = await services.start();
      await onView(site, service, "inbox", async (page) => {
        await expect.poll(() => textOf(page, "main")).toContain("Nothing has arrived yet");
        await receiveDemo(service);
        await expect.poll(() => page.locator(".window li").count()).toBe(9);
        await expect.poll(() => textOf(page, ".badge")).toContain("9");
        await page.keyboard.press("j");
        await page.keyboard.press("j");
        await expect.poll(() => textOf(page, "article h2")).toBe("Scan of your delivery note");
        await expect.poll(() => textOf(page, ".badge")).toContain("7");
        await page.frameLocator("iframe").locator("body").waitFor();
        await takeShot(page, "docs-inbox");
        await page.keyboard.press("3");
        await expect.poll(() => textOf(page, "#message-panel")).toContain("Copycorner");
        await page.keyboard.press("4");
        await expect.poll(() => textOf(page, "#message-panel")).toContain("Content-Type:");
        await page.keyboard.press("5");
        await expect.poll(() => textOf(page, "#message-panel")).toContain("image/tiff");
        const waiting = page.waitForEvent("download");
        await page.locator("#message-panel a").first().click();
        expect((await waiting).suggestedFilename()).not.toBe("");
        await page.keyboard.press("k");
        await expect.poll(() => textOf(page, "article h2")).toBe("Lunch on Friday?");
        await page.keyboard.press("Enter");
        await expect.poll(() => page.locator("article .scroll:focus").count()).toBe(1);
        await page.keyboard.press("j");
        await expect.poll(() => textOf(page, "article h2")).toBe("Scan of your delivery note");
        await page.keyboard.press("u");
        await expect.poll(() => textOf(page, ".badge")).toContain("8");
        await page.getByRole("button", { name: "Delete the message" }).click();
        await expect.poll(() => page.locator(".window li").count()).toBe(8);
        await page.keyboard.press("/");
        await page.keyboard.type("invoice 2231");
        await expect.poll(() => page.locator(".window li").count()).toBe(1);
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        expect(await page.locator("#keys").innerText()).toContain("next message");
      });
      expect(await service.simulator.control.messages()).toHaveLength(8);
    });

    test("a message of the inbox is opened in the rules, for whom it came", async () => {
      const service = await services.start();
      await receiveText(service, "Subject: invoice 9\nTo: x@other.example\n\nhi\n");
      await onView(site, service, "inbox", async (page) => {
        await page.locator(".window li").first().waitFor();
        await page.keyboard.press("j");
        await page.getByRole("button", { name: /Open in Rules/ }).click();
        await expect
          .poll(() => textOf(page, "#decision .where"))
          .toContain("ledger+9@books.example");
        expect(await page.locator("#mail-recipient").inputValue()).toBe(
          "accounts@paperlane.example",
        );
      });
    });

    test("the logs: search, filter, a retry with its time, and the trace of the decision", async () => {
      const service = await services.start();
      await service.simulator.control.faults.add({ match: "*@books.example", code: 451, times: 1 });
      await receiveDemo(service);
      await onView(site, service, "logs", async (page) => {
        await expect.poll(() => page.locator(".window li").count()).toBe(10);
        await page.getByRole("button", { name: "Put off" }).click();
        await expect.poll(() => page.locator(".window li").count()).toBe(1);
        await page.keyboard.press("j");
        await expect.poll(() => textOf(page, "article h2")).toBe("Your invoice 2231 is ready");
        await expect.poll(() => textOf(page, "article")).toContain("Try 2 in 5 minutes");
        expect(await textOf(page, "article .story")).toMatch(/Accepted[\s\S]*Put off[\s\S]*451/);
        await expect.poll(() => textOf(page, "article .t-matched")).toContain("invoice");
        await takeShot(page, "docs-logs");
        await page.getByRole("button", { name: "Advance the clock to then" }).click();
        await expect.poll(() => textOf(page, "article .story")).toMatch(/Delivered/);
        await expect
          .poll(() => textOf(page, "article"))
          .toContain("the message as it was received");
        expect(await textOf(page, "article .t-matched")).toContain("invoice");
        await page.getByRole("button", { name: "All", exact: true }).click();
        await page.getByLabel("Search the log").fill("copycorner");
        await expect.poll(() => page.locator(".window li").count()).toBe(1);
      });
    });

    test("the domain: records to set, copied; aliases added, changed, deleted; another domain", async () => {
      const service = await services.start();
      service.simulator.control.dns.set({
        type: "TXT",
        name: "_dmarc.paperlane.example",
        values: [],
      });
      const permissions = ["clipboard-read", "clipboard-write"];
      await onView(
        site,
        service,
        "domain",
        async (page) => {
          await page.getByRole("button", { name: "Check DNS" }).click();
          await expect
            .poll(() => textOf(page, ".card [role=status]"))
            .toBe("1 of 6 are to be set.");
          await page.getByRole("button", { name: /Copy the value of TXT _dmarc/ }).click();
          await page.getByRole("button", { name: /TXT _dmarc.*, copied/ }).waitFor();
          expect(await page.evaluate("navigator.clipboard.readText()")).toBe("v=DMARC1; p=none;");
          await page.getByLabel("New alias").fill("press");
          await page.getByLabel("Its destinations").fill("desk@news.example");
          await page.getByRole("button", { name: "Add alias" }).click();
          const input = page.getByLabel("Destinations of press");
          await input.fill("desk@daily.example");
          await input.press("Tab");
          // The page goes away while the change is on its way; it arrives, perhaps after the next page has asked.
          await page.reload();
          const saved = async (): Promise<string> => {
            await page.reload();
            return input.inputValue();
          };
          await expect.poll(saved).toBe("desk@daily.example");
          await page.getByRole("button", { name: "Delete the alias press" }).click();
          await expect.poll(() => input.count()).toBe(0);
          await page.getByLabel("Name of the domain").fill("second.example");
          await page.getByRole("button", { name: "Add domain" }).click();
          await expect.poll(() => textOf(page, "h1")).toBe("second.example");
        },
        { permissions },
      );
    });

    test("sending: a credential, and a template with its preview", async () => {
      const service = await services.start();
      await onView(site, service, "sending", async (page) => {
        await page.getByLabel("User, the name of an alias").fill("ines");
        await page.getByLabel("Password", { exact: true }).fill("correct horse");
        await page.getByRole("button", { name: "Add credential" }).click();
        await expect.poll(() => textOf(page, ".table")).toContain("ines");
        await page.getByRole("button", { name: "New password of ines" }).click();
        await expect.poll(() => textOf(page, "main")).toContain("The password of ines is");
        await page.getByRole("button", { name: "New template" }).click();
        await page.getByLabel("Name", { exact: true }).fill("welcome");
        await page.getByLabel("HTML (Mustache)").fill("<p>Dear {{name}}</p><script>1</script>");
        const frame = page.frameLocator("iframe");
        await expect.poll(() => frame.locator("p").innerText()).toBe("Dear Ann");
        await page.getByLabel(/Variables/).fill('{"name": "<b>Bea</b>"}');
        await expect.poll(() => frame.locator("p").innerText()).toBe("Dear <b>Bea</b>");
        await page.getByRole("button", { name: "Save template" }).click();
        await expect.poll(() => textOf(page, ".cases")).toContain("welcome");
        await page.getByRole("button", { name: "Delete the template welcome" }).click();
        await expect.poll(() => page.locator(".cases li").count()).toBe(0);
      });
    });

    test("control: clock, faults, a message handed in, sessions, requests, snapshot, restore, reset", async () => {
      const service = await services.start();
      await onView(site, service, "control", async (page) => {
        await page.getByRole("button", { name: "+1 h" }).click();
        await expect.poll(() => textOf(page, ".big-time")).toBe("01:00:00");
        await page.getByLabel("Destination, * for anything").fill("*@homepost.example");
        await page.getByLabel("Code it answers").fill("550");
        await page.getByRole("button", { name: "Add fault" }).first().click();
        await expect
          .poll(() => textOf(page, ".table"))
          .toMatch(/homepost[\s\S]*answers 550 at rcpt/);
        await page.getByRole("button", { name: "Hand in" }).click();
        await expect.poll(async () => (await service.simulator.control.messages()).length).toBe(1);
        const taken = page.waitForEvent("download");
        await page.getByRole("button", { name: "Snapshot" }).click();
        const path = await (await taken).path();
        await page.getByRole("button", { name: "Reset…" }).click();
        await page.getByRole("button", { name: "Reset", exact: true }).click();
        await expect.poll(async () => (await service.simulator.control.messages()).length).toBe(0);
        await page.getByLabel("Restore").setInputFiles(path);
        await expect.poll(async () => (await service.simulator.control.messages()).length).toBe(1);
        // What the page itself asks is not listed: what another program asks is.
        const list = page.getByRole("list", { name: "API requests" });
        expect(await list.innerText()).toBe("");
        await fetch(`${service.server.url}/v3/domains`);
        await page.getByRole("button", { name: "+1 min" }).click();
        await expect.poll(() => list.innerText()).toContain("GET /v3/domains 401");
        await page.getByRole("button", { name: "Remove the fault *@homepost.example" }).click();
        await expect
          .poll(async () => (await service.simulator.control.faults.list()).length)
          .toBe(0);
        expect(await page.getByRole("link", { name: /All three APIs/ }).getAttribute("href")).toBe(
          "/_sim/docs",
        );
      });
    });

    test("control: mail coming in is put off, the session is shown; the clock runs and stops", async () => {
      const service = await services.start();
      await onView(site, service, "control", async (page) => {
        const faults = page.getByRole("region", { name: "Faults of mail coming in" });
        await faults.getByLabel("Recipient, sender or client").fill("*@paperlane.example");
        await faults.getByRole("button", { name: "Add fault" }).click();
        await expect.poll(() => faults.innerText()).toMatch(/paperlane[\s\S]*defers at rcpt/);
        const answers = await converse(service.server.mxPort, [
          "EHLO client.test",
          "MAIL FROM:<ann@mail.example>",
          "RCPT TO:<orders@paperlane.example>",
          "QUIT",
        ]);
        expect(answers).toMatch(/^4\d\d /m);
        const sessions = page.getByRole("region", { name: "SMTP sessions", exact: true });
        await page.getByRole("button", { name: "+1 min" }).click();
        await sessions.getByRole("listitem").getByRole("button").first().click();
        await expect
          .poll(() => sessions.innerText())
          .toMatch(/→ RCPT TO:<orders@paperlane\.example>\s+\d\d:\d\d:\d\d ← 4\d\d/);
        const clock = page.getByRole("region", { name: "Clock", exact: true });
        await clock.getByRole("button", { name: "Let it run" }).click();
        await expect.poll(() => clock.innerText()).toContain("running");
        await clock.getByRole("button", { name: "Freeze" }).click();
        await expect.poll(() => clock.innerText()).toContain("stopped");
      });
    });

    test.each(LOOKS)(
      "axe finds nothing in any view: $name",
      async ({ name, colorScheme, viewport }) => {
        const service = await services.start();
        await receiveDemo(service);
        await onView(
          site,
          service,
          "rules",
          async (page) => {
            for (const view of Object.keys(DRAWN) as (keyof typeof DRAWN)[]) {
              await page.goto(`${service.server.url}/#${view}`);
              if (view === "domain") await page.getByRole("button", { name: "Check DNS" }).click();
              if (view === "sending")
                await page.getByRole("button", { name: "New template" }).click();
              await page.locator(`[data-view=${view}] ${DRAWN[view]}`).first().waitFor();
              expect(await axeFindings(page), view).toEqual([]);
              await takeShot(page, `${view}-${name}`);
              if (view !== "inbox" && view !== "logs") continue;
              await page.keyboard.press("j");
              await page.locator("article h2").waitFor();
              expect(await axeFindings(page), `${view}, one open`).toEqual([]);
              await takeShot(page, `${view}-open-${name}`);
            }
          },
          { colorScheme, viewport },
        );
      },
    );
  },
);
