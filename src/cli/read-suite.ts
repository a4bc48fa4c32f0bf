/** Reads a file of rule tests, JSON or YAML, with every mistake placed in it. */
import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { formatPath, type Path } from "../base/diagnostic.ts";
import { findJsonMistake, locateValues } from "../base/json-text.ts";
import { lineColumnAt, renderExcerpt } from "../base/render-diagnostic.ts";
import { readSuite, type TestSuite } from "../rehearse/test-suite.ts";
import { UsageError } from "./command.ts";
import { fileFailure } from "./file-failure.ts";
import { type Line, styled } from "./line.ts";

export interface SuiteFile {
  /** As named. */
  readonly path: string;
  readonly suite: TestSuite;
  /** 1-based line of each test. */
  readonly lines: readonly number[];
}

export type SuiteFileResult =
  | ({ readonly ok: true } & SuiteFile)
  | { readonly ok: false; readonly lines: readonly Line[] };

/** What the text says, and where in it the value at a path stands. */
interface Parsed {
  readonly value: unknown;
  offsetOf(path: Path): number;
}

interface Mistake {
  readonly message: string;
  readonly offset: number;
}

function parseJson(text: string): Parsed | Mistake {
  try {
    const value: unknown = JSON.parse(text);
    return { value, offsetOf: (path) => locateValues(text, [path])[0]! };
  } catch (error) {
    const mistake = findJsonMistake(text);
    if (mistake === null) return { message: (error as Error).message, offset: 0 };
    return { message: mistake.message, offset: mistake.span.start };
  }
}

async function parseYaml(text: string): Promise<Parsed | Mistake> {
  const { isNode, parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong !== undefined) {
    const message = wrong.message.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
    return { message, offset: wrong.pos[0] };
  }
  return {
    // Few aliases: a file of tests repeats itself, it does not multiply.
    value: document.toJS({ maxAliasCount: 100 }),
    offsetOf(path) {
      for (let steps = path.length; steps >= 0; steps--) {
        const node: unknown = document.getIn(path.slice(0, steps), true);
        if (isNode(node) && node.range) return node.range[0];
      }
      return 0;
    },
  };
}

function refuse(path: string, text: string, offset: number, said: string): Line[] {
  const { line, column } = lineColumnAt(text, offset);
  const where = styled("bold", `${path}:${line}:${column}:`);
  const excerpt = renderExcerpt(text, { start: offset, end: offset + 1 }).split("\n");
  return [[where, " ", styled("red", said)], ...excerpt.map((each): Line => [`    ${each}`])];
}

/** Throws a `UsageError` if the file cannot be read at all. */
export async function readSuiteFile(path: string, cwd: string): Promise<SuiteFileResult> {
  const bytes = await readFile(resolve(cwd, path)).catch((error: unknown) => {
    throw new UsageError(fileFailure(error, path, "a file of tests"));
  });
  if (!isUtf8(bytes)) throw new UsageError(`\`${path}\` is not UTF-8: save it as UTF-8`);
  const text = new TextDecoder().decode(bytes);
  const parsed = path.endsWith("json") ? parseJson(text) : await parseYaml(text);
  if ("message" in parsed) {
    const lines = refuse(path, text, parsed.offset, `error: ${parsed.message}`);
    return { ok: false, lines };
  }
  const result = readSuite(parsed.value);
  if (!result.ok) {
    const lines = result.problems.flatMap(({ message, path: at }) =>
      refuse(path, text, parsed.offsetOf(at), `error ${formatPath(at)}: ${message}`),
    );
    return { ok: false, lines };
  }
  const lines = result.suite.tests.map(
    (_, index) => lineColumnAt(text, parsed.offsetOf(["tests", index])).line,
  );
  return { ok: true, path, suite: result.suite, lines };
}
