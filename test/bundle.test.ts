/** The engine's entry runs anywhere: it loads nothing of Node, bundles for a browser, and stays small. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { type BuildResult, build, type Metafile } from "esbuild";
import { beforeAll, expect, test } from "vitest";

const ENTRY = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const SIZE_FILE = fileURLToPath(new URL("bundle-size.json", import.meta.url));
/** The kept size may be missed by this much before it must be looked at and kept anew. */
const TOLERANCE = 0.02;

let bundle: BuildResult<{ write: false; metafile: true }> & { metafile: Metafile };

beforeAll(async () => {
  bundle = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "mailflow",
    target: "es2022",
    logLevel: "silent",
  });
});

test("it bundles for a browser, without node: modules and without mailparser", () => {
  expect(bundle.errors).toEqual([]);
  const inputs = Object.entries(bundle.metafile.inputs);
  expect(inputs.length).toBeGreaterThan(20);
  const imports = inputs.flatMap(([, { imports: found }]) => found.map(({ path }) => path));
  expect(imports.filter((path) => path.startsWith("node:"))).toEqual([]);
  const packages = inputs.flatMap(
    ([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  expect([...new Set(packages)].sort()).toEqual(["@marcbachmann/cel-js"]);
});

test("the bundle resolves a message where there is no Node at all", () => {
  const world = { URL, TextEncoder, TextDecoder };
  const script = `${bundle.outputFiles[0]!.text};
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
  const gzipBytes = gzipSync(bundle.outputFiles[0]!.contents, { level: 9 }).length;
  if (process.env.KEEP_BUNDLE_SIZE === "1") {
    writeFileSync(SIZE_FILE, `${JSON.stringify({ gzipBytes }, null, 2)}\n`);
  }
  const kept: { gzipBytes: number } = JSON.parse(readFileSync(SIZE_FILE, "utf8"));
  expect(Math.abs(gzipBytes / kept.gzipBytes - 1)).toBeLessThan(TOLERANCE);
});
