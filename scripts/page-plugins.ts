/** Plugins of esbuild that leave out of the page what a browser has, or mailflow does itself. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** What the parser needs of the modules that are left out. */
const REPLACED: Readonly<Record<string, string>> = {
  "evaluator.js": `
import { parseError } from "./errors.js";
import { createOptions } from "./options.js";
import { Parser } from "./parser.js";
import { UnsignedInt } from "./functions.js";
const MACROS = { all: [2], exists: [2], exists_one: [2], filter: [2], map: [2, 3], bind: [3] };
function handler({ args }) {
  if (args[0].op !== "id") throw parseError("invalid_macro_argument", "not a name", args[0]);
  return { async: false };
}
export class Environment {
  constructor(given) {
    const { limits, enableOptionalTypes } = createOptions(given);
    const findMacro = (name, hasReceiver, count) =>
      hasReceiver && Object.hasOwn(MACROS, name) && MACROS[name].includes(count) ? { handler } : undefined;
    this.parser = new Parser(limits, { enableOptionalTypes, findMacro });
  }
  parse(source) {
    return { ast: this.parser.parse(source) };
  }
}
export class Duration {}
export { UnsignedInt };
export const parse = undefined, check = undefined, evaluate = undefined;
export default {};`,
  "operators.js": `
const named = (name) => ({ name });
export class Base {}
export const OPERATORS = Object.fromEntries(
  [..."=+-*/%<>!"].concat("==", "!=", "<=", ">=", "in", "||", "&&", "value", "id", "list", "map", "call", "rcall").map((name) => [name, named(name)]),
);
Object.assign(OPERATORS, {
  ternary: named("?:"), unaryNot: named("!_"), unaryMinus: named("-_"), fieldAccess: named("."),
  optionalFieldAccess: named(".?"), bracketAccess: named("[]"), optionalBracketAccess: named("[?]"),
});`,
  "functions.js": `
export class Duration {}
export class UnsignedInt {
  constructor(text) {
    this.value = BigInt(text);
    if (this.value < 0n || this.value > 18446744073709551615n) throw new RangeError("not a uint");
  }
  valueOf() {
    return this.value;
  }
}`,
  "optional.js": "export class Optional {}",
  "serialize.js": "export const serialize = undefined;",
};

/**
 * Of cel-js only the lexer and the parser, because mailflow checks and evaluates by its own code: it saves 18 KB of 300 (gzipped).
 * `test/page/cel-parser-only.test.ts` compares both parsers.
 */
export const celParserOnly: Plugin = {
  name: "cel-parser-only",
  setup({ onLoad }) {
    onLoad({ filter: /cel-js[\\/]lib[\\/][\w-]+\.js$/ }, ({ path }) => {
      const contents = REPLACED[path.split(/[\\/]/).at(-1)!];
      return contents === undefined ? undefined : { contents, loader: "js" };
    });
  },
};

/** The names of HTML's character references by the browser: `test/page/browser/entities.test.ts` compares both decoders. */
export const browserEntities: Plugin = {
  name: "browser-entities",
  setup({ onResolve }) {
    const path = fileURLToPath(new URL("../src/page/shim/entities.ts", import.meta.url));
    onResolve({ filter: /^entities\/decode$/ }, () => ({ path }));
  },
};

/** The reader of an mbox works on Node's `Buffer`, of which a browser gets what it uses. */
export const browserBuffer: Plugin = {
  name: "browser-buffer",
  setup({ onLoad }) {
    const path = fileURLToPath(new URL("../src/page/shim/buffer.ts", import.meta.url));
    onLoad({ filter: /src[\\/]mailbox[\\/]mbox[\\/][\w-]+\.ts$/ }, ({ path: file }) => ({
      contents: `import { Buffer } from ${JSON.stringify(path)};\n${readFileSync(file, "utf8")}`,
      loader: "ts",
    }));
  },
};

/** Of the editor's libraries no parsers of languages: the page colours its texts by patterns, and completes by its own words. */
export const noParsers: Plugin = {
  name: "no-parsers",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@codemirror\/language$/ }, () => ({
      path: "none",
      namespace: "no-parsers",
    }));
    onLoad({ filter: /.*/, namespace: "no-parsers" }, () => ({
      contents: "export const syntaxTree = undefined, indentUnit = undefined;",
    }));
  },
};
