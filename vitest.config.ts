import { defineConfig } from "vitest/config";

const config: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for may take long where the processors are busy.
    expect: { poll: { timeout: 20_000 } },
    globalSetup: [],
    // By default one processor stays idle, which is half of a small machine.
    maxWorkers: "100%",
  },
});
export default config;
