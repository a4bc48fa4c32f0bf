/** The README's example runs as written and prints what the README says; what it quotes is what is tested elsewhere. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { CONTROL_ROUTES } from "../src/control/app.ts";

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

/** `<!-- name -->` to `<!-- end of name -->`, as the README has it and as it should be (KEEP_README=1 writes it anew). */
function expectBlock(name: string, wanted: string): void {
  const file = join(ROOT, "README.md");
  const readme = readFileSync(file, "utf8");
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [readme.indexOf(begin) + begin.length, readme.indexOf(end)];
  expect(to, `block ${name}`).toBeGreaterThan(from);
  if (process.env.KEEP_README === "1") {
    writeFileSync(file, readme.slice(0, from) + wanted + readme.slice(to));
  } else {
    expect(readme.slice(from, to)).toBe(wanted);
  }
}

test("the walk through the service is the one that is tested", () => {
  const walk = readFileSync(join(ROOT, "test/simulator/walk.txt"), "utf8");
  expectBlock("serve walk", `\`\`\`\n${walk}\`\`\`\n`);
});

test("the simulator's example is the one that is tested", () => {
  const example = readFileSync(join(ROOT, "test/simulator/example.test.ts"), "utf8")
    .replace(/^\/\*\*.*\*\/\s*/, "")
    .replace("../../src/simulator/index.ts", "mailflow/simulator");
  expectBlock("simulator example", `\`\`\`ts\n${example}\`\`\`\n`);
});

test("the control plane's table is the one that is served", () => {
  const rows = CONTROL_ROUTES.map(({ method, path, takes, summary }) => {
    const fields = takes.map((field) => `\`${field.replace(/ \| /g, "\\|")}\``).join(", ");
    return `| ${method} | \`/_sim${path}\` | ${fields} | ${summary} |\n`;
  });
  expectBlock(
    "control plane",
    `| method | path | takes | what it does |\n|---|---|---|---|\n${rows.join("")}`,
  );
});
