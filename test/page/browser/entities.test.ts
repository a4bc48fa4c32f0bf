/** The page decodes character references by the browser's table: it means what the library means, name by name. */
import { fileURLToPath } from "node:url";
import { encodeHTML } from "entities";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { browserEntities } from "../../../scripts/page-plugins.ts";
import { decodeReferences } from "../../../src/message/html/references.ts";
import { CHROMIUM, launch, SKIP_REASON } from "./open.ts";

const ENTRY = fileURLToPath(new URL("../../../src/message/html/references.ts", import.meta.url));

/** A name for each character that has one, with and without its end, and with letters behind it. */
function references(): readonly string[] {
  const names = new Set<string>();
  for (let point = 0xa0; point < 0x1_d7ff; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const name = /^&([A-Za-z]\w*);$/.exec(encodeHTML(String.fromCodePoint(point)))?.[1];
    if (name !== undefined) names.add(name);
  }
  for (const name of [
    "amp",
    "AMP",
    "lt",
    "gt",
    "quot",
    "not",
    "notin",
    "copy",
    "COPY",
    "fjlig",
    "NotEqualTilde",
  ])
    names.add(name);
  const named = [...names].flatMap((name) => [
    `&${name};`,
    `&${name}`,
    `&${name}x;`,
    `&${name}=1`,
    `a&${name.slice(0, -1)};b`,
  ]);
  const odd = [
    "&",
    "&;",
    "&#;",
    "&#x;",
    "&#0;",
    "&#128;",
    "&#x80",
    "&#xD800;",
    "&#1114112;",
    "&#99999999999;",
    "&#65x",
    "&#X41;",
    "&nothing;",
    "&notit;",
    "&ampamp;",
    "&lt&gt",
    `&${"a".repeat(100)};`,
  ];
  return [...named, ...odd];
}

describe.skipIf(CHROMIUM === undefined)(
  `entities (skipped without a browser: ${SKIP_REASON})`,
  () => {
    test("every reference means the same", async () => {
      const { outputFiles } = await build({
        entryPoints: [ENTRY],
        bundle: true,
        write: false,
        format: "iife",
        globalName: "references",
        platform: "browser",
        plugins: [browserEntities],
      });
      const browser = await launch();
      try {
        const page = await browser.newPage();
        await page.addScriptTag({ content: outputFiles[0]!.text });
        const all = references();
        expect(all.length).toBeGreaterThan(5_000);
        const decoded = (await page.evaluate(
          `(${JSON.stringify(all)}).map((text) => references.decodeReferences(text))`,
        )) as string[];
        const wrong = all.filter((text, index) => decodeReferences(text) !== decoded[index]);
        expect(wrong).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  },
);
