/** What the documents show in TypeScript has the types that it claims: tsc reads every file that a page writes. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { readPage } from "./page.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// Within the project, so that the files find its dependencies.
const FOLDER = join(ROOT, `node_modules/.cache/mailflow-docs-types-${process.pid}`);
const PAGES = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const ENTRIES = {
  mailflow: "src/index.ts",
  "mailflow/message": "src/message/index.ts",
  "mailflow/mailbox": "src/mailbox/index.ts",
  "mailflow/re2-wasm": "src/engine/pattern/engines/re2-wasm-engine.ts",
  "mailflow/rehearse": "src/rehearse/index.ts",
  "mailflow/runner": "src/runner/index.ts",
  "mailflow/simulator": "src/simulator/index.ts",
  "mailflow/vitest": "src/rehearse/test/vitest.ts",
};

/** The files of all pages, each page in a folder of its own. */
function writeFiles(): string[] {
  return PAGES.flatMap((page) =>
    readPage(readFileSync(join(ROOT, page), "utf8")).steps.flatMap((step) => {
      if (step.kind !== "file") return [];
      const path = join(FOLDER, page, step.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, step.text);
      return step.name.endsWith(".ts") ? [path] : [];
    }),
  );
}

test("every TypeScript file of the documents passes tsc, strict", () => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), '{ "type": "module" }\n');
  try {
    const files = writeFiles();
    expect(files.length).toBeGreaterThan(5);
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      lib: ["lib.es2023.d.ts", "lib.esnext.string.d.ts"],
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
      paths: Object.fromEntries(
        Object.entries(ENTRIES).map(([name, file]) => [name, [join(ROOT, file)]]),
      ),
    });
    const found = files.flatMap((file) => {
      const source = program.getSourceFile(file);
      return [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ];
    });
    const told = found.map(({ file, start = 0, messageText }) => {
      const line = file!.getLineAndCharacterOfPosition(start).line + 1;
      const where = file!.fileName.slice(FOLDER.length + 1);
      return `${where}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(told).toEqual([]);
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
});
