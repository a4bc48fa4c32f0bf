import { copyFile } from "node:fs/promises";
import { defineConfig } from "tsup";

/** Without `--no-dts` the folder is made anew; with it (the demo) the type declarations stay. */
const config: ReturnType<typeof defineConfig> = defineConfig((options) => ({
  entry: {
    index: "src/index.ts",
    message: "src/message/index.ts",
    mailbox: "src/mailbox/index.ts",
    "re2-wasm": "src/engine/pattern/engines/re2-wasm-engine.ts",
    rehearse: "src/rehearse/index.ts",
    "replay-worker": "src/rehearse/replay/replay-worker.ts",
    vitest: "src/rehearse/test/vitest.ts",
    runner: "src/runner/index.ts",
    "runner-worker": "src/runner/worker.ts",
    simulator: "src/simulator/index.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  target: "node20",
  dts: true,
  clean: options.dts !== false,
  splitting: true,
  treeshake: true,
  // Loaded when a text needs it.
  onSuccess: () => copyFile("src/message/text/jis-x-0213.json", "dist/jis-x-0213.json"),
}));
export default config;
