/**
 * Entry point `mailflow/re2-wasm`: RE2 itself as the pattern engine, compiled to WebAssembly, kept within its fixed heap.
 * @module re2-wasm
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { compileFunction } from "node:vm";
import { LIMITS } from "../../../base/limits.ts";
import { CODE_POINT_MAX, type CodeRange } from "../syntax/class-tables.ts";
import { measurePattern } from "../syntax/cost.ts";
import {
  canBeEmpty,
  childrenOf,
  type PatternNode,
  type PatternTree,
} from "../syntax/pattern-tree.ts";
import { readPattern } from "../syntax/re2-syntax.ts";
import type { Pattern, PatternEngine, PatternMatch, PatternResult } from "./pattern-engine.ts";

/** A pattern inside the WebAssembly heap: the garbage collector does not free it, only `delete` does. */
interface NativePattern {
  ok(): boolean;
  error(): string;
  /** `index` counts code points, and is -1 for no match. */
  match(
    text: string,
    start: number,
    withGroups: boolean,
  ): { match: string; index: number; groups: (string | undefined)[] };
  delete(): void;
}

interface Re2Instance {
  readonly WrappedRE2: new (
    source: string,
    ignoreCase: boolean,
    multiline: boolean,
    dotAll: boolean,
  ) => NativePattern;
}

/** Native patterns kept alive by one engine; ordinary ones take 8 KB of the 10 MB that are usable. */
const NATIVES_MAX = 256;
/** Code units of a text given to WebAssembly, which holds two copies of it, of up to 3 bytes a unit. */
const NATIVE_UNITS_MAX = 262_144;
/**
 * Code units times threads given to WebAssembly. Once its automaton no longer fits its cache, each takes
 * 350 ns (mailflow's own search: 10 ns): `a[ab]{50}[cd]` took 18 s on 1 MB of random `a` and `b`.
 */
const NATIVE_WORK_MAX = 1_000_000;

/**
 * Makes instances of RE2, each in 5 ms. The package loads one per process, prints when it dies, and loses
 * byte order marks; so its loader runs here as a function that gets its globals as parameters.
 */
function createLoader(): () => Re2Instance {
  const require = createRequire(import.meta.url);
  const file = require.resolve("re2-wasm/build/wasm/re2.js");
  const wasmBinary = readFileSync(file.replace(/js$/, "wasm"));
  const surroundings = ["Module", "module", "require", "__dirname", "TextDecoder"];
  const load = compileFunction(readFileSync(file, "utf8"), surroundings, { filename: file });
  const quiet = {
    print: () => {},
    printErr: () => {},
    quit: () => {
      throw new Error("RE2 ended its instance");
    },
  };
  return () => {
    const instance = { wasmBinary, ...quiet };
    load(instance, { exports: {} }, require, dirname(file), undefined);
    return instance as unknown as Re2Instance;
  };
}

/** Rewrites `(?<name>…)` as `(?P<name>…)`, the form that this version of RE2 reads. */
function rewriteNames(source: string, tree: PatternTree): string {
  return tree.captureStarts.reduceRight(
    (text, at) => text.slice(0, at) + text.slice(at).replace(/^\(\?</, "(?P<"),
    source,
  );
}

/** Whether a range has some letters beyond ASCII but not all, so that it matters which of them fold alike. */
function splitsLetters([first, last]: CodeRange): boolean {
  return last > 0x7f && (first > 0x80 || last < CODE_POINT_MAX);
}

/**
 * Whether this version of RE2 may find something else than today's RE2: it knows Unicode 13, so that classes such as
 * `\pC` have other members and `ﬅ` does not fold to `ﬆ`; `\B` holds inside the bytes of one character; and `*` takes
 * another path through a body that can be empty.
 */
function departs(node: PatternNode): boolean {
  if (node.kind === "assertion") return node.assertion === "not-word-boundary";
  if (node.kind === "literal") return node.fold && node.codePoint > 0x7f;
  if (node.kind === "class")
    return node.unicode.length > 0 || (node.fold && node.ranges.some(splitsLetters));
  const open = node.kind === "repeat" && node.min === 0 && !Number.isFinite(node.max);
  return (open && canBeEmpty(node.body)) || childrenOf(node).some(departs);
}

/** The offset in code units of the `count`-th code point. */
function unitsOf(text: string, count: number): number {
  let units = 0;
  for (let passed = 0; passed < count; passed++) units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  return units;
}

/** One instance and its native patterns, least recently used first; a new instance after each death. */
class NativePool {
  readonly #load = createLoader();
  #instance = this.#load();
  #natives = new Map<string, NativePattern>();

  #nativeFor(source: string): NativePattern {
    const kept = this.#natives.get(source);
    this.#natives.delete(source);
    const native = kept ?? new this.#instance.WrappedRE2(source, false, false, false);
    this.#natives.set(source, native);
    if (this.#natives.size > NATIVES_MAX) {
      const [oldest, unused] = this.#natives.entries().next().value!;
      this.#natives.delete(oldest);
      unused.delete();
    }
    return native;
  }

  /** Undefined if even a new instance dies of it. */
  run<T>(source: string, use: (native: NativePattern) => T): T | undefined {
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return use(this.#nativeFor(source));
      } catch {
        // The heap is exhausted: nothing in this instance may be touched again.
        this.#natives = new Map();
        this.#instance = this.#load();
      }
    }
    return undefined;
  }
}

function createPattern(native: string, tree: PatternTree, pool: NativePool): Pattern {
  const { threads } = measurePattern(tree.root);
  const unitsMax = departs(tree.root)
    ? -1
    : Math.min(NATIVE_UNITS_MAX, NATIVE_WORK_MAX / Math.max(1, threads));
  return {
    source: tree.source,
    groupCount: tree.captureStarts.length,
    find(given: string): PatternMatch | null {
      const text = given.toWellFormed();
      if (text.length > unitsMax) return null;
      const found = pool.run(native, (pattern) => pattern.match(text, 0, true));
      if (found === undefined || found.index < 0) return null;
      const start = unitsOf(text, found.index);
      const groups = [found.match, ...found.groups];
      return { start, end: start + found.match.length, groups };
    },
  };
}

/**
 * An engine with an instance of RE2 of its own. Patterns stay valid when the instance is replaced. mailflow's own
 * search finds what RE2 cannot hold, cannot match in reasonable time, or would match differently from today's RE2.
 */
export function createRe2WasmEngine(): PatternEngine {
  const pool = new NativePool();
  const tryOut = (native: string): string =>
    pool.run(native, (pattern) => (pattern.ok() ? "" : `${pattern.error()}: shorten it`)) ??
    "the pattern does not fit RE2's heap: shorten it";
  return {
    name: "re2-wasm",
    compile(source: string): PatternResult {
      const read = readPattern(source);
      if (!read.ok) return read;
      const { tree } = read;
      const native = rewriteNames(source, tree);
      // One deeper than the cap, because matching the whole text wraps the source in a group.
      const isDeep = tree.depth > LIMITS.patternDepthMax + 1;
      const message = isDeep ? "groups lie too deep: nest them less" : tryOut(native);
      if (message === "") return { ok: true, pattern: createPattern(native, tree, pool) };
      // A source that the reader accepts is refused only for its size.
      const span = { start: 0, end: source.length };
      return { ok: false, problem: { code: "pattern/too-costly", message, span } };
    },
  };
}
