/** A compiler that keeps what it has compiled, for hosts of many domains, or of domains that are often edited. */
import { LIMITS } from "../../base/limits.ts";
import { assertOptions } from "../../base/options.ts";
import {
  COMPILE_OPTIONS,
  type CompileOptions,
  type CompileResult,
  compileWith,
  settingsOf,
} from "./compile-domain.ts";
import type { Pieces } from "./config/config-entry.ts";
import { BoundedCache } from "./config/pieces.ts";

/** Options of `createCompiler`. */
export interface CompilerOptions extends CompileOptions {
  /** Rules and forwards that are kept for the next domain. Default: `LIMITS.piecesKeptMax`. */
  readonly piecesMax?: number;
  /** Expressions that are kept ready to evaluate, over all domains. Default: `LIMITS.programsKeptMax`. */
  readonly programsMax?: number;
  /** Domains whose plan is kept; another domain's plan is made again with its next message. Default: `LIMITS.plansKeptMax`. */
  readonly plansMax?: number;
}

/** Entries kept, and how often an entry that was needed was kept (`hits`) or not (`misses`). */
export interface CacheStats {
  readonly kept: number;
  readonly hits: number;
  readonly misses: number;
}

/** What a compiler keeps, and how often it could use that again. */
export interface CompilerStats {
  readonly matchers: CacheStats;
  readonly forwards: CacheStats;
  readonly programs: CacheStats;
  readonly plans: CacheStats;
  readonly scanners: CacheStats;
  readonly sets: CacheStats;
}

/** A compiler has its own caches: two compilers share nothing. */
export interface Compiler {
  /** The same result as `compileDomain`, made with the rules that were compiled before. */
  compileDomain(config: unknown): CompileResult;
  stats(): CompilerStats;
}

/** The caches whose use is counted. */
const COUNTED = ["matchers", "forwards", "programs", "plans", "scanners", "sets"] as const;

/** How many entries to keep by an option. */
function readMax(options: CompilerOptions, name: keyof CompilerOptions, usual: number): number {
  const value = options[name] ?? usual;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new RangeError(`\`${name}\` is ${value}: give a whole number that is not negative`);
}

/** Throws a `TypeError` or `RangeError` on invalid options. */
export function createCompiler(options: CompilerOptions = {}): Compiler {
  assertOptions(options, [...COMPILE_OPTIONS, "piecesMax", "programsMax", "plansMax"]);
  const piecesMax = readMax(options, "piecesMax", LIMITS.piecesKeptMax);
  const programsMax = readMax(options, "programsMax", LIMITS.programsKeptMax);
  const plansMax = readMax(options, "plansMax", LIMITS.plansKeptMax);
  const pieces: Pieces = {
    matchers: new BoundedCache(piecesMax),
    forwards: new BoundedCache(piecesMax),
    programs: new BoundedCache(programsMax),
    plans: new BoundedCache(plansMax),
    versions: new BoundedCache(plansMax),
    scanners: new BoundedCache(LIMITS.searchersKeptMax),
    sets: new BoundedCache(LIMITS.searchersKeptMax),
  };
  const settings = settingsOf(options, pieces);
  const statsOf = (name: (typeof COUNTED)[number]): [string, CacheStats] => {
    const { size, hits, misses } = pieces[name];
    return [name, { kept: size, hits, misses }];
  };
  return {
    compileDomain: (config) => compileWith(config, settings),
    stats: () => Object.fromEntries(COUNTED.map(statsOf)) as unknown as CompilerStats,
  };
}
