/** Every view is looked at in four ways: dark and light, wide and narrow; axe reads each, and a picture is taken where one is wanted. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

export const LOOKS = [
  { name: "light-wide", colorScheme: "light", viewport: { width: 1440, height: 900 } },
  { name: "dark-wide", colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  { name: "light-narrow", colorScheme: "light", viewport: { width: 390, height: 844 } },
  { name: "dark-narrow", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

/** Folder for pictures of the views; none are taken without it. Those named `docs-…` are the ones kept in docs/page, as `cwebp -q 80` packs them. */
const SHOTS = process.env.PAGE_SHOTS;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong, each with its element, and whether anything is cut off at the side. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await run.run();
    const root = (
      globalThis as unknown as {
        document: { documentElement: { scrollWidth: number; clientWidth: number } };
      }
    ).document.documentElement;
    const wide = root.scrollWidth > root.clientWidth ? ["the page is wider than its window"] : [];
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    return [...wide, ...found];
  });
}

export async function takeShot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
