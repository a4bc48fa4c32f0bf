/** Reads and compiles a domain file, and finds the place of every diagnostic in the file. */
import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic, Path, Span } from "../../base/diagnostic.ts";
import { findJsonMistake, locateValues } from "../../base/json-text.ts";
import { LIMITS } from "../../base/limits.ts";
import { lineColumnAt, renderDiagnostic, renderExcerpt } from "../../base/render-diagnostic.ts";
import { type RehearsedDomain, rehearse } from "../../rehearse/rehearsed-domain.ts";
import { UsageError } from "../command.ts";
import type { CliIo } from "../io.ts";
import { type Line, styled } from "../line.ts";
import { fileFailure } from "./file-failure.ts";

/** The position in the file of a value, 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

type PlacedDiagnostic = Diagnostic & Place;

export type DomainFile =
  | (RehearsedDomain & {
      readonly ok: true;
      /** The text of the file. */
      readonly text: string;
    })
  | {
      readonly ok: false;
      readonly diagnostics: readonly PlacedDiagnostic[];
      /** Lines for people: the diagnostics in order. */
      readonly lines: readonly Line[];
    };

async function readBytes(path: string, cwd: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(resolve(cwd, path));
    if (size <= LIMITS.domainFileBytesMax) return await readFile(resolve(cwd, path));
    const max = LIMITS.domainFileBytesMax;
    throw new UsageError(`\`${path}\` has ${size} octets: a domain file has at most ${max}`);
  } catch (error) {
    throw new UsageError(fileFailure(error, path, "a domain file"));
  }
}

function notJson(message: string, span: Span): Diagnostic {
  return { code: "config/not-json", message, path: [], span };
}

/** How YAML that is not JSON begins, after comments: a marker or a key. */
const YAML_START = /^\s*(?:#.*\n\s*)*(---|[\w-]+:(?=\s|$)|- )/;

function yamlMistake(text: string): Diagnostic | null {
  const found = YAML_START.exec(text);
  if (found === null) return null;
  const end = found[0].length;
  const message =
    'this is YAML, and a domain file is JSON: write it as `{ "domain": …, "rules": […] }`';
  return notJson(message, { start: end - found[1]!.length, end });
}

function parseJson(bytes: Uint8Array, text: string): { readonly value: unknown } | Diagnostic {
  if (!isUtf8(bytes)) {
    const start = text.indexOf("\ufffd");
    return notJson("not UTF-8 from here on: save the file as UTF-8", { start, end: start + 1 });
  }
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const yaml = yamlMistake(text);
    if (yaml !== null) return yaml;
    const mistake = findJsonMistake(text);
    if (mistake === null) return notJson((error as Error).message, { start: 0, end: 0 });
    return notJson(mistake.message, mistake.span);
  }
}

/** Line and column of each offset, in one pass over the text. */
function placesOf(text: string, offsets: readonly number[]): { line: number; column: number }[] {
  const places = new Map<number, { line: number; column: number }>();
  let [line, column, at] = [1, 1, 0];
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    const step = lineColumnAt(text.slice(at, offset), offset - at);
    column = step.line === 1 ? column + step.column - 1 : step.column;
    line += step.line - 1;
    at = offset;
    places.set(offset, { line, column });
  }
  return offsets.map((offset) => places.get(offset)!);
}

/** Adds to each entry the place of its value in the file. */
export function place<Told extends { readonly path: Path }>(
  text: string,
  told: readonly Told[],
): readonly (Told & Place)[] {
  const offsets = locateValues(
    text,
    told.map(({ path }) => path),
  );
  const places = placesOf(text, offsets);
  return told.map((each, index) => ({ ...each, ...places[index]! }));
}

/** The place, then the diagnostic as `renderDiagnostic` shows it. */
function showDiagnostic(file: string, diagnostic: PlacedDiagnostic, config: unknown): Line[] {
  const where = styled("bold", `${file}:${diagnostic.line}:${diagnostic.column}:`);
  const [first, ...excerpt] = renderDiagnostic(diagnostic, config).split("\n");
  return [[where, " ", styled("red", first!)], ...excerpt.map((line) => [line])];
}

function refuseText(file: string, text: string, diagnostic: Diagnostic): DomainFile {
  const span = diagnostic.span!;
  const placed = { ...diagnostic, ...lineColumnAt(text, span.start) };
  const where = styled("bold", `${file}:${placed.line}:${placed.column}:`);
  const said = styled("red", `error[${diagnostic.code}] ${diagnostic.message}`);
  const excerpt = renderExcerpt(text, span).split("\n");
  const lines = [[where, " ", said], ...excerpt.map((line) => [`    ${line}`])];
  return { ok: false, diagnostics: [placed], lines };
}

function refuseConfig(
  file: string,
  text: string,
  config: unknown,
  diagnostics: readonly Diagnostic[],
): DomainFile {
  const placed = place(text, diagnostics);
  const lines = placed.flatMap((diagnostic) => showDiagnostic(file, diagnostic, config));
  return { ok: false, diagnostics: placed, lines };
}

/** Reads the file at `path`. Throws a `UsageError` if it cannot be read at all. */
export async function readDomain(path: string, io: CliIo): Promise<DomainFile> {
  const bytes = await readBytes(path, io.cwd);
  const text = new TextDecoder().decode(bytes);
  const parsed = parseJson(bytes, text);
  if (!("value" in parsed)) return refuseText(path, text, parsed);
  const result = rehearse(parsed.value);
  if (result.ok) return { ok: true, text, ...result.rehearsed };
  return refuseConfig(path, text, parsed.value, result.diagnostics);
}
