/** Reads and compiles a domain file, and finds the place of every diagnostic in the file. */
import { isUtf8 } from "node:buffer";
import type { Diagnostic, Path, Span } from "../../base/diagnostic.ts";
import { locateValues } from "../../base/json-text.ts";
import { LIMITS } from "../../base/limits.ts";
import {
  lineColumnAt,
  linesOf,
  renderDiagnostic,
  type TextPlace,
} from "../../base/render-diagnostic.ts";
import { type RehearsedDomain, rehearse } from "../../rehearse/rehearsed-domain.ts";
import { type Line, styled } from "../../rehearse/words/line.ts";
import { type Command, CommandFailure, type Given, numberOf, type Option } from "../command.ts";
import { type CliIo, EXIT } from "../io.ts";
import { excerptLines, showFinding } from "../show/show-finding.ts";
import { parseJson, readBytes } from "./files.ts";

export const DOMAIN_ARGUMENT: Command["arguments"][number] = {
  name: "domain.json",
  count: "one",
  description: "the domain with its aliases and rules, as the API returns them",
};

export const DOMAIN_FUEL: Option = {
  name: "domain-fuel",
  value: "units",
  description: `units of work that a domain may cost (default ${LIMITS.domainFuelMax})`,
};

/** A domain that compiles. */
export interface UsableFile extends RehearsedDomain {
  readonly ok: true;
  /** The text of the file. */
  readonly text: string;
}

interface WrongFile {
  readonly ok: false;
  readonly diagnostics: readonly (Diagnostic & TextPlace)[];
  /** Lines for people: the diagnostics in order. */
  readonly lines: readonly Line[];
}

export type DomainFile = UsableFile | WrongFile;

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

function parseDomain(bytes: Uint8Array, text: string): { readonly value: unknown } | Diagnostic {
  if (!isUtf8(bytes)) {
    const start = text.indexOf("\ufffd");
    return notJson("not UTF-8 from here on: save the file as UTF-8", { start, end: start + 1 });
  }
  const parsed = parseJson(text);
  if ("value" in parsed) return parsed;
  return yamlMistake(text) ?? notJson(parsed.message, parsed.span);
}

/** Adds to each entry the place of its value in the file. */
export function place<Found extends { readonly path: Path }>(
  text: string,
  found: readonly Found[],
): readonly (Found & TextPlace)[] {
  const offsets = locateValues(
    text,
    found.map(({ path }) => path),
  );
  const placeAt = linesOf(text);
  return found.map((each, index) => ({ ...each, ...placeAt(offsets[index]!) }));
}

function refuseText(file: string, text: string, diagnostic: Diagnostic): WrongFile {
  const { code, message, span } = diagnostic;
  const placed = { ...diagnostic, ...lineColumnAt(text, span!.start) };
  const said = styled("red", `error[${code}] ${message}`);
  const lines = showFinding(file, placed, said, excerptLines(text, span!));
  return { ok: false, diagnostics: [placed], lines };
}

/** Whether the command has an option for the budget of a domain; the page of `play` compiles within the default. */
type Budget = "an option" | "fixed";

/** What a program raises by an option of its call is raised by one of the command, if it has one. */
export function inOptions(diagnostic: Diagnostic, budget: Budget): Diagnostic {
  const advice =
    budget === "fixed" ? ": the page takes no more" : `, or raise \`--${DOMAIN_FUEL.name}\``;
  const message = diagnostic.message.replace(", or raise `domainFuelMax`", advice);
  return diagnostic.code === "domain/too-costly" ? { ...diagnostic, message } : diagnostic;
}

function refuseConfig(
  file: string,
  text: string,
  config: unknown,
  diagnostics: readonly Diagnostic[],
): WrongFile {
  const placed = place(text, diagnostics);
  const lines = placed.flatMap((each) => {
    const [said, ...excerpt] = renderDiagnostic(each, config).split("\n");
    return showFinding(file, each, styled("red", said!), excerpt);
  });
  return { ok: false, diagnostics: placed, lines };
}

/** Reads the file at `path`. Throws a `UsageError` if it cannot be read at all. */
export async function readDomain(
  path: string,
  given: Given,
  io: CliIo,
  budget: Budget = "an option",
): Promise<DomainFile> {
  const domainFuelMax = numberOf(given, DOMAIN_FUEL.name, "a number from 1", (n) => n >= 1);
  const bytes = await readBytes(path, io.cwd, "a domain file");
  const text = new TextDecoder().decode(bytes);
  const parsed = parseDomain(bytes, text);
  if (!("value" in parsed)) return refuseText(path, text, parsed);
  const result = rehearse(parsed.value, domainFuelMax === undefined ? {} : { domainFuelMax });
  if (result.ok) return { ok: true, text, ...result.rehearsed };
  const diagnostics = result.diagnostics.map((each) => inOptions(each, budget));
  return refuseConfig(path, text, parsed.value, diagnostics);
}

/** Domains of files that all compile. Throws a `CommandFailure` with the errors of all others. */
export async function usableDomains(
  paths: readonly string[],
  given: Given,
  io: CliIo,
  budget?: Budget,
): Promise<readonly UsableFile[]> {
  const files: DomainFile[] = [];
  for (const path of paths) files.push(await readDomain(path, given, io, budget));
  const usable = files.filter((file) => file.ok);
  if (usable.length === files.length) return usable;
  throw new CommandFailure(
    EXIT.unusable,
    files.flatMap((file) => (file.ok ? [] : file.lines)),
  );
}

/** A domain of a file that compiles. Throws a `CommandFailure` with its errors if it does not. */
export async function usableDomain(
  path: string,
  given: Given,
  io: CliIo,
  budget?: Budget,
): Promise<UsableFile> {
  const [file] = await usableDomains([path], given, io, budget);
  return file!;
}
