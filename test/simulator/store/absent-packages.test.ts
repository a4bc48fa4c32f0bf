/** Stores whose packages are not installed: a real process in which they cannot be found. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "mailflow-absent-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Node.js finds no package of that name. */
function without(name: string): string {
  const hooks = `export async function resolve(specifier, context, next) {
    if (specifier.startsWith(${JSON.stringify(name)})) {
      throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    }
    return next(specifier, context);
  }`;
  const file = join(folder, `${name.replace("/", "-")}.mjs`);
  const register = `import { register } from "node:module";
    register("data:text/javascript,${encodeURIComponent(hooks)}");`;
  writeFileSync(file, register);
  return file;
}

test.each([
  ["@electric-sql/pglite", ["--data", join(folder, "data")], "@electric-sql/pglite kysely"],
  ["kysely", ["--data", join(folder, "data")], "@electric-sql/pglite kysely"],
  ["pg", ["--store", "postgres://127.0.0.1:1/none"], "pg kysely pg-boss"],
])("without `%s` the command says what to install", (name, options, packages) => {
  const ports = ["--port", "0", "--smtp-port", "0", "--submission-port", "0"];
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      "tsx",
      "--import",
      without(name),
      "src/cli/main.ts",
      "serve",
      ...ports,
      ...options,
    ],
    { encoding: "utf8", timeout: 60_000 },
  );
  expect(stderr).toContain(`packages that are not installed: npm install ${packages}`);
  expect(stderr).not.toContain("    at ");
  expect(status).toBeGreaterThan(0);
});
