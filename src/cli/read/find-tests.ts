/** Finds files of rule tests: those named, or all below a folder. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UsageError } from "../command.ts";
import { fileFailure } from "./files.ts";

/** `<domain>.mailtest.json`, or the same in YAML. */
export const TEST_FILE: RegExp = /\.mailtest\.(?:json|ya?ml)$/;

async function below(folder: string, name: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = name === "" ? entry.name : `${name}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await below(join(folder, entry.name), path)));
    else if (entry.isFile() && TEST_FILE.test(entry.name)) found.push(path);
  }
  return found;
}

/** Paths relative to `cwd`; for a folder, all test files below it. Throws a `UsageError` if there are none. */
export async function findTests(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    try {
      const isFolder = (await stat(resolve(cwd, path))).isDirectory();
      const name = path.replace(/^\.\/?$|\/+$/g, "");
      found.push(...(isFolder ? await below(resolve(cwd, path), name) : [path]));
    } catch (error) {
      throw new UsageError(fileFailure(error, path, "a file of tests"));
    }
  }
  if (found.length > 0) return found;
  throw new UsageError("no tests found: write some in a file `<domain>.mailtest.json`");
}
