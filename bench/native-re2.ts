/** Native RE2 for Node: npm `re2`, built from its source for benches alone; the package never builds at install. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Absent } from "./bench.ts";
import { buildOnce, run, whyNotBuilt } from "./build-once.ts";
import { CACHE } from "./paths.ts";

/** The newest that runs on Node 20. */
const VERSION = "1.24.0";
const FOLDER = join(CACHE, "re2");
const PACKAGE = join(FOLDER, "node_modules", "re2");

export interface Re2Set {
  /** Indexes of the patterns that match, in no order. */
  match(text: string): number[];
}

export interface NativeRe2 {
  readonly Set: new (patterns: readonly string[], flags: string) => Re2Set;
}

/** Builds it unless it is built, which takes minutes. */
export function buildNativeRe2(): void {
  buildOnce("re2", VERSION, () => {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, "package.json"), '{ "private": true }\n');
    const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", `re2@${VERSION}`];
    run("npm", install, FOLDER);
    run(join(FOLDER, "node_modules", ".bin", "node-gyp"), ["-j", "max", "rebuild"], PACKAGE);
  });
}

export function loadNativeRe2(): NativeRe2 | Absent {
  const problem = whyNotBuilt("re2", VERSION);
  return problem ?? (createRequire(import.meta.url)(PACKAGE) as NativeRe2);
}
