/** Reads and writes the files that a command names. Each failure is a `UsageError` in the words of the command line. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { findJsonMistake } from "../../base/json-text.ts";
import { lineColumnAt } from "../../base/render-diagnostic.ts";
import { systemFailure } from "../../mailbox/system-failure.ts";
import { UsageError } from "../command.ts";

function failureOf(error: unknown, path: string, verb: "read" | "write", wanted: string): string {
  if (error instanceof UsageError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return `\`${path}\` is a folder: name ${wanted}`;
  if (code === undefined) throw error;
  return systemFailure(verb, path, error);
}

/** One line for an error from reading `path`; a `UsageError` keeps its message. Throws other errors again. */
export function fileFailure(error: unknown, path: string, wanted: string): string {
  return failureOf(error, path, "read", wanted);
}

/** One line for an error from writing `path`; a `UsageError` keeps its message. Throws other errors again. */
export function writeFailure(error: unknown, path: string): string {
  return failureOf(error, path, "write", "a file to write");
}

/** The text of a file in UTF-8; `wanted` is what the file should be, such as `a PEM file`. */
export async function readText(path: string, cwd: string, wanted: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), "utf8");
  } catch (error) {
    throw new UsageError(fileFailure(error, path, wanted));
  }
}

/** The value of a JSON file, as `readText`. A mistake is reported with its line and column. */
export async function readJson(path: string, cwd: string, wanted: string): Promise<unknown> {
  const text = await readText(path, cwd, wanted);
  try {
    return JSON.parse(text);
  } catch {
    // A text that cannot be parsed has a mistake.
    const { message, span } = findJsonMistake(text)!;
    const { line, column } = lineColumnAt(text, span.start);
    throw new UsageError(`${path}:${line}:${column}: ${message}`);
  }
}

/** Writes a file, over the one that is there. */
export async function writeText(path: string, text: string, cwd: string): Promise<void> {
  try {
    await writeFile(resolve(cwd, path), text);
  } catch (error) {
    throw new UsageError(writeFailure(error, path));
  }
}
