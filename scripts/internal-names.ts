/**
 * Names of properties that the page's build may shorten: those that the editor and the pattern engine declare for themselves. A name
 * stays as it is where anything else could mean it: mailflow's sources, a string, the language or the browser.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const PACKAGES = ["@codemirror/autocomplete", "@codemirror/state", "@codemirror/view"];
/** Bundled too: what their strings name stays. */
const OTHERS = [
  "@preact/signals",
  "@preact/signals-core",
  "preact",
  "preact/hooks",
  "htm",
  "mustache",
];

/** Shorter names gain nothing. */
const NAME_UNITS_MIN = 5;
const WORD = /[A-Za-z_$][\w$]*/g;

/** Packages name their modules in several ways; the one for `import` is bundled. */
function sourceOf(name: string): string {
  const path = fileURLToPath(import.meta.resolve(name));
  return readFileSync(path, "utf8");
}

function wordsUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").match(WORD) ?? []);
}

/** What a source declares as a member, and what its strings hold. */
function readNames(text: string): { declared: Set<string>; quoted: Set<string> } {
  const declared = new Set<string>();
  const quoted = new Set<string>();
  const quote = (said: string): void => {
    for (const word of said.match(WORD) ?? []) quoted.add(word);
  };
  const visit = (node: ts.Node): void => {
    const isMember =
      ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isAccessor(node);
    if (isMember && ts.isClassLike(node.parent) && ts.isIdentifier(node.name)) {
      declared.add(node.name.text);
    } else if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(node.left) &&
      node.left.expression.kind === ts.SyntaxKind.ThisKeyword
    ) {
      declared.add(node.left.name.text);
    } else if (ts.isStringLiteralLike(node)) quote(node.text);
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) quote(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.js", text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS));
  return { declared, quoted };
}

export function internalNames(): readonly string[] {
  const libraries = dirname(require.resolve("typescript/lib/lib.dom.d.ts"));
  const meant = new Set([
    ...wordsUnder(libraries, /^lib\..*\.d\.ts$/),
    ...wordsUnder(join(ROOT, "src"), /\.ts$/),
    ...wordsUnder(join(ROOT, "corpus/demo"), /\.json$/),
  ]);
  const declared = new Set<string>();
  for (const name of PACKAGES) {
    const names = readNames(sourceOf(name));
    for (const each of names.declared) declared.add(each);
    for (const each of names.quoted) meant.add(each);
  }
  for (const name of OTHERS) for (const each of readNames(sourceOf(name)).quoted) meant.add(each);
  return [...declared].filter((name) => name.length >= NAME_UNITS_MIN && !meant.has(name));
}

/** The same as terser takes it. */
export function internalNamePattern(): RegExp {
  const names = internalNames().map((name) => name.replaceAll("$", "\\$"));
  return new RegExp(`^(?:${names.join("|")})$`);
}
