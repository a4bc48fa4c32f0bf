/** HTML mail that wants to run, to load and to get out of its frame: it does none of that, with or without what the page takes out. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, openPage, SKIP_REASON, siteForTests } from "./open.ts";
import { type Opened, openService, receiveText } from "./world.ts";

let service: Opened;
/** Listens for what the mail wants from elsewhere. */
let elsewhere: Server;
let at: string;
const hits: string[] = [];

/** Each line is an attack of its own. */
function hostileHtml(): string {
  return `<html><head><base href="${at}/base/"><meta http-equiv="refresh" content="0;url=${at}/refresh">
<link rel="stylesheet" href="${at}/link.css"><link rel="preconnect" href="${at}"><link rel="prefetch" href="${at}/prefetch">
<style>@import url("${at}/import.css"); @font-face{font-family:x;src:url(${at}/font)} body{background:url(${at}/css.png);font-family:x}</style>
<script>top.document.title="owned";parent.fetch("${at}/script")</script><script src="${at}/script.js"></script></head>
<body onload="parent.document.title='owned'" background="${at}/background.png"><p id="words">Dear friend</p>
<img src="${at}/pixel.gif" width="1" height="1"><img src=x onerror="parent.document.title='owned';fetch('${at}/onerror')">
<img srcset="${at}/srcset.png 1x"><picture><source srcset="${at}/source.png"><img src="${at}/picture.png" alt="A press"></picture>
<svg onload="fetch('${at}/svg')"><image href="${at}/svg.png"/><use href="${at}/use.svg#x"/><script>top.document.title='owned'</script></svg>
<iframe src="${at}/iframe"></iframe><iframe srcdoc="<script>top.document.title='owned'</script>"></iframe><object data="${at}/object"></object><embed src="${at}/embed">
<video src="${at}/video" poster="${at}/poster.png" autoplay></video><audio src="${at}/audio" autoplay></audio>
<form action="${at}/form"><input name="a" autofocus onfocus="parent.document.title='owned'"><button id="send">Send</button></form>
<a id="away" href="${at}/link">Here</a> <a id="top" href="${at}/top" target="_top">There</a> <a id="script" href="javascript:top.document.title='owned'">Run</a>
<a id="ping" href="#" ping="${at}/ping">Ping</a> <div style="background:url('${at}/style.png');position:fixed;inset:0;z-index:99"></div>
<math><mtext><style><img src=x onerror="fetch('${at}/math')"></style></mtext></math>
<template><script>top.document.title='owned'</script></template></body></html>`;
}

const site = siteForTests();
beforeAll(async () => {
  if (CHROMIUM === undefined) return;
  elsewhere = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.end("x");
  });
  await new Promise<void>((done) => void elsewhere.listen(0, "127.0.0.1", done));
  at = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  service = await openService(site.folder);
  const head = "Subject: Hello\nContent-Type: text/html; charset=utf-8\n\n";
  await receiveText(service, head + hostileHtml());
});
afterAll(async () => {
  await service?.simulator.close();
  elsewhere?.close();
});

describe.skipIf(CHROMIUM === undefined)(
  `hostile mail (skipped without a browser: ${SKIP_REASON})`,
  () => {
    async function opened(): Promise<Page> {
      const { page } = await openPage(site.browser, service.server.pageUrl!);
      await page.goto(`${service.server.url}/#inbox`);
      // A key that comes before the list opens nothing.
      await page.locator(".window li").first().waitFor();
      await page.keyboard.press("j");
      await page.frameLocator("iframe").locator("#words").waitFor();
      return page;
    }

    /** Clicks whatever there is to click, without waiting for it to be seen: something may lie over it. */
    async function clickAll(page: Page): Promise<void> {
      const frame = page.frameLocator("iframe");
      for (const id of ["away", "top", "script", "ping", "send"]) {
        const each = frame.locator(`#${id}`);
        if ((await each.count()) > 0) await each.dispatchEvent("click");
      }
      await page.waitForTimeout(400);
    }

    async function expectHeld(page: Page): Promise<void> {
      expect(hits).toEqual([]);
      expect(await page.title()).toBe("mailflow");
      expect(page.url()).toContain(service.server.url);
      expect(page.context().pages()).toHaveLength(1);
      // The frame is where it was.
      expect(await page.frameLocator("iframe").locator("#words").innerText()).toBe("Dear friend");
      const box = await page.locator("iframe").boundingBox();
      expect(box!.y).toBeGreaterThan(200);
    }

    test("nothing runs, nothing loads, no click leads away; what was not loaded is counted", async () => {
      const page = await opened();
      expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
      expect(await page.locator("#message-panel .notice").innerText()).toMatch(
        /4 remote pictures were not loaded \(1 of them too small to see\)/,
      );
      await clickAll(page);
      await expectHeld(page);
      const kept = (await page.locator("iframe").getAttribute("srcdoc"))!;
      expect(kept).not.toMatch(/<script|onload|<iframe|<object|<base|refresh|javascript:/i);
      await page.context().close();
    });

    test("the frame and its policy hold alone, where nothing has been taken out", async () => {
      const page = await opened();
      const policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/.exec(
        (await page.locator("iframe").getAttribute("srcdoc"))!,
      )![0];
      expect(policy).toContain("default-src 'none'");
      // Without the refresh, which a frame may follow for itself, and which the service's own policy then refuses.
      const raw = policy + hostileHtml();
      await page.locator("iframe").evaluate((frame, html) => {
        (frame as unknown as { srcdoc: string }).srcdoc = html;
      }, raw);
      await page.waitForTimeout(800);
      expect(hits).toEqual([]);
      expect(await page.title()).toBe("mailflow");
      expect(page.url()).toContain(service.server.url);
      await page.context().close();
    });
  },
);
