/** What the documents show is run: files are written, commands print what the page says (KEEP_DOCS=1 writes their outputs anew). */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Command, isOutput, type Page, readPage } from "./page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Within the package, so that the bundles find their dependencies.
const CACHE = join(ROOT, `node_modules/.cache/mailflow-docs-${process.pid}`);
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));
const PACKED: readonly string[] = [
  "README.md",
  ...JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).files,
];
const ENTRIES = {
  index: "src/index.ts",
  message: "src/message/index.ts",
  mailbox: "src/mailbox/index.ts",
  rehearse: "src/rehearse/index.ts",
  runner: "src/runner/index.ts",
  simulator: "src/simulator/index.ts",
  vitest: "src/rehearse/test/vitest.ts",
  "re2-wasm": "src/engine/pattern/engines/re2-wasm-engine.ts",
  cli: "src/cli/main.ts",
  "replay-worker": "src/rehearse/replay/replay-worker.ts",
  "runner-worker": "src/runner/worker.ts",
};

beforeAll(async () => {
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)]),
    ),
    outdir: join(CACHE, "dist"),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  cpSync(join(ROOT, "package.json"), join(CACHE, "package.json"));
  mkdirSync(join(CACHE, "bin"), { recursive: true });
  const command = (name: string, script: string): void => {
    const file = join(CACHE, "bin", name);
    writeFileSync(file, `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(file, 0o755);
  };
  command("mailflow", `exec node "${CACHE}/dist/cli.js" "$@"`);
  command("npx", 'exec "$@"');
  command("tsx", `exec node "${ROOT}/node_modules/tsx/dist/cli.mjs" "$@"`);
  command("vitest", `exec node "${ROOT}/node_modules/vitest/vitest.mjs" "$@"`);
});
afterAll(() => rmSync(CACHE, { recursive: true, force: true }));

/** A copy of the page's folder, where the package and what its examples import are installed. */
function folderOf(page: Page): string {
  const folder = mkdtempSync(join(tmpdir(), "mailflow-docs-"));
  if (page.folder !== null) cpSync(join(ROOT, page.folder), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(CACHE, join(folder, "node_modules/mailflow"));
  for (const name of ["vitest", "smtp-server", "nodemailer"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  return folder;
}

function run(command: string, folder: string): string {
  const { VITEST: _vitest, NODE_OPTIONS: _options, ...env } = process.env;
  const { stdout, stderr } = spawnSync("bash", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...env,
      PATH: `${join(CACHE, "bin")}:${env.PATH}`,
      CI: "true",
      NO_COLOR: "1",
    },
  });
  return (stdout + stderr)
    .split("\n")
    .filter((line) => !line.startsWith("npm warn"))
    .join("\n");
}

/** Runs the page from its first step to its last; gives the commands with what they print. */
function runPage(page: Page): { readonly step: Command; readonly actual: string }[] {
  const folder = folderOf(page);
  const done: { step: Command; actual: string }[] = [];
  try {
    for (const step of page.steps) {
      if (step.kind === "unrun") continue;
      if (step.kind === "file") {
        mkdirSync(dirname(join(folder, step.name)), { recursive: true });
        writeFileSync(join(folder, step.name), step.text);
      } else done.push({ step, actual: run(step.command, folder) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return done;
}

/** Replaces outputs that have changed. One with lines left out is for a person: the lines may differ in every run. */
function keep(file: string, done: ReturnType<typeof runPage>): void {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  for (const { step, actual } of [...done].reverse()) {
    if (isOutput(step.output, actual)) continue;
    if (step.output.split("\n").includes("…")) {
      expect(actual.trimEnd(), `${file}:${step.line}: write this one by hand`).toBe(step.output);
    }
    const from = step.line - 1 + step.command.split("\n").length;
    const length = step.output === "" ? 0 : step.output.split("\n").length;
    const output = actual.trimEnd();
    lines.splice(from, length, ...(output === "" ? [] : output.split("\n")));
  }
  writeFileSync(join(ROOT, file), lines.join("\n"));
}

describe.each(
  PAGES.map((file) => ({ file, page: readPage(readFileSync(join(ROOT, file), "utf8")) })),
)("$file", ({ file, page }) => {
  test("each block is run, or says why not", () => {
    expect(page.unexplained).toEqual([]);
  });

  test.runIf(page.steps.some(({ kind }) => kind === "command"))(
    "each command prints what the page says",
    () => {
      const done = runPage(page);
      if (process.env.KEEP_DOCS === "1") return keep(file, done);
      for (const { step, actual } of done) {
        const where = `${file}:${step.line}: ${step.command}`;
        if (!isOutput(step.output, actual)) expect(actual.trimEnd(), where).toBe(step.output);
      }
      return undefined;
    },
  );

  test("each link to a file leads to one that the package contains", () => {
    const text = readFileSync(join(ROOT, file), "utf8").replace(/```[\s\S]*?```/g, "");
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, to]) => to!);
    const isPacked = (to: string): boolean =>
      existsSync(join(ROOT, to)) && PACKED.some((name) => to === name || to.startsWith(`${name}/`));
    expect(links.map((to) => join(dirname(file), to)).filter((to) => !isPacked(to))).toEqual([]);
  });
});

test("the README is short", () => {
  expect(readFileSync(join(ROOT, "README.md")).length).toBeLessThanOrEqual(8_192);
  expect(PAGES.map((page) => basename(page))).toContain("getting-started.md");
});
