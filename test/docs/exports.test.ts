/** Every public export has a docstring. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ENTRIES = [
  "src/index.ts",
  "src/message/index.ts",
  "src/mailbox/index.ts",
  "src/engine/pattern/engines/re2-wasm-engine.ts",
  "src/rehearse/index.ts",
  "src/runner/index.ts",
  "src/simulator/index.ts",
].map((file) => join(ROOT, file));

test("every public export has a docstring", () => {
  const program = ts.createProgram(ENTRIES, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const bare = new Set<string>();
  let exports = 0;
  for (const entry of ENTRIES) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!);
    for (const symbol of checker.getExportsOfModule(module!)) {
      const found = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      exports++;
      if (found.getDocumentationComment(checker).length > 0) continue;
      const file = found.declarations?.[0]?.getSourceFile().fileName.slice(ROOT.length);
      bare.add(`${file}: ${symbol.name}`);
    }
  }
  expect(exports).toBeGreaterThan(150);
  expect([...bare].sort()).toEqual([]);
});
