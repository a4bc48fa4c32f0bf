/** The built page in a real browser. Where there is none, the suite says so and is skipped. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const CHROMIUM: string | undefined = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => existsSync(path),
);
export const SKIP_REASON = "no Chromium at /usr/bin/chromium";
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
};

/** Builds the page as it is published, into a folder of this process. */
export async function buildPage(): Promise<string> {
  const folder = join(ROOT, `node_modules/.cache/mailflow-page-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const command = join(ROOT, "node_modules/tsup/dist/cli-default.js");
  const options = ["--silent", "--config", "tsup.page.config.ts", "--out-dir", folder];
  await promisify(execFile)(process.execPath, [command, ...options], { cwd: ROOT });
  return folder;
}

/** Serves the files of a folder, as a static web server does. */
async function serveFolder(folder: string): Promise<{ server: Server; url: string }> {
  const server = createServer(({ url = "/" }, response) => {
    const name = url === "/" ? "index.html" : url.slice(1);
    if (!/^(?:index\.html|page\.(?:js|css))$/.test(name)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", TYPES[name.split(".").at(-1)!]!);
    response.end(readFileSync(join(folder, name)));
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

export function launch(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  return chromium.launch({ executablePath: CHROMIUM!, args });
}

/** The built page, served as a playground, and a browser. */
export interface Site {
  readonly folder: string;
  readonly url: string;
  readonly browser: Browser;
}

/** What the tests of a file share: it is there when they run, and removed after them. Without a browser the page is only built. */
export function siteForTests(): Site {
  const site: { -readonly [key in keyof Site]?: Site[key] } = {};
  let server: Server | undefined;
  beforeAll(async () => {
    site.folder = await buildPage();
    if (CHROMIUM === undefined) return;
    ({ server, url: site.url } = await serveFolder(site.folder));
    site.browser = await launch();
  });
  afterAll(async () => {
    await site.browser?.close();
    server?.close();
    if (site.folder !== undefined) rmSync(site.folder, { recursive: true, force: true });
  });
  return site as Site;
}

/** Opens the page, ready to use; every error of it and every request to elsewhere is collected. */
export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser["newPage"]>[0] = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(?:data|blob):/.test(request.url())) {
      faults.push(`request to ${request.url()}`);
    }
  });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return { page, faults };
}

/** Rules that each look for a number of their own, every other one by an expression. */
export function numberedRules(
  count: number,
  scopes: readonly string[],
  expressionOf: (words: string) => string,
): readonly object[] {
  return Array.from({ length: count }, (_, index) => {
    const words = `number ${index}`;
    const isRegex = index % 2 === 0;
    const condition = isRegex
      ? { regex: `${words}\\b`, scopes }
      : { expression: expressionOf(words) };
    return {
      id: `rule-${index}`,
      type: isRegex ? "regex" : "cel",
      rank: index + 1,
      active: true,
      config: { ...condition, forward: "a@b.example" },
    };
  });
}

/** Acts on the page; nothing may go wrong on it meanwhile, or be asked of anybody else. */
export async function onPage(
  browser: Browser,
  url: string,
  act: (page: Page) => Promise<void>,
  options: Parameters<Browser["newPage"]>[0] = {},
): Promise<void> {
  const { page, faults } = await openPage(browser, url, options);
  try {
    await act(page);
    expect(faults).toEqual([]);
  } finally {
    await page.close();
  }
}

/** Waits for the next frame and for what is drawn after it: cards and trace follow a decision by a frame. */
export async function nextFrames(page: Page): Promise<void> {
  for (let frame = 0; frame < 2; frame++) {
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))");
  }
}

/** Waits until the comparison of the open mail and the proofs of the rules are there. */
export async function backgroundDone(page: Page): Promise<void> {
  await expect.poll(() => page.locator("#effects .big").innerText()).toContain("decisions");
  await page.getByRole("tab", { name: /Findings/ }).click();
  await expect
    .poll(() => page.locator("#effects-panel").innerText())
    .toMatch(/No warnings|\d warnings?/);
  await page.getByRole("tab", { name: "What would change" }).click();
}

export const decisionOf = (page: Page): Promise<string> =>
  page.locator("#decision .where").innerText();
