/**
 * The words that rules see of HTML are those that Chromium displays: of every HTML text of the dataset, and of
 * fragments that a hostile sender might write. What differs is listed, with the reason.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlToText } from "../../../src/message/html/displayed-text.ts";
import { wholeMessageOf } from "../../../src/message/whole-message.ts";
import { DATASET, DATASET_MESSAGES, datasetFiles } from "../../dataset/dataset.ts";
import { anyHtml } from "./any-html.ts";
import { missing, type Oracle, openOracle, wordsOf } from "./chromium.ts";
import { NASTY_HTML } from "./nasty-html.ts";

const FRAGMENTS = { seed: 20_261_122, numRuns: 5_000 };
const ALIKE_MIN = 0.999;

/** Messages of the dataset of which rules see other words, and why. */
const DATASET_DIFFERENCES: Readonly<Record<string, string>> = {
  "spam-2/00834": "a frameset: mail is shown within a page, where it is none",
};

/** What fragments hold of which rules see other words, and why. */
const FRAGMENT_DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [/<option/, "an option's text is read whatever its style says"],
  [
    /<br[^>]*display:contents/,
    "a line break without a box joins what is around it, blanks and all",
  ],
  [/<math/, "MathML that a style lays out as something else, and U+0000 in it"],
];

/** Fragments by hand of which rules see other words, and why. */
const NASTY_DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [/^<frameset>/, "a frameset is none: mail is shown within a page"],
  [/var\(/, "custom properties are not followed: the text is read"],
  [
    /content-visibility:(?:hidden|auto)|until-found/,
    "a block of which the content is skipped ends a line on the screen, but not in innerText",
  ],
  [/table-column/, "a column that stands alone breaks the line in innerText"],
];

/** What differs by decision, each with what rules see and what Chromium displays. */
const DECISIONS: readonly (readonly [string, string, string, string])[] = [
  [
    "a frameset is none: mail is shown within a page",
    "<frameset><frame></frameset>text",
    "text",
    "",
  ],
  ["what a click opens may be seen", "<details><summary>a</summary>b</details>", "a b", "a"],
  ["an option is shown whatever box it has", "<option style='display:contents'>text", "text", ""],
  [
    "a hidden text holds nothing of its kind, with any style",
    "<noembed style='display:contents'>text</noembed>",
    "",
    "text",
  ],
  [
    "without a doctype too, a table ends a hidden paragraph",
    "<p hidden>x<table><tr><td>text</table>",
    "text",
    "",
  ],
];

if (missing !== "") console.warn(`the oracle of HTML is skipped: ${missing}`);

describe.skipIf(missing !== "")(`Chromium${missing && ` (skipped: ${missing})`}`, () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  afterAll(() => oracle?.close());

  test("the HTML of the dataset shows the same words", { timeout: 300_000 }, async () => {
    const files = datasetFiles();
    expect(files).toHaveLength(DATASET_MESSAGES);
    const texts = files
      .map((file) => ({ file, html: wholeMessageOf(readFileSync(join(DATASET, file))).html }))
      .filter(({ html }) => html !== "");
    expect(texts.length).toBeGreaterThan(1_000);
    const shown = await oracle.shown(texts.map(({ html }) => html));
    // Chromium writes capitals where a style asks for them.
    const words = (text: string): string => wordsOf(text).toLowerCase().replaceAll("\ufeff", "");
    const different = texts
      .filter(({ html }, index) => words(htmlToText(html)) !== words(shown[index]!))
      .map(({ file }) => file.slice(0, file.indexOf(".", file.indexOf("/"))));
    expect(different).toEqual(Object.keys(DATASET_DIFFERENCES));
  });

  test("5,000 fragments show the same words", { timeout: 300_000 }, async () => {
    const fragments = fc.sample(anyHtml, FRAGMENTS);
    const shown = await oracle.shown(fragments.map((html) => `<!DOCTYPE html>${html}`));
    const different = fragments.filter(
      (html, index) => wordsOf(htmlToText(html)) !== wordsOf(shown[index]!),
    );
    const alike = 1 - different.length / fragments.length;
    console.log(`${fragments.length - different.length} of ${fragments.length} fragments alike`);
    expect(alike, different.join("\n\n")).toBeGreaterThanOrEqual(ALIKE_MIN);
    const isListed = (html: string): boolean =>
      FRAGMENT_DIFFERENCES.some(([held]) => held.test(html));
    expect(different.filter((html) => !isListed(html))).toEqual([]);
    // Without words on most, this would show nothing.
    expect(shown.filter((text) => /\w/.test(text)).length).toBeGreaterThan(3_000);
  });

  test("fragments by hand show the same words", { timeout: 60_000 }, async () => {
    const shown = await oracle.shown(NASTY_HTML.map((html) => `<!DOCTYPE html>${html}`));
    const different = NASTY_HTML.filter(
      (html, index) => wordsOf(htmlToText(html)) !== wordsOf(shown[index]!),
    );
    expect(NASTY_HTML.length).toBeGreaterThan(300);
    const isListed = (html: string): boolean => NASTY_DIFFERENCES.some(([held]) => held.test(html));
    expect(different.filter((html) => !isListed(html))).toEqual([]);
  });

  test.each(DECISIONS)("%s", async (_why, html, ours, theirs) => {
    const [shown] = await oracle.shown([html]);
    expect([wordsOf(htmlToText(html)), wordsOf(shown!)]).toEqual([ours, theirs]);
  });
});
