/** All of N body patterns that occur in a text. */

import { RE2Set } from "re2js";
import type { Pattern } from "../src/regex/pattern-engine.ts";
import { createRe2WasmEngine } from "../src/regex/re2-wasm-engine.ts";
import {
  type Absent,
  absent,
  type Bench,
  type Chart,
  type Contestant,
  type OwnWork,
  type Scale,
  type Work,
} from "./bench.ts";
import { compileSource, matchAll } from "./match-all.ts";
import { bodyPatterns, bodyTexts } from "./material/patterns.ts";
import { buildRig, type Rig, rigWork } from "./rig.ts";

const HYPERSCAN: Rig = {
  name: "hyperscan",
  pkgConfigName: "libhs",
  debianPackage: "libhyperscan-dev",
};
const RE2_SET: Rig = { name: "re2-set", pkgConfigName: "re2", debianPackage: "libre2-dev" };

interface Setting {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

const TEXTS: Readonly<Record<string, number>> = { "4 KB": 32, "100 KB": 4 };
const COUNTS = [10, 100, 1_000, 10_000];
/** Patterns times KB that an engine without a set is asked for; more would take it seconds a text. */
const LOOP_WORK_MAX = 10_000;
/** Each call copies the text into its heap. */
const WASM_WORK_MAX = 1_000;

function sizesOf(caseName: string): { share: number; size: string; kb: number; count: number } {
  const [share, size, count] = caseName.split(", ") as [string, string, string];
  return {
    share: Number.parseInt(share, 10) / 100,
    size,
    kb: Number.parseInt(size, 10),
    count: Number.parseInt(count, 10),
  };
}

/** `95 % literal, 4 KB, 1000 patterns` → patterns and texts. */
async function setting(caseName: string, scale: Scale): Promise<Setting> {
  const { share, size, kb, count } = sizesOf(caseName);
  const texts = await bodyTexts(scale === "tiny" ? 2 : TEXTS[size]!, kb * 1_000);
  return { patterns: await bodyPatterns(count, share), texts };
}

function matchWork(
  { texts }: Setting,
  match: (text: string) => readonly number[],
): OwnWork<(readonly number[])[]> {
  return {
    operations: texts.length,
    run: () => texts.map(match),
    tell: (matched) => matched.map((indexes) => indexes.join(",")),
  };
}

function loopWork(set: Setting, compile: (source: string) => Pattern): Work {
  const patterns = set.patterns.map(compile);
  return matchWork(set, (text) =>
    patterns.flatMap((pattern, index) => (pattern.test(text) ? index : [])),
  );
}

/** Patterns of one set of re2js: more of them run a hundred times as long. */
const RE2_SET_PATTERNS = 64;

function re2Sets(patterns: readonly string[]): (text: string) => number[] {
  const sets: RE2Set[] = [];
  for (const [index, source] of patterns.entries()) {
    if (index % RE2_SET_PATTERNS === 0) sets.push(new RE2Set());
    sets.at(-1)!.add(source);
  }
  return (text) =>
    sets.flatMap((set, nth) => set.match(text).map((index) => nth * RE2_SET_PATTERNS + index));
}

/** An engine that is asked only for what it can do in the time of a bench. */
function slow(name: string, workMax: number, work: (set: Setting) => Work): Contestant {
  return {
    name,
    async prepare(caseName, scale): Promise<Work | Absent> {
      const { kb, count } = sizesOf(caseName);
      if (kb * count > workMax) return absent("it would take seconds a text");
      return work(await setting(caseName, scale));
    },
  };
}

function rigged(name: string, rig: Rig, mode: string): Contestant {
  return {
    name,
    async prepare(caseName, scale) {
      const { patterns, texts } = await setting(caseName, scale);
      const lists = [patterns, texts].map((list) => list.map((text) => Buffer.from(text)));
      return rigWork(rig, mode, lists);
    },
  };
}

const CHARTS: readonly Chart[] = [60, 95].flatMap((share) =>
  Object.keys(TEXTS).map((size): Chart => {
    const points = COUNTS.map((x) => ({
      x,
      caseName: `${share} % literal, ${size}, ${x} patterns`,
    }));
    const title = `All body patterns that occur in ${size}, ${share} % of them with a literal`;
    const file = `patterns-${share}-${size.replace(" ", "").toLowerCase()}`;
    return { file, title, axis: "patterns", points };
  }),
);

function compileWasm(): (source: string) => Pattern {
  const engine = createRe2WasmEngine();
  return (source) => {
    const result = engine.compile(source);
    if (!result.ok) throw new Error(`${source}: ${result.problem.message}`);
    return result.pattern;
  };
}

export const patternsBench: Bench = {
  name: "patterns",
  title: "all of N body patterns that occur in a text, 60 % or 95 % of them with a literal",
  operation: "text",
  cases: (scale) =>
    scale === "tiny"
      ? ["60 % literal, 4 KB, 20 patterns"]
      : CHARTS.flatMap(({ points }) => points.map(({ caseName }) => caseName)),
  contestants: [
    {
      name: "mailflow",
      prepare: async (caseName, scale) => {
        const set = await setting(caseName, scale);
        return matchWork(set, matchAll(set.patterns));
      },
    },
    rigged("Hyperscan (C)", HYPERSCAN, "block"),
    rigged("RE2::Set (C++), 256 MB", RE2_SET, "256"),
    slow("RE2Set of re2js, by 64", LOOP_WORK_MAX, (set) => matchWork(set, re2Sets(set.patterns))),
    slow("loop of re2js", LOOP_WORK_MAX, (set) => loopWork(set, compileSource)),
    slow("loop of re2-wasm", WASM_WORK_MAX, (set) => loopWork(set, compileWasm())),
  ],
  charts: CHARTS,
  build: () => {
    buildRig(HYPERSCAN);
    buildRig(RE2_SET);
  },
};
