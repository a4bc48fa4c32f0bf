import { defineConfig } from "tsup";

const config: ReturnType<typeof defineConfig> = defineConfig({
  entry: {
    index: "src/index.ts",
    message: "src/message/index.ts",
    "re2-wasm": "src/regex/re2-wasm-engine.ts",
    rehearse: "src/rehearse/index.ts",
    "replay-worker": "src/rehearse/replay-worker.ts",
    vitest: "src/rehearse/vitest.ts",
    runner: "src/runner/index.ts",
    "runner-worker": "src/runner/worker.ts",
    simulator: "src/simulator/index.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  target: "node20",
  dts: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
export default config;
