/** What Chromium displays of HTML: the oracle of what rules see of it. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const CHROMIUM = "/usr/bin/chromium";

/** Why there is no oracle here; `""` if there is one. */
export const missing: string = existsSync(CHROMIUM)
  ? ""
  : `no ${CHROMIUM}: apt-get install chromium`;

export interface Oracle {
  /** `innerText` of each document's body; nothing of it is loaded, and no script runs. */
  shown(documents: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** Documents that are in the page at once. */
const AT_ONCE = 100;
/** Milliseconds after which what cannot be loaded has failed, so that what stands in for it is displayed. */
const SETTLED_MS = 30;

/** Runs in the page. A sandbox without scripts reads `noscript` as mail clients do. */
const SHOW = `async (documents, settledMs) => {
  const frames = documents.map((html) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-same-origin");
    document.body.append(frame);
    const inner = frame.contentDocument;
    inner.open();
    inner.write(html);
    inner.close();
    return frame;
  });
  await new Promise((done) => setTimeout(done, settledMs));
  return frames.map((frame) => {
    const { body, documentElement } = frame.contentDocument;
    const view = frame.contentWindow;
    // What is not rendered answers with all its text.
    const isHidden = [body, documentElement].some(
      (each) => each === null || view.getComputedStyle(each).display === "none",
    );
    const text = isHidden ? "" : body.innerText;
    frame.remove();
    return text;
  });
}`;

export async function openOracle(): Promise<Oracle> {
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  const page = await browser.newPage();
  await page.route("**/*", (route) => route.abort());
  await page.setContent("<!DOCTYPE html><body></body>");
  return {
    async shown(documents) {
      const texts: string[] = [];
      for (let at = 0; at < documents.length; at += AT_ONCE) {
        const part = documents.slice(at, at + AT_ONCE);
        const call = `(${SHOW})(${JSON.stringify(part)}, ${SETTLED_MS})`;
        texts.push(...(await page.evaluate<string[]>(call)));
      }
      return texts;
    },
    close: () => browser.close(),
  };
}

/** The words of a text. MathML shows its letters as others of the same meaning. */
export function wordsOf(text: string): string {
  return text.normalize("NFKC").split(/\s+/).filter(Boolean).join(" ");
}
