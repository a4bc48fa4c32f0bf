/** The engine's entry runs anywhere: it loads nothing of Node, bundles for a browser, and stays small. */
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { browserBundle, expectKeptSize } from "./browser-bundle.ts";

const bundle = await browserBundle('export * from "./index.ts";');

test("it bundles for a browser, without node: modules and without mailparser", () => {
  expect(bundle.external).toEqual([]);
  expect(bundle.packages).toEqual(["@marcbachmann/cel-js"]);
});

test("the bundle resolves a message where there is no Node at all", () => {
  const world = { URL, TextEncoder, TextDecoder };
  const script = `${bundle.text};
    const { domain } = mailflow.compileDomain({
      domain: "own.test", routing_engine: "rules", rules_fallback_email: null,
      rules: [
        { type: "regex", config: { regex: "no (\\\\d+)", scopes: ["subject"], forward: "n$1@x.test" } },
        { type: "cel", config: { expression: "size(body) > 3", forward: "m@x.test" } },
      ],
    });
    const facts = { recipient: "a@own.test", sender: "s@x.test", subject: "no 42", body: "long" };
    JSON.stringify([facts, { ...facts, subject: "" }].map((each) => mailflow.resolve(domain, each).destinations))`;
  expect(JSON.parse(runInNewContext(script, world))).toEqual([
    [{ kind: "mailbox", address: "n42@x.test" }],
    [{ kind: "mailbox", address: "m@x.test" }],
  ]);
});

test("its gzipped size is the one that is kept (KEEP_BUNDLE_SIZE=1 keeps a new one)", () => {
  expectKeptSize(new URL("bundle-size.json", import.meta.url), bundle.gzipBytes);
});
