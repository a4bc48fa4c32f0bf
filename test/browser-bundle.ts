/** Bundles a part of the sources as one script for a browser, under the global name `mailflow`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect } from "vitest";

const SOURCES = fileURLToPath(new URL("../src", import.meta.url));
/** The kept size may be missed by this much before it must be looked at and kept anew. */
const TOLERANCE = 0.02;

export interface BrowserBundle {
  readonly text: string;
  readonly gzipBytes: number;
  /** Paths that the script would load where it runs. */
  readonly external: readonly string[];
  /** Names of the packages in it. */
  readonly packages: readonly string[];
}

/** `contents`: TypeScript in `src`. Rejects if it cannot be bundled. */
export async function browserBundle(contents: string): Promise<BrowserBundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "mailflow",
    target: "es2022",
    // In a script of this format it is empty; modules have it.
    define: { "import.meta.url": "undefined" },
    logLevel: "silent",
  });
  const [script] = outputFiles;
  const inputs = Object.entries(metafile.inputs);
  const packages = inputs.flatMap(
    ([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const imports = inputs.flatMap(([, input]) => input.imports);
  return {
    text: script!.text,
    gzipBytes: gzipSync(script!.contents, { level: 9 }).length,
    external: imports.filter(({ external }) => external).map(({ path }) => path),
    packages: [...new Set(packages)].sort(),
  };
}

/** Compares a gzipped size with the one in `file`; KEEP_BUNDLE_SIZE=1 keeps the new one instead. */
export function expectKeptSize(file: URL, gzipBytes: number): void {
  if (process.env.KEEP_BUNDLE_SIZE === "1") {
    writeFileSync(file, `${JSON.stringify({ gzipBytes }, null, 2)}\n`);
  }
  const kept: { gzipBytes: number } = JSON.parse(readFileSync(file, "utf8"));
  expect(Math.abs(gzipBytes / kept.gzipBytes - 1)).toBeLessThan(TOLERANCE);
}
