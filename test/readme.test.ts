/** The README's example runs as written and prints what the README says. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = join(ROOT, "node_modules/.cache/mailflow-readme");

test("the example prints what the README shows", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const example = /<!-- example -->\n```ts\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(readme);
  const [, code, output] = example ?? [];
  expect(code).toBeDefined();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "example.ts"), code!);
  await build({
    entryPoints: [join(FOLDER, "example.ts")],
    outfile: join(FOLDER, "example.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: {
      mailflow: join(ROOT, "src/index.ts"),
      "mailflow/message": join(ROOT, "src/message/index.ts"),
    },
    packages: "external",
    logLevel: "silent",
  });
  const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, "example.mjs")], {
    cwd: ROOT,
  });
  expect(stdout).toBe(output);
});
