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

/** Of re2js: sets, texts as octets, translation of other dialects, and a search before the search, which mailflow's own automaton is. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  AhoCorasick: "class {}",
  MachineUTF8Input: "class {}",
  PrefilterTree: "class { static build() { return new Prefilter(Prefilter.Type.NONE); } }",
  RE2Set: "class {}",
  TranslateRegExpString: "class {}",
  Utf8MatcherInput: "class {}",
};

/** It saves 2.5 KB; `test/page/re2js-trimmed.test.ts` compares both engines. */
export const re2jsTrimmed: Plugin = {
  name: "re2js-trimmed",
  setup({ onLoad }) {
    onLoad({ filter: /re2js[\\/]build[\\/]index\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, "utf8");
      for (const [name, text] of Object.entries(LEFT_OUT)) {
        const whole = new RegExp(`^var ${name} = class[\\s\\S]*?^};\\n`, "m");
        if (!whole.test(contents))
          throw new Error(`re2js has no class \`${name}\`: look at it again`);
        contents = contents.replace(whole, `var ${name} = ${text};\n`);
      }
      return { contents, loader: "js" };
    });
  },
};
