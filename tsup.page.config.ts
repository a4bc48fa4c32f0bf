import { copyFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { internalNamePattern } from "./scripts/internal-names.ts";
import {
  browserBuffer,
  browserEntities,
  celParserOnly,
  noParsers,
} from "./scripts/page-plugins.ts";

/** The page: one HTML file, one script and one style sheet, which any web server can serve. */
const config: ReturnType<typeof defineConfig> = defineConfig(({ outDir = "dist/page" }) => ({
  entry: { page: "src/page/main.ts" },
  outDir,
  format: "esm",
  platform: "browser",
  target: "es2022",
  // Three per cent smaller than by esbuild.
  minify: "terser",
  // Of the style sheet, which terser leaves as it is.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  terserOptions: {
    ecma: 2020,
    module: true,
    compress: { passes: 2 },
    mangle: { properties: { regex: internalNamePattern(), builtins: false } },
    format: { comments: /^!/ },
  },
  splitting: false,
  dts: false,
  noExternal: [/./],
  esbuildPlugins: [celParserOnly, browserEntities, noParsers, browserBuffer],
  loader: { ".eml": "text" },
  onSuccess: async () => copyFileSync("src/page/page.html", `${outDir}/index.html`),
}));
export default config;
