/** The outside of a service on its page: what webhooks got, tags, a message let out, what is due, circuits, and DNS answers. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/simulator/index.ts";
import { axeFindings, LOOKS, takeShot } from "./looks.ts";
import { CHROMIUM, SKIP_REASON, siteForTests } from "./open.ts";
import { type Opened, onView, receiveDemo, receiveText, servicesForTests } from "./world.ts";

const site = siteForTests();
const services = servicesForTests(site);

/** Mail to these places is put off, by an answer or by none. */
async function troubled(service: Opened): Promise<void> {
  const { faults } = service.simulator.control;
  await faults.add({ match: "*@books.example", code: 451 });
  await faults.add({ match: "*@homepost.example", stage: "connect", code: 451 });
  await receiveText(service, "Subject: invoice 1\n\nhi\n");
  for (let at = 0; at < 6; at++) await receiveText(service, `Subject: letter ${at}\n\nhi\n`);
}

describe.skipIf(CHROMIUM === undefined)(
  `the outside in a browser (skipped without one: ${SKIP_REASON})`,
  () => {
    test("the inbox shows what webhooks got, and what has a tag", async () => {
      const service = await services.start();
      await receiveDemo(service);
      await onView(site, service, "inbox", async (page) => {
        const rows = page.locator(".window > li");
        await expect.poll(() => rows.count()).toBeGreaterThan(5);
        const all = await rows.count();
        await page.getByLabel("What received it").selectOption("Webhooks");
        await expect.poll(() => rows.count()).toBeLessThan(all);
        expect(await rows.count()).toBeGreaterThan(0);
        for (const text of await rows.allInnerTexts()) expect(text).toContain("hooks.");
        await page.getByLabel("What received it").selectOption("Mailboxes");
        await expect.poll(() => rows.first().innerText()).not.toContain("hooks.");
        await page.keyboard.press("j");
        await page.getByLabel("Add a tag").fill("for Ann");
        await page.keyboard.press("Enter");
        await expect.poll(() => rows.first().innerText()).toContain("for Ann");
        await page.getByLabel("What received it").selectOption("All kinds");
        await page.getByLabel("Tag", { exact: true }).selectOption("for Ann");
        await expect.poll(() => rows.count()).toBe(1);
        await page.getByRole("button", { name: "Remove the tag for Ann" }).click();
        await expect.poll(() => rows.count()).toBe(0);
        expect(await page.locator("#main").innerText()).toContain("No message fits");
      });
    });

    test("a message is released to a real server, whose answer is shown", async () => {
      const other = await createSimulator({
        world: {
          domains: [{ domain: "real.test", aliases: [{ alias: "*", forward: "in@box.test" }] }],
        },
      });
      services.keep({ simulator: other });
      const { mxPort } = await other.listen();
      const service = await services.start();
      await receiveText(service, "From: a@b.test\nSubject: let me out\n\nhi\n");
      await onView(site, service, "inbox", async (page) => {
        await page.locator(".window > li a").first().click();
        await page.getByRole("button", { name: "Release…" }).click();
        const dialog = page.getByRole("dialog", { name: "Release this message" });
        await dialog.getByLabel("To", { exact: true }).fill("one@real.test, two@elsewhere.test");
        await dialog.getByLabel(/Server/).fill("127.0.0.1");
        await dialog.getByLabel("Port").fill(String(mxPort));
        await dialog.getByRole("button", { name: "Release", exact: true }).click();
        await expect
          .poll(() => dialog.getByRole("status").innerText())
          .toMatch(/one@real\.test: 250[\s\S]*two@elsewhere\.test: 550/);
        expect((await other.control.messages({ subject: "let me out" })).length).toBe(1);
      });
    });

    test("control shows what is due next, and the clock advances to it", async () => {
      const service = await services.start();
      await troubled(service);
      await onView(site, service, "control", async (page) => {
        const card = page.getByRole("region", { name: "What is due next" });
        await expect
          .poll(() => card.innerText())
          .toMatch(/in 5 minutes[\s\S]*ledger\+1@books\.example/);
        expect(await card.innerText()).toContain("for accounts@paperlane.example, try 2");
        await service.simulator.control.faults.clear();
        await card.getByRole("button", { name: /Advance to it.*ledger/ }).click();
        await expect.poll(() => card.innerText()).not.toContain("ledger+1@books.example");
        expect((await service.simulator.control.messages({ subject: "invoice 1" })).length).toBe(1);
      });
    });

    test("control shows the circuit of a host that does not answer, and closes it", async () => {
      const service = await services.start();
      await troubled(service);
      await onView(site, service, "control", async (page) => {
        const card = page.getByRole("region", { name: "Circuits of hosts" });
        await expect.poll(() => card.innerText()).toMatch(/homepost\.example[\s\S]*open until/);
        expect(await card.innerText()).toContain("5 without an answer");
        await service.simulator.control.faults.clear();
        await card
          .getByRole("button", { name: /Close the circuit of/ })
          .first()
          .click();
        await expect.poll(() => card.innerText()).not.toContain("open until");
      });
    });

    test("DNS answers are set, seen by the domain's check, and taken back", async () => {
      const service = await services.start();
      await onView(site, service, "control", async (page) => {
        const card = page.getByRole("region", { name: "DNS answers" });
        await card.getByLabel("Name of the record").fill("_dmarc.paperlane.example");
        await card.getByRole("button", { name: "Set answer" }).click();
        await expect
          .poll(() => card.innerText())
          .toMatch(/TXT _dmarc\.paperlane\.example[\s\S]*no such record/);
        await page.goto(`${service.server.url}/#domain`);
        await page.getByRole("button", { name: "Check DNS" }).click();
        const state = page.locator(".card [role=status]").first();
        await expect.poll(() => state.innerText()).toBe("1 of 6 are to be set.");
        await page.goto(`${service.server.url}/#control`);
        await card.getByLabel(/Values, one a line/).fill("v=one\nv=two");
        await card.getByLabel("Name of the record").fill("x.paperlane.example");
        await card.getByRole("button", { name: "Set answer" }).click();
        await expect.poll(() => card.innerText()).toMatch(/v=one\s+v=two/);
        await card
          .getByRole("button", { name: "Back to the expected TXT of _dmarc.paperlane.example" })
          .click();
        await expect.poll(async () => service.simulator.control.dns.list().length).toBe(1);
      });
    });

    test.each(LOOKS)("axe finds nothing: $name", async ({ name, colorScheme, viewport }) => {
      const service = await services.start();
      await troubled(service);
      service.simulator.control.dns.set({ type: "TXT", name: "a.paperlane.example", values: [] });
      await service.simulator.control.faults.clear();
      await receiveText(service, "From: a@b.test\nSubject: invoice 7\n\nhi\n");
      const act = async (page: Page): Promise<void> => {
        await page
          .getByRole("region", { name: "What is due next" })
          .getByRole("listitem")
          .first()
          .waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await takeShot(page, `outside-${name}`);
        await page.goto(`${service.server.url}/#inbox`);
        await page.locator(".window > li a").first().click();
        await page.getByLabel("Add a tag").fill("for Ann");
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Remove the tag for Ann" }).waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await page.getByRole("button", { name: "Release…" }).click();
        expect(await axeFindings(page)).toEqual([]);
        await takeShot(page, `release-${name}`);
      };
      await onView(site, service, "control", act, { colorScheme, viewport });
    });
  },
);
