/** Reads a file of rule tests, JSON or YAML, and finds the place of every mistake in it. */
import { isUtf8 } from "node:buffer";
import { formatPath } from "../../base/diagnostic.ts";
import { locateValues } from "../../base/json-text.ts";
import { lineColumnAt, linesOf } from "../../base/render-diagnostic.ts";
import type { SuiteProblem, TestSuite } from "../../rehearse/test/test-suite.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { UsageError } from "../command.ts";
import { excerptLines, showFinding } from "../show/show-finding.ts";
import { parseJson, readBytes } from "./files.ts";
import { type Mistake, type Parsed, parseYaml } from "./parse-yaml.ts";

export interface SuiteFile {
  /** The path as given. */
  readonly path: string;
  readonly suite: TestSuite;
  /** 1-based line of each test. */
  readonly lines: readonly number[];
}

export type SuiteFileResult =
  | ({ readonly ok: true } & SuiteFile)
  | { readonly ok: false; readonly lines: readonly Line[] };

/** Mistakes of one file to show: a single habit can cause thousands. */
const SHOWN_MAX = 50;

function parsePlaced(text: string): Parsed | Mistake {
  const parsed = parseJson(text);
  if (!("value" in parsed)) return { message: parsed.message, offset: parsed.span.start };
  return { value: parsed.value, offsetsOf: (paths) => locateValues(text, paths) };
}

function refuse(path: string, text: string, offset: number, said: string): Line[] {
  const excerpt = excerptLines(text, { start: offset, end: offset + 1 });
  return showFinding(path, lineColumnAt(text, offset), styled("red", said), excerpt);
}

/** Throws a `UsageError` if the file cannot be read at all. */
export async function readSuiteFile(path: string, cwd: string): Promise<SuiteFileResult> {
  const bytes = await readBytes(path, cwd, "a file of tests");
  if (!isUtf8(bytes)) throw new UsageError(`\`${path}\` is not UTF-8: save it as UTF-8`);
  const text = new TextDecoder().decode(bytes);
  const parsed = path.endsWith("json") ? parsePlaced(text) : await parseYaml(text);
  if ("message" in parsed) {
    const lines = refuse(path, text, parsed.offset, `error: ${parsed.message}`);
    return { ok: false, lines };
  }
  // Imported here: zod takes 50 ms to load, which the other commands need not spend.
  const { readSuite } = await import("../../rehearse/test/test-suite.ts");
  const result = readSuite(parsed.value);
  if (!result.ok) return { ok: false, lines: refuseAll(path, text, parsed, result.problems) };
  const { suite } = result;
  const lineOf = linesOf(text);
  const offsets = parsed.offsetsOf(suite.tests.map((_, index) => ["tests", index]));
  return { ok: true, path, suite, lines: offsets.map((offset) => lineOf(offset).line) };
}

function refuseAll(
  path: string,
  text: string,
  parsed: Parsed,
  problems: readonly SuiteProblem[],
): Line[] {
  const shown = problems.slice(0, SHOWN_MAX);
  const offsets = parsed.offsetsOf(shown.map(({ path: at }) => at));
  const lines = shown.flatMap(({ message, path: at }, index) =>
    refuse(path, text, offsets[index]!, `error ${formatPath(at)}: ${message}`),
  );
  const more = problems.length - shown.length;
  return more === 0 ? lines : [...lines, [`… and ${more} more in ${path}`]];
}
