/** Reads and writes the files that a command names. Each failure is a `UsageError` in the words of the command line. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { findDuplicateKey, findJsonMistake, type JsonMistake } from "../../base/json-text.ts";
import { LIMITS } from "../../base/limits.ts";
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

/** The octets of a file; `wanted` is what the file should be, such as `a PEM file`. */
export async function readBytes(path: string, cwd: string, wanted: string): Promise<Buffer> {
  const max = LIMITS.domainFileBytesMax;
  const chunks: Buffer[] = [];
  let octets = 0;
  try {
    // Devices and pipes have no size to ask for: reading ends after the first octet too many.
    for await (const chunk of createReadStream(resolve(cwd, path), { end: max })) {
      chunks.push(chunk);
      octets += chunk.length;
    }
  } catch (error) {
    throw new UsageError(fileFailure(error, path, wanted));
  }
  if (octets <= max) return Buffer.concat(chunks);
  throw new UsageError(`\`${path}\` has more than ${max} octets: name ${wanted}`);
}

/** The text of a file in UTF-8, as `readBytes`. */
export async function readText(path: string, cwd: string, wanted: string): Promise<string> {
  return (await readBytes(path, cwd, wanted)).toString("utf8");
}

/** The value of a JSON file, as `readText`. A mistake is reported with its line and column. */
export async function readJson(path: string, cwd: string, wanted: string): Promise<unknown> {
  const text = await readText(path, cwd, wanted);
  const parsed = parseJson(text);
  if ("value" in parsed) return parsed.value;
  const { line, column } = lineColumnAt(text, parsed.span.start);
  throw new UsageError(`${path}:${line}:${column}: ${parsed.message}`);
}

/** The value of a JSON text, or its first mistake. A key given twice is one: `JSON.parse` drops the first value. */
export function parseJson(text: string): { readonly value: unknown } | JsonMistake {
  try {
    const value: unknown = JSON.parse(text);
    return findDuplicateKey(text) ?? { value };
  } catch {
    // A text that cannot be parsed has a mistake.
    return findJsonMistake(text)!;
  }
}
